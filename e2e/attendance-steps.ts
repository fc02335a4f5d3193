import type { BrowserContext, Page } from '@playwright/test'
import { type CourseDates, changePresence, getCourseDates } from '#contract/endpoints/attendance.ts'
import { listInstructorCourses } from '#contract/endpoints/courses.ts'
import { login } from '#contract/endpoints/session.ts'
import { performAct } from '#contract/office/office.ts'
import { DEMO_PASSWORD, emailOf, expect, type Portal } from './fixtures.ts'

export const loginInstructor = (portal: Portal) =>
  portal.call(login, { body: { userName: emailOf('instructor'), password: DEMO_PASSWORD, keepSession: true } })

/** The instructor's running course at this place, with at least ten participants. */
export async function runningCourse(portal: Portal, token: string, index: number): Promise<number> {
  const courses = await portal.call(listInstructorCourses, { token })
  const course = courses.filter(({ running, participation }) => running && participation >= 10)[index]
  if (!course) throw new Error('the demo programme has too few running courses')
  return course.id
}

const inGermany = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', ...options }).format(new Date())
const todayInGermany = () => inGermany({})
const nowInGermany = () => inGermany({ timeStyle: 'short' })

type PerformAct = (fields: object) => Promise<Record<string, unknown>>

/** Logs in as the department. @returns a function that performs an act and returns its result */
export async function openDesk(portal: Portal): Promise<PerformAct> {
  const credentials = { userName: emailOf('desk'), password: DEMO_PASSWORD, keepSession: false }
  const { id: token } = await portal.call(login, { body: credentials })
  return async fields => {
    const answer = await portal.call(performAct, {
      token,
      body: { actId: crypto.randomUUID(), reason: 'Probe', ...fields } as never,
    })
    expect(answer.status, answer.message).toBe('Ok')
    return answer.result
  }
}

/** Performs one act of the department, and returns its result. */
export const performAtDesk = async (portal: Portal, fields: object) => (await openDesk(portal))(fields)

/**
 * Creates a free course of the demo's season, with lessons from 05:00 to 06:00 on these days: those that the portal plans
 * for a period leave out holidays.
 * @param fields other fields of the act `create-course`
 * @param fields.dates days 'YYYY-MM-DD', in ascending order
 */
export async function createCourse(
  portal: Portal,
  fields: { dates: string[]; participants?: number },
): Promise<{ id: number; name: string }> {
  const name = `Yoga ${crypto.randomUUID().slice(0, 6)}`
  const { courseId } = await performAtDesk(portal, {
    kind: 'create-course',
    number: name,
    name,
    seasonId: 2,
    courseCategoryId: 3,
    start: fields.dates[0],
    end: fields.dates.at(-1),
    startTime: '05:00',
    endTime: '06:00',
    venue: 'Halle 1',
    instructorEmails: [emailOf('instructor')],
    participants: 5,
    fee: 0,
    ...fields,
  })
  return { id: Number(courseId), name }
}

/** Adds a lesson today that starts now, unless another start is given. The attendance list preselects it. */
export async function addLessonToday(portal: Portal, courseId: number, start = nowInGermany()): Promise<number> {
  const startTime = start < '23:59' ? start : '23:58'
  const date = todayInGermany()
  const { courseDateId } = await performAtDesk(portal, {
    kind: 'add-lesson',
    courseId,
    date,
    startTime,
    endTime: '23:59',
  })
  return Number(courseDateId)
}

/** A course without a regular lesson today, regardless of the weekday. */
export async function courseWithoutLessonToday(portal: Portal, token: string): Promise<number> {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date())
  const courses = await portal.call(listInstructorCourses, { token })
  const isToday = ({ year, month, day }: { year: number; month: number; day: number }) =>
    today === [year, month, day].map(part => String(part).padStart(2, '0')).join('-')
  const course = courses.find(of => of.running && of.participation >= 10 && !of.dates.some(isToday))
  if (!course) throw new Error('all running courses of the demo programme have a lesson today')
  return course.id
}

/** Logged in persistently, as with "keep me logged in". */
export async function stayLoggedIn(context: BrowserContext, token: string): Promise<Page> {
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto('/faq')
  await page.evaluate(value => localStorage.setItem('SessionToken', value), token)
  return page
}

