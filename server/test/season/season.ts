import { randomUUID } from 'node:crypto'
import ICAL from 'ical.js'
import PostalMime from 'postal-mime'
import type { RequestBodyOf } from '#contract/endpoint.ts'
import { confirmAccount, register } from '#contract/endpoints/accounts.ts'
import { changePresence, getCourseDates, getParticipantList } from '#contract/endpoints/attendance.ts'
import { createFeed, getCourseCalendar, readFeed } from '#contract/endpoints/calendar.ts'
import {
  bookCourse,
  type Course,
  cancelCourse,
  getCourse,
  listBookedCourses,
  listCourses,
} from '#contract/endpoints/courses.ts'
import { listMessages } from '#contract/endpoints/inbox.ts'
import { login } from '#contract/endpoints/session.ts'
import { type ActResponse, getOfficeCourse, performAct } from '#contract/office/office.ts'
import { getOfficeList, type OfficeListName } from '#contract/office/people.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { createTestFolder } from '../import-folder.ts'
import { toCodes } from '../list-columns.ts'
import type { TestAct } from '../office.ts'
import { readPdfPages } from '../pdf.ts'
import { emailOf, languageOf, NAMES, PASSWORD, type PersonName, PROGRAMME } from './programme.ts'
import type { SeasonPortal } from './season-portal.ts'

const two = (number: number) => String(number).padStart(2, '0')
/** 'DD.MM. HH:MM' */
export const shortTime = ({ day, month, hour, minute }: DateTimeValue) =>
  `${two(day)}.${two(month)}. ${two(hour)}:${two(minute)}`

const STATUS_WORDS = ['', 'booked', 'waiting'] as const

/** A course as one person sees it, in one line; empty and default values are left out. */
export function describeCourse(course: Course): string {
  const { bookingStatus, waitingListPosition, obstacle, price, attendance, cancelUntil, bookable } = course
  const parts = [
    STATUS_WORDS[bookingStatus],
    waitingListPosition > 0 && `#${waitingListPosition}`,
    obstacle,
    bookable && (course.directlyBookable ? 'free place' : 'waiting list'),
    price && `${price.amount} €`,
    price?.freeWithAttendance && (price.waived ? 'waived' : 'waivable'),
    cancelUntil && `until ${shortTime(cancelUntil)}`,
    bookingStatus === 1 &&
      attendance &&
      `${attendance.present}/${attendance.held} of ${attendance.planned} needs ${attendance.needed}`,
  ]
  return parts.filter(Boolean).join(', ')
}

function entriesOf(calendar: string, isTitled = false): string[] {
  const component = new ICAL.Component(ICAL.parse(calendar))
  return component.getAllSubcomponents('vevent').map(event => {
    const begin = new ICAL.Event(event).startDate.toJSDate().toISOString().slice(0, 16)
    const status = String(event.getFirstPropertyValue('status'))
    const title = isTitled && new ICAL.Event(event).summary
    return [title, begin, status !== 'CONFIRMED' && status].filter(Boolean).join(' ')
  })
}

const SESSION_MS = 60 * 86_400_000

/** What the calls of the season need to know of its people and courses. */
type Directory = {
  /** token of a session; logs in if there is none */
  tokenOf(name: PersonName): Promise<string>
  idOf(name: PersonName): number
  courseId(number: string): number
}

/** Logs in again, in the same browser, before a session of 90 days has ended. */
function createLogins(portal: SeasonPortal): Directory['tokenOf'] {
  const sessions = new Map<PersonName, { token: string; device: string; startedAt: number }>()
  return async name => {
    const held = sessions.get(name)
    const startedAt = portal.clock.now()
    if (held && startedAt - held.startedAt < SESSION_MS) return held.token
    const { body, cookies } = await portal.send(login, {
      body: { userName: emailOf(name), password: PASSWORD, keepSession: true },
      language: languageOf(name),
      ...(held && { headers: { Cookie: held.device } }),
    })
    if (body.status !== 'Ok') throw new Error(`${name} cannot log in: ${body.status}`)
    const device = cookies.find(cookie => cookie.startsWith('Device='))?.split(';')[0] ?? ''
    sessions.set(name, { token: body.id, device, startedAt })
    return body.id
  }
}

