import { expect, test } from 'vitest'
import { dateOf, testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
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
