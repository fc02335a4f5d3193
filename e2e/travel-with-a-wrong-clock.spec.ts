import { getCourseDates } from '#contract/endpoints/attendance.ts'
import { listInstructorCourses } from '#contract/endpoints/courses.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { expectAllArrived, loginInstructor, runningCourse, stayLoggedIn, tickButtons } from './attendance-steps.ts'
import { expect, test } from './fixtures.ts'

const DAY_MS = 86_400_000

test.use({ timezoneId: 'America/New_York', mayBeRefused: true })

/** The portal's wall clock now, or this long ago; a negative value means in the future. */
const berlin = (agoMs = 0) => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(Date.now() - agoMs)
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]))
}
/** The minute may change while the page is being read. */
const timeNow = () =>
  new RegExp(
    [60_000, 0, -60_000]
      .map(ago => berlin(ago))
      .map(({ hour, minute }) => `${hour}:${minute}`)
      .join('|'),
  )
const dayOf = ({ year, month, day }: DateTimeValue) => Date.UTC(year, month - 1, day)

test('a phone in New York with a clock one day ahead shows lessons and times in the portal’s time zone @extended', async ({
  page,
  portal,
}) => {
  await page.addInitScript(ahead => {
    const Real = Date
    class Shifted extends Real {
      constructor(...given: unknown[]) {
        super(...((given.length === 0 ? [Real.now() + ahead] : given) as []))
      }
      static override now = () => Real.now() + ahead
    }
    globalThis.Date = Shifted as DateConstructor
  }, DAY_MS)
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 1)
  const { courseDates } = await portal.call(getCourseDates, { params: { id: courseId }, token })
  const { year, month, day } = berlin()
  const today = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const words = new Intl.RelativeTimeFormat('de', { numeric: 'auto' })
  const said = courseDates.map(({ date }) => words.format((dayOf(date) - today) / DAY_MS, 'day'))

  await stayLoggedIn(page.context(), token)
  await page.goto(`/course-participation/${courseId}`)
  await expect(tickButtons(page).first()).toBeVisible()
  // A lesson cancelled by another test is listed as well, but cannot be selected.
  const options = page.getByLabel('Termin', { exact: true }).locator('option:enabled')
  await expect.poll(async () => (await options.allTextContents()).map(text => text.split(', ')[0])).toEqual(said)
  for (const [index, { date }] of courseDates.entries()) {
    await expect(options.nth(index)).toContainText(
      `${String(date.hour).padStart(2, '0')}:${String(date.minute).padStart(2, '0')}`,
    )
  }

  await expect(page.getByText(/^Stand \d\d:\d\d · /)).toHaveCount(0)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.context().setOffline(true)
  await tickButtons(page).first().click()
  const line = page.getByText(/ zuletzt versucht \d\d:\d\d$/)
  await expect(line).toHaveText(timeNow())
  await page.reload()
  await expect(page.getByText(/^Stand \d\d:\d\d · /)).toHaveText(timeNow())
  await expect(tickButtons(page).first()).toBeVisible()

  await page.context().setOffline(false)
  await expectAllArrived(page)

  const courses = await portal.call(listInstructorCourses, { token })
  const isToday = courses.some(({ dates }) => dates.some(date => dayOf(date) === today))
  await page.goto('/courses/instructor')
  await expect(page.getByRole('heading', { name: 'Laufend und demnächst' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Heute', exact: true })).toHaveCount(isToday ? 1 : 0)
})