/** What participants see and do. */
function participantCalls(portal: SeasonPortal, { tokenOf, courseId }: Directory) {
  const self = {
    /** Numbers of the courses that a visitor sees. */
    listed: async () => ((await portal.call(listCourses)) as Course[]).map(({ number }) => number).sort(),
    see: async (name: PersonName, number: string) =>
      portal.call(getCourse, {
        params: { id: courseId(number) },
        token: await tokenOf(name),
        language: languageOf(name),
      }),
    /** The course as each person sees it, in one line each. */
    async states(number: string, names: PersonName[]) {
      const entries = await Promise.all(
        names.map(async name => [name, describeCourse(await self.see(name, number))] as const),
      )
      return Object.fromEntries(entries)
    },
    book: async (name: PersonName, number: string) => {
      const body = { id: courseId(number) }
      const { status, bookingStatus } = await portal.call(bookCourse, {
        body,
        token: await tokenOf(name),
        language: languageOf(name),
      })
      return status === 'Ok' ? STATUS_WORDS[bookingStatus] : status
    },
    cancel: async (name: PersonName, number: string) => {
      const { status } = await portal.call(cancelCourse, { body: { id: courseId(number) }, token: await tokenOf(name) })
      return status
    },
    /** The calendar file of a course: the beginning of each lesson in UTC, and its status where that is not CONFIRMED. */
    async calendar(name: PersonName, number: string): Promise<string[]> {
      const file = await portal.call(getCourseCalendar, {
        params: { id: courseId(number) },
        token: await tokenOf(name),
      })
      return entriesOf(new TextDecoder().decode(file))
    },
    /** Creates a personal calendar feed and returns its entries as above, with their titles. */
    async feed(name: PersonName): Promise<string[]> {
      const { url } = await portal.call(createFeed, { token: await tokenOf(name) })
      const file = await portal.call(readFeed, { params: { file: new URL(url).pathname.split('/').pop() ?? '' } })
      return entriesOf(new TextDecoder().decode(file), true)
    },
    /** Titles of the messages in the portal, oldest first. */
    messages: async (name: PersonName): Promise<string[]> =>
      (await portal.call(listMessages, { token: await tokenOf(name) })).map(({ title }) => title).reverse(),
    /** Numbers of the courses under *my courses*. */
    booked: async (name: PersonName): Promise<string[]> =>
      (await portal.call(listBookedCourses, { token: await tokenOf(name) })).map(({ number }) => number).sort(),
  }
  return self
}

/** What instructors do. */
const instructorCalls = (portal: SeasonPortal, { tokenOf, courseId, idOf }: Directory) => ({
  /** The participant list that an instructor prints, as text. */
  async printed(instructor: PersonName, number: string): Promise<string> {
    const params = { id: courseId(number) }
    const pdf = await portal.call(getParticipantList, { params, token: await tokenOf(instructor) })
    return readPdfPages(pdf).join('\n')
  },
  /** Records attendance of a lesson; everybody not in `present` is absent. */
  async tick(instructor: PersonName, number: string, day: string, present: readonly PersonName[]): Promise<void> {
    const token = await tokenOf(instructor)
    const { courseDates } = await portal.call(getCourseDates, { params: { id: courseId(number) }, token })
    const lesson = courseDates.find(({ date }) => `${date.year}-${two(date.month)}-${two(date.day)}` === day)
    if (!lesson) throw new Error(`${number} has no lesson on ${day} for ${instructor}`)
    const isPresent = new Set(present.map(name => idOf(name)))
    await Promise.all(
      lesson.participants.map(async ({ id }) => {
        const changeState = isPresent.has(id) ? ('added' as const) : ('deleted' as const)
        const body = { changeState, courseDateId: lesson.id, webUserId: id }
        const { status, message } = await portal.call(changePresence, { token, body })
        if (status !== 'Ok') throw new Error(`${number} ${day}: ${message}`)
      }),
    )
  },
})