export async function openList(page: Page, courseId: number): Promise<void> {
  await page.goto(`/course-participation/${courseId}`)
  await expect(tickButtons(page).first()).toBeVisible()
}

/** Resets the attendance that earlier tests have recorded on the preselected date. */
export async function withdrawAttendance(portal: Portal, token: string, courseId: number): Promise<void> {
  const dates = await portal.call(getCourseDates, { params: { id: courseId }, token })
  for (const { id: webUserId, isRecorded } of dates.participants) {
    const courseDateId = dates.preSelectCourseDateId
    const body = { changeState: 'deleted', courseDateId, webUserId, isRecorded: false } as const
    if (isRecorded) expect(await portal.call(changePresence, { token, body })).toMatchObject({ status: 'Ok' })
  }
}

/**
 * A current course with no attendance recorded on the preselected date, and its instructor with a persistent session.
 */
export async function enterAsInstructor(portal: Portal, context: BrowserContext, index: number) {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, index)
  await withdrawAttendance(portal, token, courseId)
  const readPresent = () => presentAtServer(portal, token, courseId)
  const before = await readPresent()
  return { page: await stayLoggedIn(context, token), token, courseId, before, readPresent }
}

/** The same, with the course's attendance list open. */
export async function openRunningList(portal: Portal, context: BrowserContext, index: number) {
  const entered = await enterAsInstructor(portal, context, index)
  await openList(entered.page, entered.courseId)
  return entered
}

const TICK = /: (?:da|fehlt|nicht erfasst)$/
export const ALL_ARRIVED = 'Alles ist beim Portal angekommen.'
export const NOT_PRESENT = /: (?:fehlt|nicht erfasst)$/

export const tickButtons = (page: Page) => page.getByRole('switch', { name: TICK })
/** Displayed state of each row. */
export const readTicks = (page: Page): Promise<string[]> =>
  tickButtons(page).evaluateAll(buttons => buttons.map(button => button.ariaLabel ?? ''))
export const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
export const tickOf = (page: Page, name: string) => rowOf(page, name).getByRole('switch', { name: TICK })

/**
 * Marks the first `count` people who are not marked as present.
 * @param label restricts it to one person
 * @returns their names
 */
export async function tickAbsent(page: Page, count: number, label = NOT_PRESENT): Promise<string[]> {
  const labels = await page
    .getByRole('switch', { name: label })
    .evaluateAll(buttons => buttons.map(button => button.getAttribute('aria-label') ?? ''))
  // Other tests may have booked people with the same name.
  const unique = labels.filter(label => labels.indexOf(label) === labels.lastIndexOf(label))
  const names = unique.slice(0, count).map(label => label.replace(NOT_PRESENT, ''))
  for (const name of names) await tickOf(page, name).click()
  return names
}

/** Polls until each of these people has the given state. */
export async function tickUntil(page: Page, state: string, count: number, label = NOT_PRESENT): Promise<string[]> {
  const names = await tickAbsent(page, count, label)
  await expectState(page, names, state)
  return names
}

export async function expectState(page: Page, names: string[], state: string): Promise<void> {
  for (const name of names) await expect(rowOf(page, name)).toContainText(state)
}

/**
 * All attendance changes are synchronized and the status message says so; it may be queued behind other announcements.
 */
export const expectAllArrived = (page: Page): Promise<void> =>
  expect(page.getByText(ALL_ARRIVED, { exact: true }).first()).toBeVisible()

/** Before the last lesson, the action "close attendance" is in the menu. */
export async function askToClose(page: Page): Promise<void> {
  await page.getByText('Mehr', { exact: true }).click()
  await page.getByRole('button', { name: 'Anwesenheit abschließen' }).click()
}

/** Names of those recorded as present on the server for the preselected date. */
export async function presentAtServer(portal: Portal, token: string, courseId: number): Promise<string[]> {
  const { participants }: CourseDates = await portal.call(getCourseDates, { params: { id: courseId }, token })
  return participants.filter(({ isUserPresent }) => isUserPresent).map(({ name }) => name)
}
