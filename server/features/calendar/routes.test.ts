import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { createFeed, endFeed, getCourseCalendar, getFeed, readFeed } from '#contract/endpoints/calendar.ts'
import { followThing } from '#contract/endpoints/reminders.ts'
import type { Language } from '#contract/values.ts'
import { createApp } from '#server/app.ts'
import { sql } from '#server/platform/db/client.ts'
import { createLog } from '#server/platform/observability/log.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCourse,
  insertInstructor,
  insertSeason,
  insertUserWithSession,
  updateCourse,
} from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'
import { insertTaughtCourse } from '#server/test/taught-course.ts'

const server = await openTestServer({ publicUrl: 'https://sport.example.com' })

type Person = { id: number; token: string }

/** Entries of a calendar as a client reads them, with their titles. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map(component => {
    const event = new ICAL.Event(component)
    const value = (name: string) => String(component.getFirstPropertyValue(name) ?? '')
    return {
      uid: event.uid,
      title: event.summary,
      where: event.location,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      sequence: event.sequence,
      status: value('status'),
      stamp: value('dtstamp'),
      text: component.toString(),
    }
  })
}

const makeFeed = async ({ token }: Person) => (await server.request(createFeed, { token })).body.url
const fetchFeed = (url: string, headers: Record<string, string> = {}) =>
  server.app.request(url.replace('https://sport.example.com', ''), { headers })
const readFeedOf = async (person: Person) => read(await (await fetchFeed(await makeFeed(person))).text())
const fetchCourse = async ({ token }: Person, id: number, language: Language = 'de') => {
  const { status, headers, body } = await server.request(getCourseCalendar, { params: { id }, token, language })
  const text = status === 200 ? Buffer.from(body).toString() : ''
  return { status, headers, text, events: text === '' ? [] : read(text) }
}

test('a booked course is a file with all its lessons, correct before and after a clock change', async () => {
  const dates = ['2100-03-27 18:00', '2100-03-28 18:00', '2100-10-30 18:00', '2100-10-31 18:00']
  const course = await insertCourse(server.db, { dates, name: 'Rückenfit', venue: 'Halle 1', endsOn: '2100-10-31' })
  const person = await insertUserWithSession(server.db)
  await insertBooking(server.db, course.id, person.id)
  const { status, headers, text, events } = await fetchCourse(person, course.id)
  expect(status).toBe(200)
  expect(headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
  expect(text).toMatch(/\r\nEND:VCALENDAR\r\n$/)
  expect(headers.get('Content-Disposition')).toContain('R%C3%BCckenfit.ics')
  expect(events.map(({ start, end }) => [start, end])).toEqual([
    ['2100-03-27T17:00:00.000Z', '2100-03-27T18:00:00.000Z'],
    ['2100-03-28T16:00:00.000Z', '2100-03-28T17:00:00.000Z'],
    ['2100-10-30T16:00:00.000Z', '2100-10-30T17:00:00.000Z'],
    ['2100-10-31T17:00:00.000Z', '2100-10-31T18:00:00.000Z'],
  ])
  expect(events[0]).toMatchObject({ title: 'Rückenfit', where: 'Halle 1', status: 'CONFIRMED', sequence: 2 })
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(4)
})

test('lessons are tentative on the waiting list and confirmed once booked', async () => {
  const course = await insertCourse(server.db, { capacity: 1, meetingUrl: 'https://meet.example/geheim' })
  const first = await insertUserWithSession(server.db)
  const waiting = await insertUserWithSession(server.db)
  await insertBooking(server.db, course.id, first.id)
  await insertBooking(server.db, course.id, waiting.id)
  const before = (await fetchCourse(waiting, course.id)).events
  expect(before.map(({ status }) => status)).toEqual(['TENTATIVE', 'TENTATIVE', 'TENTATIVE'])
  expect(JSON.stringify(before)).not.toContain('geheim')
  await server.db.execute(sql`
    update bookings set state = 1, promoted_at = now() where web_user_id = ${waiting.id}`)
  const after = (await fetchCourse(waiting, course.id)).events
  expect(after.map(({ uid }) => uid)).toEqual(before.map(({ uid }) => uid))
  expect(after[0]).toMatchObject({ status: 'CONFIRMED', where: 'https://meet.example/geheim' })
  expect(after[0]?.sequence).toBeGreaterThan(before[0]?.sequence ?? 99)
})

test("events keep their UIDs when the portal's URL changes", async () => {
  const course = await insertCourse(server.db)
  const person = await insertUserWithSession(server.db)
  await insertBooking(server.db, course.id, person.id)
  const before = (await fetchCourse(person, course.id)).events
  const config = { ...server.context.config, publicUrl: 'https://new.example.com' }
  const moved = createApp({ ...server.context, config }).app
  const headers = { SessionToken: person.token }
  const after = read(await (await moved.request(`/api/course/${course.id}/calendar.ics`, { headers })).text())
  expect(after[0]?.text).toContain('https://new.example.com')
  expect(after.map(({ uid }) => uid)).toEqual(before.map(({ uid }) => uid))
})

test('the file is available only to participants and instructors of the course', async () => {
  const course = await insertTaughtCourse(server.db)
  const stranger = await insertUserWithSession(server.db)
  expect((await fetchCourse(course.teacher, course.id)).events).toHaveLength(3)
  expect((await fetchCourse(stranger, course.id)).status).toBe(403)
  await insertBooking(server.db, course.id, stranger.id, { cancelledAt: new Date() })
  expect((await fetchCourse(stranger, course.id)).status).toBe(403)
})

test('the feed contains booked, waiting-list and taught lessons and followed booking openings, and no other names', async () => {
  const { email } = await insertInstructor(server.db, { familyName: 'Kursleiterin' })
  const person = await insertUserWithSession(server.db, { email, familyName: 'Eigenname', language: 'en' })
  const other = await insertUserWithSession(server.db, { familyName: 'Geheimnis' })
  const booked = await insertCourse(server.db, { name2: 'Booked' })
  const full = await insertCourse(server.db, { name2: 'Full', capacity: 1 })
  const taught = await insertCourse(server.db, { name2: 'Taught', instructorEmails: [email] })
  for (const { id } of [booked, full, taught]) await insertBooking(server.db, id, other.id)
  for (const { id } of [booked, full]) await insertBooking(server.db, id, person.id)
  const opensAt = daysFromNow(3)
  const season = await insertSeason(server.db, { name2: 'Spring', bookableFrom: opensAt })
  await insertCourse(server.db, { seasonId: season.id })
  await server.request(followThing, { token: person.token, body: { kind: 'season', id: season.id } })
  const events = await readFeedOf(person)
  const titles = Object.groupBy(events, ({ title }) => title)
  expect(Object.fromEntries(Object.entries(titles).map(([title, list]) => [title, list?.length]))).toEqual({
    Booked: 3,
    'Full (waiting list)': 3,
    Taught: 3,
    'Booking opens: Spring': 1,
  })
  expect(titles['Booking opens: Spring']?.[0]?.start.slice(0, 19)).toBe(opensAt.toISOString().slice(0, 19))
  expect(JSON.stringify(events)).not.toMatch(/Geheimnis|Eigenname|Kursleiterin|@demo/)
})

test('the feed URL is shown again, is replaced by a new one, and its token is neither stored nor logged', async () => {
  const lines: string[] = []
  const { app } = createApp({ ...server.context, log: createLog('debug', { write: line => void lines.push(line) }) })
  const person = await insertUserWithSession(server.db)
  expect((await server.request(getFeed, { token: person.token })).body).toEqual({ url: '' })
  const url = await makeFeed(person)
  expect(url).toMatch(/^https:\/\/sport\.example\.com\/api\/calendar\/[\w-]{43}\.ics$/)
  expect((await server.request(getFeed, { token: person.token })).body).toEqual({ url })
  const path = new URL(url).pathname
  expect((await app.request(path)).status).toBe(200)
  const token = path.slice(-47, -4)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join()).not.toContain(token)
  const stored = await server.db.query(sql`select nonce::text, token_hash::text from calendar_feeds`)
  expect(JSON.stringify(stored)).not.toContain(Buffer.from(token, 'base64url').toString('hex'))

  const second = await makeFeed(person)
  expect([(await fetchFeed(url)).status, (await fetchFeed(second)).status]).toEqual([404, 200])
  expect((await server.request(endFeed, { token: person.token })).body).toEqual({ url: '' })
  expect((await fetchFeed(second)).status).toBe(404)
  expect((await server.request(getFeed, { token: person.token })).body).toEqual({ url: '' })
})

test('the feed of a locked account is 404, and guessing tokens is limited', async () => {
  const person = await insertUserWithSession(server.db)
  const url = await makeFeed(person)
  await server.db.execute(sql`update web_users set locked_at = now() where id = ${person.id}`)
  expect((await fetchFeed(url)).status).toBe(404)
  const guess = () => server.request(readFeed, { params: { file: `${'a'.repeat(43)}.ics` } })
  const statuses = []
  for (let count = 0; count < 70; count += 1) statuses.push((await guess()).status)
  expect(statuses.at(-1)).toBe(429)
})

test('an unchanged feed is 304', async () => {
  const course = await insertCourse(server.db)
  const person = await insertUserWithSession(server.db)
  await insertBooking(server.db, course.id, person.id)
  const url = await makeFeed(person)
  const tag = (await fetchFeed(url)).headers.get('ETag') ?? ''
  const again = () => fetchFeed(url, { 'If-None-Match': tag })
  expect([(await again()).status, await (await again()).text()]).toEqual([304, ''])
  await insertBooking(server.db, course.id, (await insertUserWithSession(server.db)).id)
  expect((await again()).status).toBe(304)
  await updateCourse(server.db, course.id, { venue: 'Halle 9' })
  expect((await again()).status).toBe(200)
})

/** Possible changes to the lessons of a course. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('move' as const), lesson: fc.nat(5), days: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constant('remove' as const), lesson: fc.nat(5) }),
  fc.record({ kind: fc.constant('add' as const), days: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constant('rename' as const), name: fc.constantFrom('Yoga', 'Pilates', 'Rücken, Fit; "neu"\n') }),
  fc.record({ kind: fc.constant('hours' as const), endTime: fc.constantFrom('19:00', '19:30', '21:15') }),
)

test('a client that keeps the newest version of each entry shows the programme', { timeout: 120_000 }, async () => {
  const heldAt = (days: number) => `${dateFromNow(days)} 18:00`
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async changes => {
      const course = await insertCourse(server.db, { dates: [heldAt(400), heldAt(407), heldAt(414)] })
      const person = await insertUserWithSession(server.db)
      await insertBooking(server.db, course.id, person.id)
      // As a client that replaces its entries only by newer ones.
      const kept = new Map<string, ReturnType<typeof read>[number]>()
      const synchronise = async () => {
        for (const event of (await fetchCourse(person, course.id)).events) {
          const old = kept.get(event.uid)
          if (!old || event.sequence > old.sequence) kept.set(event.uid, event)
          else expect(event).toEqual(old)
        }
      }
      await synchronise()
      const { db } = server
      const nth = (lesson: number) => sql`(
        select id from course_dates where course_id = ${course.id} order by id offset ${lesson} limit 1)`
      for (const step of changes) {
        if (step.kind === 'move')
          await db.execute(sql`
            update course_dates set held_at = ${heldAt(step.days)}::timestamp where id = ${nth(step.lesson)}
              and not exists (select from course_dates where course_id = ${course.id} and held_at = ${heldAt(step.days)}::timestamp)`)
        if (step.kind === 'remove') await db.execute(sql`delete from course_dates where id = ${nth(step.lesson)}`)
        if (step.kind === 'add')
          await db.execute(sql`
            insert into course_dates (course_id, held_at) values (${course.id}, ${heldAt(step.days)}) on conflict do nothing`)
        if (step.kind === 'rename')
          await db.execute(sql`update courses set name = ${step.name} where id = ${course.id}`)
        if (step.kind === 'hours')
          await db.execute(sql`update courses set end_time = ${step.endTime}::time where id = ${course.id}`)
        await synchronise()
      }
      const lessons = await db.query<{ start: Date; name: string; end: Date }>(sql`
        select d.held_at::timestamptz as start, (d.held_at + (c.end_time - c.start_time))::timestamptz as end, c.name
        from course_dates d join courses c on c.id = d.course_id where c.id = ${course.id} order by d.held_at`)
      const shown = [...kept.values()].filter(({ status }) => status === 'CONFIRMED')
      expect(shown.map(({ start, end, title }) => [start, end, title]).sort()).toEqual(
        lessons.map(({ start, end, name }) => [start.toISOString(), end.toISOString(), name]).sort(),
      )
    }),
    { numRuns: 15 },
  )
})

test('calendars reflect changed, cancelled and reassigned lessons and cancelled courses', async () => {
  const [regular, substitute] = [await insertInstructor(server.db), await insertInstructor(server.db)]
  const teacher = await insertUserWithSession(server.db, { email: regular.email })
  const other = await insertUserWithSession(server.db, { email: substitute.email })
  const course = await insertCourse(server.db, { instructorEmails: [regular.email] })
  const person = await insertUserWithSession(server.db)
  await insertBooking(server.db, course.id, person.id)
  const before = (await fetchCourse(person, course.id)).events
  const nth = (lesson: number) => sql`(
    select id from course_dates where course_id = ${course.id} order by id offset ${lesson} limit 1)`
  await server.db.execute(sql`
    update course_dates set venue = 'Halle 7', ends_at = '20:15', instructor_email = ${substitute.email} where id = ${nth(0)}`)
  await server.db.execute(sql`update course_dates set state = 'cancelled' where id = ${nth(1)}`)
  const changed = (await fetchCourse(person, course.id)).events
  const raisedFrom = (old: typeof before, now: typeof before) =>
    now.map(({ uid, sequence }, index) => uid === old[index]?.uid && sequence > (old[index]?.sequence ?? 0))
  expect(raisedFrom(before, changed)).toEqual([true, true, false])
  expect(changed[2]).toEqual(before[2])
  expect(changed.map(({ status }) => status)).toEqual(['CONFIRMED', 'CANCELLED', 'CONFIRMED'])
  // Some programs show a cancelled event like any other.
  expect(changed.map(({ title }) => title.startsWith('Entfällt: '))).toEqual([false, true, false])
  expect(changed[0]?.where).toBe('Halle 7')
  expect(Date.parse(changed[0]?.end ?? '') - Date.parse(changed[0]?.start ?? '')).toBe(135 * 60_000)
  expect((await fetchCourse(teacher, course.id)).events.map(({ uid }) => uid)).toEqual([before[1]?.uid, before[2]?.uid])
  expect((await fetchCourse(other, course.id)).events.map(({ uid }) => uid)).toEqual([before[0]?.uid])

  await server.db.execute(sql`update course_dates set state = 'planned' where id = ${nth(1)}`)
  const restored = (await fetchCourse(person, course.id)).events
  expect(restored[1]).toMatchObject({ status: 'CONFIRMED' })
  expect(raisedFrom(changed, restored)).toEqual([false, true, false])
  await server.db.execute(sql`update courses set cancelled_at = now() where id = ${course.id}`)
  await server.db.execute(sql`update bookings set cancelled_at = now() where course_id = ${course.id}`)
  const ended = (await fetchCourse(person, course.id)).events
  expect(ended.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED'])
  expect(raisedFrom(restored, ended)).toEqual([true, true, true])
})

test('an event changes only with what its reader sees, and each later change has a higher SEQUENCE in both languages', async () => {
  const course = await insertCourse(server.db, { name2: 'Back fitness', location2: 'Yard' })
  const person = await insertUserWithSession(server.db)
  await insertBooking(server.db, course.id, person.id)
  await server.db.execute(sql`
    update course_dates set ends_at = '23:00', venue = 'Halle 9'
    where id = (select min(id) from course_dates where course_id = ${course.id})`)
  const events = async () => {
    const [de, en] = [await fetchCourse(person, course.id), await fetchCourse(person, course.id, 'en')]
    return { de: de.events, en: en.events }
  }
  let before = await events()
  const change = async (fragment: ReturnType<typeof sql>, expected: { de: boolean[]; en: boolean[] }) => {
    await server.db.execute(fragment)
    const after = await events()
    const highest = Math.max(...[...before.de, ...before.en].map(({ sequence }) => sequence))
    for (const language of ['de', 'en'] as const)
      for (const [index, event] of after[language].entries()) {
        if (expected[language][index]) expect(event.sequence).toBeGreaterThan(highest)
        else expect(event, `${language} ${index}`).toEqual(before[language][index])
      }
    before = after
  }
  const [all, none, others] = [
    [true, true, true],
    [false, false, false],
    [false, true, true],
  ]
  const own = sql`where id = ${course.id}`
  await change(sql`update courses set name2 = 'Strong back' ${own}`, { de: none, en: all })
  await change(sql`update courses set location2 = 'Gate' ${own}`, { de: none, en: all })
  await change(sql`update courses set name = 'Starker Rücken' ${own}`, { de: all, en: none })
  await change(sql`update courses set name2 = '' ${own}`, { de: none, en: all })
  await change(sql`update courses set name = 'Rücken' ${own}`, { de: all, en: all })
  await change(sql`update courses set end_time = end_time + interval '15 minutes' ${own}`, { de: others, en: others })
  await change(sql`update courses set venue = 'Halle 8' ${own}`, { de: others, en: others })
  const reminded = sql`update course_dates set reminded_at = now(), note = 'Matte' where course_id = ${course.id}`
  await change(reminded, { de: none, en: none })
})

test('a course in a hall with an online meeting names the hall, the link, the ID and the code', async () => {
  const course = await insertCourse(server.db, { venue: 'Halle 2', meetingUrl: 'https://meet.example/abc' })
  await server.db.execute(
    sql`update courses set meeting_id = '123 456', meeting_code = 'geheim' where id = ${course.id}`,
  )
  const person = await insertUserWithSession(server.db)
  await insertBooking(server.db, course.id, person.id)
  const [event] = (await fetchCourse(person, course.id)).events
  expect(event?.where).toContain('Halle 2')
  const text = event?.text.replaceAll('\r\n ', '')
  for (const part of ['https://meet.example/abc', 'Meeting-ID: 123 456', 'Kenncode: geheim'])
    expect(text).toContain(part)
})

test('the feed of an instructor with an absence has no METHOD and stays the same', async () => {
  const { email } = await insertInstructor(server.db)
  const person = await insertUserWithSession(server.db, { email })
  await server.db.execute(
    sql`insert into absences (instructor_email, starts_on, ends_on) values (${email}, '2100-01-04', '2100-01-08')`,
  )
  const url = await makeFeed(person)
  const first = await fetchFeed(url)
  const text = await first.text()
  expect(text).toContain('Abwesend')
  expect(text).not.toContain('METHOD')
  await new Promise(resolve => setTimeout(resolve, 1_100))
  const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
  expect((await fetchFeed(url, headers)).status).toBe(304)
})
