import { bookCourse, type Course, listBookedCourses, listInstructorCourses } from '#contract/endpoints/courses.ts'
import { login } from '#contract/endpoints/session.ts'
import { BOOKING_STATUS, type DateTimeValue } from '#contract/values.ts'
import { createCourse } from './attendance-steps.ts'
import { DEMO_PASSWORD, emailOf, expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { patience } from './patience.ts'
import { openAs, tokenOf } from './people-steps.ts'
import { inDays, untilKept, wallClock } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

type Taught = Pick<Course, 'id' | 'name' | 'dates' | 'startTime' | 'endTime'>

const orderOf = ({ year, month, day, hour, minute }: DateTimeValue) => Date.UTC(year, month - 1, day, hour, minute)

/** The course whose next lesson starts first; a current lesson takes precedence. */
function firstToCome<C extends Taught>(courses: C[], afterMs = 0): C | undefined {
  const now = Date.parse(`${wallClock(new Date()).replace(' ', 'T')}Z`)
  const next = ({ dates, startTime, endTime }: C) => {
    const staysMs = orderOf(endTime) - orderOf(startTime) + afterMs
    return Math.min(...dates.map(orderOf).filter(order => order + staysMs >= now))
  }
  return courses.toSorted((a, b) => next(a) - next(b))[0]
}

test.describe(() => {
  test.use({ serviceWorkers: 'allow' })

  test('the start page shows the user’s next lesson, also offline @extended', async ({ page, portal, loginAs }) => {
    const token = await loginAs('employee')
    const courses = await portal.call(listBookedCourses, { token })
    const next = firstToCome(courses.filter(({ bookingStatus }) => bookingStatus === BOOKING_STATUS.Booked))
    await page.goto('/home')
    const card = page.getByRole('link', { name: 'Ihr nächster Termin' })
    expect(next).toBeDefined()
    await expect(card).toContainText(String(next?.name))
    await untilKept(page)
    await page.context().setOffline(true)
    await page.reload()
    await card.click()
    await expect(page.getByRole('heading', { level: 1, name: next?.name })).toBeVisible()
  })
})

test('the start page links instructors to their next attendance list', async ({ page, portal, loginAs }) => {
  const token = await loginAs('instructor')
  const courses = await portal.call(listInstructorCourses, { token })
  const next = firstToCome(courses, 30 * 60_000)
  await page.goto('/home')
  const card = page.getByRole('link', { name: 'Ihr nächster Termin als Kursleitung' })
  const [, day = ''] = /(\d\d\.\d\d\.|heute|morgen)/.exec((await card.textContent()) ?? '') ?? []
  await card.click()
  await expect(page).toHaveURL(new RegExp(`/course-participation/${next?.id}\\?`))
  const choice = page.getByRole('combobox', { name: 'Termin' })
  await expect(choice.locator('option:checked')).toContainText(day)
})

test('an absence from the next lesson is announced with one tap, seen in the attendance list, and withdrawn', async ({
  browser,
  page,
  portal,
  person,
  loginAs,
}) => {
  const { id: courseId } = await createCourse(portal, { dates: [inDays(2), inDays(9)] })
  const body = { id: courseId }
  await portal.call(bookCourse, { token: await tokenOf(portal, person), body })
  await openAs(page, portal, person, '/home')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: /^Ich kann am .* nicht$/ }).click()
  await expect(main).toContainText(/Sie kommen am .* nicht: Die Kursleitung sieht es in ihrer Liste/)

  const context = await browser.newContext({ ...WITHOUT_WORKER, baseURL: portal.url, locale: 'de-DE' })
  const list = await context.newPage()
  await loginAs('instructor', list)
  await list.goto(`/course-participation/${courseId}`)
  await expect(list.getByRole('listitem').filter({ hasText: 'hat abgesagt' })).toHaveCount(1)
  await page.goto('/courses/booked')
  await main.getByRole('button', { name: 'Ich komme doch' }).click()
  await expect(main.getByRole('button', { name: /^Ich kann am .* nicht$/ })).toBeVisible()
  await expect(list.getByText('hat abgesagt')).toHaveCount(0, { timeout: patience * 20_000 })
  await context.close()
})

test('a lesson can be opened by its URL, and its day is shown relative to today @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const token = await loginAs('instructor')
  const today = wallClock(new Date()).slice(0, 10)
  const daysTo = (date: DateTimeValue) => Math.floor(orderOf(date) / 86_400_000) - Date.parse(today) / 86_400_000
  const courses = await portal.call(listInstructorCourses, { token })
  const course = courses.find(({ running, dates }) => running && dates.some(date => daysTo(date) > 2))
  const date = course?.dates.find(of => daysTo(of) > 2)
  if (!course || !date) throw new Error('the demo programme has no lesson to come')
  const day = new Date(orderOf(date)).toISOString().slice(0, 10)
  await page.goto(`/course-participation/${course.id}?date=${day}`)
  const chosen = page.getByRole('combobox', { name: 'Termin' }).locator('option:checked')
  await expect(chosen).toContainText(`in ${daysTo(date)} Tagen`)
  const past = new Date(orderOf(course.dates[0] as DateTimeValue)).toISOString().slice(0, 10)
  await page.goto(`/course-participation/${course.id}?date=${past}`)
  await expect(chosen).toContainText(/vor \d+ Tagen|gestern|heute/)
})

test('the URL of a lesson redirects to the login and back to that lesson', async ({ page, portal }) => {
  const body = { userName: emailOf('instructor'), password: DEMO_PASSWORD, keepSession: false }
  const { id: token } = await portal.call(login, { body })
  const courses = await portal.call(listInstructorCourses, { token })
  const course = courses.find(({ running }) => running)
  const first = new Date(orderOf(course?.dates[0] as DateTimeValue)).toISOString().slice(0, 10)
  await page.goto(`/course-participation/${course?.id}?date=${first}`)
  await page.getByLabel('E-Mail').fill(emailOf('instructor'))
  await page.locator('main input[type=password]').fill(DEMO_PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/course-participation/${course?.id}\\?date=${first}$`))
  const [, month, day] = first.split('-')
  await expect(page.getByRole('combobox', { name: 'Termin' }).locator('option:checked')).toContainText(
    `${day}.${month}.`,
  )
})

test('a user who does not teach a course sees whom its attendance list is for, with a link to the course @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const [course] = await portal.call(listBookedCourses, { token: await loginAs('employee') })
  await page.goto(`/course-participation/${course?.id}`)
  await expect(page.getByRole('heading', { name: 'Diese Seite ist für die Kursleitung dieses Kurses' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Noch einmal' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Zum Kurs', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/course-details/${course?.id}$`))
})
