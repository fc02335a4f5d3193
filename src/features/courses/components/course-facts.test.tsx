import { expect, test } from 'vitest'
import { dateOf, testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
import { CourseCard } from './course-card.tsx'
import { SecondaryFacts } from './course-facts.tsx'

test('the page of a course says whether it takes place', async () => {
  const words = async (confirmed: boolean) =>
    (await render(<SecondaryFacts course={testCourse({ confirmed, end: dateOf('2100-03-08') })} />, 'courses'))
      .textContent
  expect(await words(true)).toContain('Kurs findet statt')
  expect(await words(false)).toContain('Noch nicht bestätigt')
})

test('a certified course shows its test institute, any other course does not', async () => {
  const certified = await render(
    <SecondaryFacts course={testCourse({ centralTestInstitute: 'ZPP 20260123' })} />,
    'courses',
  )
  expect(certified.textContent).toContain('Zentrale Prüfstelle')
  expect(certified.textContent).toContain('ZPP 20260123')
  const other = await render(<SecondaryFacts course={testCourse()} />, 'courses')
  expect(other.textContent).not.toContain('Prüfstelle')
})

test('the card of a course that is free for some says so to visitors, beside the price of others', async () => {
  const words = async (fee: number) => {
    const course = testCourse({ price: null, fee, energyFee: 0, externalFee: 15 })
    return (await render(<CourseCard course={course} mode="list" isLoggedIn={false} />, 'courses')).textContent
  }
  expect(await words(0)).toMatch(/kostenlosExterne 15,00\s€/)
  expect(await words(0)).not.toContain('ab kostenlos')
  expect(await words(10)).toMatch(/ab 10,00\s€Externe 15,00\s€/)
})
