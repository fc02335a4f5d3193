import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { getCourseDates, getParticipantList } from '#contract/endpoints/attendance.ts'
import { getCourseCalendar } from '#contract/endpoints/calendar.ts'
import { decodeCourseIndex } from '#contract/endpoints/course-index.ts'
import {
  bookCourse,
  type Course,
  type CourseIndex,
  cancelCourse,
  getCourse,
  listBookedCourses,
  listCourses,
  listInstructorCourses,
} from '#contract/endpoints/courses.ts'
import { lessonStartTimesOf } from '#contract/lessons.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { formatDate, formatTime } from '#contract/words.ts'
import { closeExpiredWaitingLists } from '#server/features/bookings/waiting-list-service.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { toMailContent } from '#server/platform/outbox/mail-content.ts'
import {
  dateFromNow,
  insertCourse,
  insertInstructorWithSession,
  insertUserWithSession,
  markProgrammeChanged,
} from '#server/test/factories.ts'
import { openTestOffice, type TestAct } from '#server/test/office.ts'
import { readPdfPages } from '#server/test/pdf.ts'

/** For a long run: SEQUENCES=200 npm run unit -- …. Pass the printed seed as SEED=… to repeat a run. */
const RUNS = Number(process.env.SEQUENCES ?? 8)
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))

const { server, ...office } = await openTestOffice(['programme', 'bookings'])
const { db } = server

const step = fc.record({
  kind: fc.constantFrom(
    'add',
    'cancelLesson',
    'restoreLesson',
    'move',
    'move',
    'substitute',
    'backToInstructor',
    'venue',
    'times',
    'cancelCourse',
    'restoreCourse',
    'places',
    'book',
    'book',
    'book',
    'cancel',
    'pass',
    'pass',
  ),
  lesson: fc.nat(5),
  person: fc.nat(3),
  day: fc.integer({ min: -3, max: 30 }),
  hour: fc.integer({ min: 8, max: 20 }),
  places: fc.integer({ min: 1, max: 4 }),
})
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never
type Person = Awaited<ReturnType<typeof insertUserWithSession>>

const pad = (value: number) => String(value).padStart(2, '0')
const dayOf = ({ year, month, day }: DateTimeValue) => `${year}-${pad(month)}-${pad(day)}`
const momentOf = (at: DateTimeValue) => `${dayOf(at)} ${pad(at.hour)}:${pad(at.minute)}`

async function createWorld() {
  const [instructor, substitute] = [
    await insertInstructorWithSession(db, { familyName: 'Berg' }),
    await insertInstructorWithSession(db, { familyName: 'Ersatz' }),
  ]
  const people: Person[] = []
  for (let i = 0; i < 4; i++) people.push(await insertUserWithSession(db))
  const { id } = await insertCourse(db, {
    startsOn: dateFromNow(3),
    endsOn: dateFromNow(24),
    capacity: 2,
    venue: 'Halle 1',
    city: 'Salzstadt',
    instructorEmails: [instructor.email],
  })
  return { id, instructor, substitute, people }
}
type World = Awaited<ReturnType<typeof createWorld>>

/** Advances time by making everything with a date older. */
async function passDays(courseId: number, days: number): Promise<void> {
  const span = sql`make_interval(days => ${days})`
  await db.execute(sql`delete from removed_lessons where course_id = ${courseId}`)
  // Lessons are moved one at a time through free times, because two lessons of a course must not coincide.
  for (const by of [sql`(${span} + interval '100 years')`, sql`(- interval '100 years')`])
    await db.execute(sql`
      update course_dates set held_at = held_at - ${by}, moved_from = moved_from - ${by} where course_id = ${courseId}`)
  await db.execute(sql`
    update courses set plan_starts_on = (plan_starts_on - ${span})::date, plan_ends_on = (plan_ends_on - ${span})::date,
      cancelled_at = cancelled_at - ${span} where id = ${courseId}`)
  await db.execute(sql`
    update bookings set booked_at = booked_at - ${span}, promoted_at = promoted_at - ${span}, cancelled_at = cancelled_at - ${span}
    where course_id = ${courseId}`)
  await db.execute(sql`
    update mails set created_at = created_at - ${span} where (payload ->> 'courseId')::int = ${courseId}`)
  await markProgrammeChanged(db)
}

