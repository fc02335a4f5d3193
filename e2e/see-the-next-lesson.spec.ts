import { listBookedCourses } from '#contract/bookings.ts'
import { type Course, listInstructorCourses } from '#contract/courses.ts'
import { BOOKING_STATUS, type DateTimeValue } from '#contract/values.ts'
import { expect, test } from './fixtures.ts'
import { untilKept, wallClock } from './programme-steps.ts'

type Taught = Pick<Course, 'id' | 'name' | 'dates' | 'startTime' | 'endTime'>

const orderOf = ({ year, month, day, hour, minute }: DateTimeValue) => Date.UTC(year, month - 1, day, hour, minute)

/** The course whose next lesson is the first to come; one that is on comes first. */
function firstToCome<C extends Taught>(courses: C[], afterMs = 0): C | undefined {
  const now = Date.parse(`${wallClock(new Date()).replace(' ', 'T')}Z`)
  const next = ({ dates, startTime, endTime }: C) => {
    const staysMs = orderOf(endTime) - orderOf(startTime) + afterMs
    return Math.min(...dates.map(orderOf).filter(order => order + staysMs >= now))
  }
  return courses.toSorted((a, b) => next(a) - next(b))[0]
}

test('the start page shows a person the next lesson, also without a network', async ({ page, portal, loginAs }) => {
  const token = await loginAs('employee')
  const courses = await portal.call(listBookedCourses, { token })
  const next = firstToCome(courses.filter(({ bookingStatus }) => bookingStatus === BOOKING_STATUS.Booked))
  await page.goto('/home')
  const card = page.getByRole('link', { name: 'Ihr nächster Termin' })
  await expect(card).toContainText(next?.name ?? '')
  await untilKept(page)
  await page.context().setOffline(true)
  await page.reload()
  await card.click()
  await expect(page.getByRole('heading', { level: 1, name: next?.name })).toBeVisible()
})

test('the start page leads instructors to their next list', async ({ page, portal, loginAs }) => {
  const token = await loginAs('instructor')
  const next = firstToCome(await portal.call(listInstructorCourses, { token }), 30 * 60_000)
  await page.goto('/home')
  await page.getByRole('link', { name: 'Ihre nächste Kursstunde' }).click()
  await expect(page).toHaveURL(new RegExp(`/course-participation/${next?.id}$`))
})
