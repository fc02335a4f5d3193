import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { getCourseCalendar } from '#contract/endpoints/calendar.ts'
import { getCourse } from '#contract/endpoints/courses.ts'
import { readPublicCalendar } from '#contract/endpoints/feeds.ts'
import { listMessages } from '#contract/endpoints/inbox.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { formatDate } from '#contract/words.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  insertBooking,
  insertCourse,
  insertInstructor,
  insertRow,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { openTestOffice, type TestAct } from '#server/test/office.ts'

/** A long run: CHANGES=1000 npm run unit -- …; a failure prints its seed, which SEED=… takes. */
const CHANGES = Number(process.env.CHANGES ?? 20)
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))

const { server, ...office } = await openTestOffice(['programme'])

/** Days around both clock changes. */
const DAYS = ['2100-03-27', '2100-03-28', '2100-03-29', '2100-10-30', '2100-10-31', '2100-11-01']
const change = fc.record({
  kind: fc.constantFrom('move', 'move', 'cancel', 'restore', 'venue', 'room'),
  lesson: fc.nat(3),
  day: fc.constantFrom(...DAYS),
  startTime: fc.constantFrom('01:30', '03:30', '17:00', '18:00'),
  place: fc.nat(1),
})
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never

const insertRoom = async (name: string, site = ''): Promise<number> =>
  (await insertRow<{ id: number }>(server.db, 'rooms', { name, site, isShared: true })).id
const places = ['Halle 1', 'Halle 2']
const rooms = [await insertRoom('Halle 1'), await insertRoom('Halle 2')]

const toAct = ({ kind, day, startTime, place }: Change, courseDateId: number): TestAct => {
  const reason = 'so gewollt'
  if (kind === 'cancel') return { kind: 'cancel-lesson', courseDateId, reason }
  if (kind === 'restore') return { kind: 'restore-lesson', courseDateId, reason }
  if (kind === 'venue') return { kind: 'change-lesson', courseDateId, venue: places[place], reason }
  if (kind === 'room') return { kind: 'change-lesson', courseDateId, roomId: rooms[place], reason }
  return { kind: 'change-lesson', courseDateId, date: day, startTime, endTime: '23:30', reason }
}

const inBerlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' })
const pad = (value: number) => String(value).padStart(2, '0')
const momentOf = ({ year, month, day, hour, minute }: DateTimeValue) =>
  `${year}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}`

type Entry = { at: string; status: string; sequence: number; where: string }
/** Entries as a calendar client reads them, with the time in the portal's time zone. */
function read(text: string): Map<string, Entry> {
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  return new Map(
    events.map(component => {
      const event = new ICAL.Event(component)
      const status = String(component.getFirstPropertyValue('status'))
      const at = inBerlin.format(event.startDate.toJSDate())
      return [event.uid, { at, status, sequence: event.sequence, where: event.location }]
    }),
  )
}

test(`after each of ${CHANGES} office changes, calendar, app, messages and e-mails agree`, {
  timeout: CHANGES * 1_000 + 60_000,
}, async () => {
  const { email } = await insertInstructor(server.db)
  const dates = DAYS.filter((_, index) => index !== 2 && index !== 5).map(day => `${day} 18:00`)
  const when = { startsOn: '2100-03-27', endsOn: '2100-10-31', dates, hasOwnDates: true }
  const course = await insertCourse(server.db, { ...when, venue: 'Halle 0', instructorEmails: [email] })
  const person = await insertUserWithSession(server.db)
  await insertBooking(server.db, course.id, person.id)
  const lessons = await server.db.query<{ id: number }>(sql`
    select id from course_dates where course_id = ${course.id} order by id`)
  const params = { id: course.id }
  const { token } = person
  // As a client that replaces its entries only by newer ones.
  const kept = new Map<string, Entry>()
  const synchronise = async () => {
    const { body } = await server.request(getCourseCalendar, { params, token })
    for (const [uid, entry] of read(Buffer.from(body).toString())) {
      const old = kept.get(uid)
      if (!old || entry.sequence > old.sequence) kept.set(uid, entry)
      else expect(entry).toEqual(old)
    }
  }
  let done = 0
  const take = async (next: Change) => {
    const before = (await server.request(listMessages, { token })).body
    const keptBefore = JSON.stringify([...kept])
    const { consequences } = await office.act(toAct(next, lessons[next.lesson]?.id ?? 0))
    await synchronise()
    const isDone = JSON.stringify([...kept]) !== keptBefore
    if (isDone) done += 1
    expect(consequences.messages, 'what the calendar takes over is told').toBeGreaterThanOrEqual(Number(isDone))
    const shown = (await server.request(getCourse, { params, token })).body
    const entries = [...kept.values()]
    const momentsOf = (status: string) => entries.filter(entry => entry.status === status).map(({ at }) => at)
    expect(momentsOf('CONFIRMED').sort()).toEqual(shown.dates.map(momentOf).sort())
    expect(momentsOf('CANCELLED').sort()).toEqual(
      shown.changes
        .filter(({ kind }) => kind === 'cancelled')
        .map(({ at }) => momentOf(at))
        .sort(),
    )
    for (const { at, to } of shown.changes.filter(({ kind }) => kind === 'room'))
      expect(entries.find(entry => entry.at === momentOf(at))?.where).toBe(to)
    const messages = (await server.request(listMessages, { token })).body
    expect(messages.length - before.length, 'told once').toBe(consequences.messages)
    const mails = await server.db.query<{ title: string; text: string }>(sql`
      select payload -> 'de' ->> 'title' as title, payload -> 'de' ->> 'paragraphs' as text
      from mails where web_user_id = ${person.id} and kind like 'notice%' order by id desc`)
    expect(mails.length, 'by e-mail as in the messages').toBe(messages.length)
    expect(mails[0]?.title).toBe(messages[0]?.title)
    if (isDone && next.kind === 'move') {
      const [year = 0, month = 0, day = 0] = next.day.split('-').map(Number)
      expect(mails[0]?.text).toContain(formatDate({ year, month, day }).slice(0, 6))
    }
  }
  await synchronise()
  const changes = fc.sample(change, { numRuns: CHANGES, seed: SEED })
  for (const [index, next] of changes.entries())
    await take(next).catch(error => {
      throw new Error(`seed ${SEED}, change ${index}: ${JSON.stringify(next)}`, { cause: error })
    })
  expect(done).toBeGreaterThan(CHANGES / 4)
})