async function take(world: World, { kind, lesson, person, day, hour, places }: Step): Promise<void> {
  const { id: courseId, people, substitute } = world
  const lessons = await db.query<{ id: number }>(sql`
    select id from course_dates where course_id = ${courseId} order by held_at`)
  const courseDateId = lessons[lesson % Math.max(lessons.length, 1)]?.id ?? 0
  const { token } = people[person] as Person
  const span = { startTime: `${pad(hour)}:00`, endTime: `${pad(hour + 1)}:30` }
  const reason = 'so gewollt'
  const acts: Partial<Record<Step['kind'], TestAct>> = {
    add: { kind: 'add-lesson', courseId, date: dateFromNow(day), ...span, reason },
    cancelLesson: { kind: 'cancel-lesson', courseDateId, reason },
    restoreLesson: { kind: 'restore-lesson', courseDateId, reason },
    move: { kind: 'change-lesson', courseDateId, date: dateFromNow(day), ...span, reason },
    substitute: { kind: 'change-lesson', courseDateId, instructorEmail: substitute.email, reason },
    backToInstructor: { kind: 'change-lesson', courseDateId, instructorEmail: '', reason },
    venue: { kind: 'change-lesson', courseDateId, venue: `Halle ${1 + (hour % 3)}`, reason },
    times: { kind: 'change-course', courseId, ...span, reason },
    cancelCourse: { kind: 'cancel-course', courseId, reason },
    restoreCourse: { kind: 'restore-course', courseId, reason },
    places: { kind: 'change-course', courseId, participants: places, reason },
  }
  const act = acts[kind]
  // A rejected action changes nothing, but its state is compared nevertheless.
  if (act) await office.send(act)
  if (kind === 'book') await server.request(bookCourse, { body: { id: courseId }, token })
  if (kind === 'cancel') await server.request(cancelCourse, { body: { id: courseId }, token })
  if (kind === 'pass') await passDays(courseId, 1 + lesson * 2)
  if (kind === 'pass') await closeExpiredWaitingLists(db, 'DE-NI')
}

/** Reads the lessons with an independent statement. */
const readLessons = (courseId: number) =>
  db.query<{
    at: string
    weekday: number
    isRegular: boolean
    email: string | null
    hasBegun: boolean
    venue: string
  }>(sql`
    select to_char(d.held_at, 'YYYY-MM-DD HH24:MI') as at, extract(dow from d.held_at)::int as weekday,
      d.moved_from is null and not d.is_extra as "isRegular", d.instructor_email as email, d.held_at <= localtimestamp as "hasBegun",
      coalesce(d.venue, c.venue) as venue
    from course_dates d join courses c on c.id = d.course_id
    where d.course_id = ${courseId} and d.state = 'planned' order by d.held_at`)

const inBerlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' })
async function readCalendar({ id }: World, token: string) {
  const { status, body } = await server.request(getCourseCalendar, { params: { id }, token })
  if (status !== 200) return null
  const text = Buffer.from(body).toString()
  return new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .filter(event => String(event.getFirstPropertyValue('status')) !== 'CANCELLED')
    .map(component => new ICAL.Event(component))
    .map(event => ({ at: inBerlin.format(event.startDate.toJSDate()), where: event.location }))
    .sort((a, b) => a.at.localeCompare(b.at))
}

const SHOWN = [
  'start',
  'end',
  'day',
  'weekdays',
  'startTime',
  'endTime',
  'venue',
  'city',
  'instructor',
  'running',
  'cancelled',
  'participants',
  'currentParticipants',
  'currentWaiting',
] as const
const shownOf = (course: Pick<Course, (typeof SHOWN)[number]> | undefined) =>
  course && SHOWN.map(field => [field, course[field]])

