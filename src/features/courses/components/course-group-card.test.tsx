import { expect, test } from 'vitest'
import { testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
import { CourseGroupCard } from './course-group-card.tsx'

test('the card of several courses names the lowest price, and says if only some are free', async () => {
  const words = async (...prices: number[]) => {
    const [first = testCourse(), ...others] = prices.map((price, index) =>
      testCourse({ id: index + 1, fee: price, energyFee: 0 }),
    )
    const card = <CourseGroupCard courses={[first, ...others]} isLoggedIn />
    return (await render(card, 'courses')).textContent
  }
  expect(await words(20, 10)).toMatch(/ab 10,00\s€/)
  expect(await words(20, 0)).toMatch(/teils kostenlos$/)
  expect(await words(0, 0)).toMatch(/frei(?!.*teils).*kostenlos$/)
})