test("a lesson's own room and its site are its place in calendars, also after the room was renamed", async () => {
  const course = await insertCourse(server.db, { venue: 'Halle 0', city: 'Salzstadt', location: 'Tor 4' })
  const person = await insertUserWithSession(server.db)
  await insertBooking(server.db, course.id, person.id)
  const { id: courseDateId } = await server.db.one<{ id: number }>(sql`
    select id from course_dates where course_id = ${course.id} order by held_at limit 1`)
  const roomId = await insertRoom('Becken', 'Lindhafen')
  const look = async () => {
    const own = await server.request(getCourseCalendar, { params: { id: course.id }, token: person.token })
    const open = await server.request(readPublicCalendar, { params: { file: `course-${course.id}.ics` } })
    return [own, open].map(({ body }) => {
      const entry = read(Buffer.from(body).toString()).values().next().value
      return { where: entry?.where, sequence: entry?.sequence ?? 0 }
    })
  }
  let earlier = await look()
  for (const [act, where] of [
    [{ kind: 'change-lesson', courseDateId, roomId }, 'Becken, Lindhafen'],
    [{ kind: 'save-room', roomId, name: 'Bad' }, 'Bad, Lindhafen'],
    [{ kind: 'save-room', roomId, site: 'Neuhafen' }, 'Bad, Neuhafen'],
    [{ kind: 'change-lesson', courseDateId, venue: 'Wiese' }, 'Wiese, Salzstadt'],
    [{ kind: 'change-lesson', courseDateId, roomId }, 'Bad, Neuhafen'],
    [{ kind: 'change-lesson', courseDateId, roomId: null }, 'Halle 0, Tor 4, Salzstadt'],
  ] as const) {
    expect(await office.act({ ...act, reason: 'so gewollt' })).toMatchObject({ status: 'Ok' })
    const shown = await look()
    expect(shown.map(entry => entry.where)).toEqual([where, where])
    for (const [index, { sequence }] of shown.entries()) expect(sequence).toBeGreaterThan(earlier[index]?.sequence ?? 0)
    earlier = shown
  }
})

test('a lesson that is moved behind its own end has the usual duration everywhere', async () => {
  const course = await insertCourse(server.db)
  const { id: courseDateId, day } = await server.db.one<{ id: number; day: string }>(sql`
    select id, held_at::date as day from course_dates where course_id = ${course.id} order by held_at limit 1`)
  for (const times of [{ startTime: '17:00', endTime: '17:30' }, { startTime: '19:00' }])
    await office.act({ kind: 'change-lesson', courseDateId, ...times, reason: 'so gewollt' })
  const { body } = await server.request(readPublicCalendar, { params: { file: `course-${course.id}.ics` } })
  const [event] = new ICAL.Component(ICAL.parse(Buffer.from(body).toString())).getAllSubcomponents('vevent')
  if (!event) throw new Error('no event')
  const { startDate, endDate } = new ICAL.Event(event)
  expect([startDate, endDate].map(at => inBerlin.format(at.toJSDate()))).toEqual([`${day} 19:00`, `${day} 20:00`])
})