async function compare(world: World): Promise<void> {
  const { id, instructor, substitute, people } = world
  const lessons = await readLessons(id)
  const at = lessons.map(lesson => lesson.at)
  const isOver = lessons.length > 0 && lessons.every(({ hasBegun }) => hasBegun)
  const { body: packed } = await server.request(listCourses, { query: { view: 'index' } })
  const listed = decodeCourseIndex(packed as CourseIndex).find(course => course.id === id)
  const { body: whole } = await server.request(listCourses)

  for (const { token } of [...people, instructor, substitute]) {
    const { body: details } = await server.request(getCourse, { params: { id }, token })
    expect(shownOf(details), 'details and card').toEqual(shownOf(listed))
    expect(shownOf(details), 'details and list').toEqual(shownOf((whole as Course[]).find(course => course.id === id)))
    expect(details.dates.map(momentOf)).toEqual(at)
    if (lessons.length > 0) {
      expect([dayOf(details.start), dayOf(details.end)]).toEqual([at[0]?.slice(0, 10), at.at(-1)?.slice(0, 10)])
      const regular = lessons.filter(({ isRegular }) => isRegular)
      const counted = regular.length > 0 ? regular : lessons
      expect(details.weekdays).toEqual([...new Set(counted.map(({ weekday }) => weekday))].sort())
    }
    if (lessons.some(({ hasBegun }) => !hasBegun)) expect(details.obstacle).not.toBe('over')
    if (isOver) expect([details.bookable, details.currentWaiting]).toEqual([false, 0])
    if (isOver && !details.cancelled && details.bookingStatus === 0) expect(details.obstacle).toBe('over')
    const { attendance } = details
    if (attendance) expect(attendance.needed).toBeLessThanOrEqual(attendance.planned)
  }

  for (const { token } of people) {
    const { body: booked } = await server.request(listBookedCourses, { token })
    // A cancelled course stays in the list for some days, without a booking.
    const own = booked.find(course => course.id === id && !course.cancelled)
    if (!own) continue
    // The app's plan is built from these.
    expect(lessonStartTimesOf(own).map(momentOf), 'plan').toEqual(at)
    const calendar = await readCalendar(world, token)
    expect(
      calendar?.map(event => event.at),
      'calendar',
    ).toEqual(at)
    for (const [index, { venue }] of lessons.entries()) expect(calendar?.[index]?.where).toContain(venue)
  }

  for (const { token, email } of [instructor, substitute]) {
    const mine = lessons.filter(lesson => (lesson.email ?? instructor.email) === email).map(lesson => lesson.at)
    const { body: taught } = await server.request(listInstructorCourses, { token })
    const own = taught.find(course => course.id === id)
    expect(own?.dates.map(momentOf) ?? [], 'taught').toEqual(mine)
    const { status, body } = await server.request(getCourseDates, { params: { id }, token })
    const ticked = status === 200 ? body.courseDates.filter(({ isReadOnly }) => !isReadOnly) : []
    expect(
      ticked.map(({ date }) => momentOf(date)),
      'lists',
    ).toEqual(mine)
    if (!listed?.cancelled) expect(((await readCalendar(world, token)) ?? []).map(event => event.at)).toEqual(mine)
  }
}

/** E-mails caused by a step contain the same as the person's current course details. */
async function compareMails({ id, people }: World, sinceId: number): Promise<void> {
  const mails = await db.query<{ webUserId: number; kind: 'booking' | 'promotion'; payload: never }>(sql`
    select web_user_id as "webUserId", kind, payload from mails
    where id > ${sinceId} and kind in ('booking', 'promotion') and (payload ->> 'courseId')::int = ${id}`)
  for (const { webUserId, kind, payload } of mails) {
    const person = people.find(one => one.id === webUserId)
    if (!person) continue
    const { body: details } = await server.request(getCourse, { params: { id }, token: person.token })
    const { facts } = toMailContent({ kind, payload, language: 'de', name: 'Kim' }, server.context.config)
    const text = facts.map(([label, value]) => `${label}: ${value}`).join('\n')
    expect(text).toContain(formatDate(details.end))
    expect(text).toContain(`${formatTime(details.startTime)} bis ${formatTime(details.endTime)}`)
    expect(text).toContain(details.venue)
    expect(text).toContain(details.instructor)
    const names = ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag']
    const when = facts.find(([label]) => label === 'Zeit')?.[1] ?? ''
    expect(names.flatMap((name, day) => (when.includes(name) ? [day] : []))).toEqual(details.weekdays)
  }
}

async function comparePrinted({ id, instructor }: World): Promise<void> {
  const { body } = await server.request(getParticipantList, { params: { id }, token: instructor.token })
  const text = readPdfPages(body).join(' ')
  const { body: details } = await server.request(getCourse, { params: { id }, token: instructor.token })
  expect(text).toContain(`${formatDate(details.start)} – ${formatDate(details.end)}`)
  expect(text).toContain(details.instructor)
  for (const date of details.dates) expect(text).toContain(formatDate(date).slice(0, 6))
}

test(`card, details, e-mail, calendar, plan and printed list agree after any sequence of actions (SEED=${SEED})`, {
  timeout: RUNS * 20_000 + 60_000,
}, async () => {
  console.info('seed', SEED)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async steps => {
      const world = await createWorld()
      await compare(world)
      for (const next of steps) {
        const { last } = await db.one<{ last: number }>(sql`select coalesce(max(id), 0)::int as last from mails`)
        await take(world, next)
        await compare(world)
        await compareMails(world, last)
      }
      await comparePrinted(world)
      expect((await auditPortal(db)).findings.filter(finding => !/mail/.test(finding))).toEqual([])
    }),
    { numRuns: RUNS, seed: SEED },
  )
})