/** What the office sees and does. */
function officeCalls(portal: SeasonPortal, { tokenOf, courseId }: Directory) {
  const self = {
    act: async (body: TestAct): Promise<ActResponse> =>
      portal.call(performAct, { body: { actId: randomUUID(), ...body } as never, token: await tokenOf('desk') }),
    /** Performs the action. @throws Error unless the result is `Ok` */
    async perform(body: TestAct): Promise<ActResponse> {
      const answer = await self.act(body)
      if (answer.status !== 'Ok') throw new Error(`${body.kind}: ${answer.status} ${answer.message}`)
      return answer
    },
    /** The lesson of a course on a day 'YYYY-MM-DD'. */
    async lesson(number: string, day: string): Promise<number> {
      const { lessons } = await portal.call(getOfficeCourse, {
        params: { id: courseId(number) },
        token: await tokenOf('desk'),
      })
      const found = lessons.find(({ date }) => date === day)
      if (!found) throw new Error(`${number} has no lesson on ${day}`)
      return found.courseDateId
    },
    /** Reads a desk list: its rows by column. */
    async list(list: OfficeListName): Promise<Record<string, string>[]> {
      const file = await portal.call(getOfficeList, { params: { file: `${list}.csv` }, token: await tokenOf('desk') })
      const [header = [], ...lines] = new TextDecoder()
        .decode(file)
        .split('\r\n')
        .filter(Boolean)
        .map(line => line.split(';'))
      return toCodes(
        lines.map(cells =>
          Object.fromEntries(header.map((column, index) => [column.replace('\uFEFF', ''), cells[index] ?? ''])),
        ),
      )
    },
  }
  return self
}

/** Registers a person. @returns a function that opens the activation link, logs in and returns the session token */
async function registerPerson(
  portal: SeasonPortal,
  profile: Partial<RequestBodyOf<typeof register>> & { email: string },
): Promise<() => Promise<string>> {
  const secrets = { password: PASSWORD, confirmPassword: PASSWORD, formOfAddress: 'Divers' as const }
  const { status, message } = await portal.call(register, { body: { ...secrets, ...profile } as never })
  if (status !== 'Ok') throw new Error(`${profile.email}: ${message}`)
  return async () => {
    await portal.untilMailed()
    const { source = '' } = portal.mails.find(({ to }) => to === profile.email) ?? {}
    const { text = '' } = await PostalMime.parse(source)
    const token = /\/activate\/([\w-]+)/.exec(text)?.[1] ?? ''
    await portal.call(confirmAccount, { body: { token } })
    const body = { userName: profile.email, password: PASSWORD, keepSession: false }
    return (await portal.call(login, { body, language: 'de' })).id
  }
}

export type Season = Awaited<ReturnType<typeof openSeason>>

/** Imports the programme and logs everybody in. @returns calls that refer to people by name and to courses by number */
export async function openSeason(portal: SeasonPortal) {
  const folder = await createTestFolder(PROGRAMME)
  await portal.command('import', folder.path)
  await folder.remove()
  for (const right of ['programme', 'bookings', 'billing'])
    await portal.command('office', 'add', emailOf('desk'), right)
  const tokenOf = createLogins(portal)
  for (const name of NAMES) await tokenOf(name)
  const users = await portal.db.query<{ id: number; email: string }>(sql`select id, email from web_users`)
  const ids = new Map(NAMES.map(name => [name, users.find(({ email }) => email === emailOf(name))?.id ?? 0]))
  const courses = await portal.db.query<{ id: number; number: string }>(sql`select id, number from courses`)
  const directory: Directory = {
    tokenOf,
    idOf: name => ids.get(name) ?? 0,
    courseId: number => courses.find(course => course.number === number)?.id ?? 0,
  }
  return {
    ...portal,
    ...directory,
    ...participantCalls(portal, directory),
    ...instructorCalls(portal, directory),
    ...officeCalls(portal, directory),
    register: (profile: Parameters<typeof registerPerson>[1]) => registerPerson(portal, profile),
  }
}
