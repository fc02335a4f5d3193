import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { changePresence } from '#contract/endpoints/attendance.ts'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { formatAuditResult } from '#server/commands/audit.ts'
import { loadDemoProgramme } from '#server/features/programme/demo.ts'
import { sql } from '#server/platform/db/client.ts'
import { createAccountCalls } from '#server/test/account-calls.ts'
import {
  dateFromNow,
  daysFromNow,
  insertCourse,
  insertInstructorWithSession,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { openTestDesk } from '#server/test/office.ts'
import { createTestServer, type TestServer } from '#server/test/server.ts'
import { auditPortal } from './audit.ts'
import { auditRules } from './rules.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

type Scene = { server: TestServer; number: string; booked: number; promoted: number; waiting: number; left: number }

/**
 * Inserts a course with two places whose first lesson has just begun: one person cancelled, one was promoted, one is
 * on the waiting list, and one was present.
 */
async function playScene(): Promise<Scene> {
  const server = await createTestServer()
  open.push(server.close)
  const { email, token: teacher } = await insertInstructorWithSession(server.db)
  const yesterday = dateFromNow(-1)
  const { id, number } = await insertCourse(server.db, { capacity: 2, startsOn: yesterday, instructorEmails: [email] })
  const people = await Promise.all(Array.from({ length: 4 }, () => insertUserWithSession(server.db)))
  for (const { token } of people) await server.request(bookCourse, { token, body: { id } })
  const [left, booked, promoted, waiting] = people as [
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
  ]
  await server.request(cancelCourse, { token: left.token, body: { id } })
  const lesson = await server.db.one<{ id: number }>(sql`
    select id from course_dates where course_id = ${id} order by held_at limit 1`)
  await server.db.execute(sql`update course_dates set held_at = localtimestamp where id = ${lesson.id}`)
  for (const changeState of ['added', 'deleted', 'added'] as const) {
    const body = { changeState, courseDateId: lesson.id, webUserId: booked.id, changeId: randomUUID() }
    expect((await server.request(changePresence, { token: teacher, body })).body.status).toBe('Ok')
  }
  return { server, number, booked: booked.id, promoted: promoted.id, waiting: waiting.id, left: left.id }
}

test('the audit has no findings in a portal in use or in the demo', async () => {
  const { server } = await playScene()
  const audit = await auditPortal(server.db)
  expect(audit).toEqual({
    findings: [],
    checked: { courses: 1, bookings: 4, mails: 6, presences: 1, people: 5 },
  })
  expect(formatAuditResult(audit)).toBe(
    `Nothing found: ${auditRules.length} rules hold for 1 courses, 4 bookings, 6 mails, 1 presences, 5 people.`,
  )
  const demo = await createTestServer()
  open.push(demo.close)
  await loadDemoProgramme(demo.db, { region: 'DE-NI' })
  const { findings, checked } = await auditPortal(demo.db)
  expect(findings).toEqual([])
  expect(checked.bookings).toBeGreaterThan(50)
}, 60_000)

type Tampering = { what: string; by: (scene: Scene) => ReturnType<typeof sql>[]; finds: (scene: Scene) => string[] }

const tamperings: Tampering[] = [
  {
    what: 'a count that is one too high',
    by: () => [sql`update courses set taken = taken + 1`],
    finds: ({ number }) => [`course ${number}: counts 4 bookings, there are 3`],
  },
  {
    what: 'a booking cancelled behind the portal',
    by: ({ booked }) => [sql`update bookings set cancelled_at = clock_timestamp() where web_user_id = ${booked}`],
    finds: ({ number, booked }) => [
      `course ${number}: counts 3 bookings, there are 2`,
      `course ${number}: 1 wait beside 1 free places`,
      `course ${number}, person ${booked}: 0 mails about 1 of what is called cancellation`,
    ],
  },
  {
    what: 'a booking deleted',
    by: ({ left }) => [sql`delete from bookings where web_user_id = ${left}`],
    finds: ({ number, left }) => [
      `course ${number}: bookings 1 to 1 are missing`,
      `course ${number}, person ${left}: 1 mails about 0 of what is called booking`,
      `course ${number}, person ${left}: 1 mails about 0 of what is called cancellation`,
    ],
  },
  {
    what: 'the last booking deleted',
    by: ({ waiting }) => [
      sql`delete from bookings where web_user_id = ${waiting}`,
      sql`update courses set taken = taken - 1`,
    ],
    finds: ({ number, waiting }) => [
      `course ${number}: bookings 4 to 4 are missing`,
      `course ${number}, person ${waiting}: 1 mails about 0 of what is called booking`,
    ],
  },
  {
    what: 'a number that was never given',
    by: ({ waiting }) => [sql`update bookings set seq = 7 where web_user_id = ${waiting}`],
    finds: ({ number }) => [
      `course ${number}: the last booking has the number 7, the last one given is 4`,
      `course ${number}: bookings 4 to 4 are missing`,
      `course ${number}: bookings 6 to 6 are missing`,
    ],
  },
  {
    what: 'fewer places than were given out',
    by: () => [sql`update courses set capacity = 1`],
    finds: ({ number }) => [`course ${number}: 2 places are given out of 1`],
  },
  {
    what: 'more places, and nobody moved up',
    by: () => [sql`update courses set capacity = 5`],
    finds: ({ number }) => [`course ${number}: 1 wait beside 3 free places`],
  },
  {
    what: 'a place for somebody who came later',
    by: ({ waiting, promoted }) => [
      sql`update bookings set state = 3 - state, promoted_at = null where web_user_id in (${waiting}, ${promoted})`,
    ],
    finds: ({ number, promoted }) => [
      `course ${number}: booking 3 waits, the later 4 has a place`,
      `course ${number}, person ${promoted}: 1 mails about 0 of what is called promotion`,
    ],
  },
  {
    what: 'a place taken back from somebody who moved up',
    by: ({ promoted }) => [
      sql`update bookings set state = 2 where web_user_id = ${promoted}`,
      sql`update courses set capacity = 1`,
    ],
    finds: ({ number }) => [`course ${number}: booking 3 moved up and waits`],
  },
  {
    what: 'a mail row removed',
    by: ({ waiting }) => [sql`delete from mails where web_user_id = ${waiting}`],
    finds: ({ number, waiting }) => [`course ${number}, person ${waiting}: 0 mails about 1 of what is called booking`],
  },
  {
    what: 'a mail row doubled',
    by: ({ promoted }) => [
      sql`insert into mails (web_user_id, recipient, language, kind, payload)
        select web_user_id, recipient, language, kind, payload from mails where web_user_id = ${promoted} and kind = 'promotion'`,
    ],
    finds: ({ number, promoted }) => [
      `course ${number}, person ${promoted}: 2 mails about 1 of what is called promotion`,
    ],
  },
  {
    what: 'a message removed',
    by: () => [sql`delete from inbox_items`],
    finds: ({ number, promoted }) => [
      `course ${number}, person ${promoted}: no message about the place from the waiting list`,
    ],
  },
  {
    what: 'a secret left in a mail that is out',
    by: ({ left }) => [
      sql`insert into mails (id, web_user_id, recipient, language, kind, payload, sent_at) overriding system value
        values (99, ${left}, 'kim@demo.example', 'de', 'password-reset', '{"password": "k4mt"}', clock_timestamp())`,
    ],
    finds: () => ['mail 99: holds a secret'],
  },
  {
    what: 'a tick turned',
    by: () => [sql`update attendances set is_present = false`],
    finds: ({ number, booked }) => [
      `course ${number}, person ${booked}, lesson of ${dateFromNow(0)}: absent, which is not what the newest change says`,
    ],
  },
  {
    what: 'a tick removed',
    by: () => [sql`delete from attendances`],
    finds: ({ number, booked }) => [
      `course ${number}, person ${booked}, lesson of ${dateFromNow(0)}: nothing, which is not what the newest change says`,
    ],
  },
  {
    what: 'a tick that nobody made, and one of a stranger',
    by: ({ waiting }) => [
      sql`insert into web_users (id, email) overriding system value values (999, 'fremd@demo.example')`,
      sql`insert into attendances select min(id), unnest(array[${waiting}, 999]::int[]), true, clock_timestamp() from course_dates`,
    ],
    finds: ({ number, waiting }) => [
      `course ${number}, person ${waiting}, lesson of ${dateFromNow(0)}: no change recorded the presence`,
      `course ${number}, person 999, lesson of ${dateFromNow(0)}: presence of somebody who never booked`,
    ],
  },
  {
    what: 'an account in use that nobody proved',
    by: ({ waiting }) => [sql`update web_users set confirmed_at = null where id = ${waiting}`],
    finds: ({ waiting }) => [`person ${waiting}: logged in, and the account is only claimed`],
  },
  {
    what: 'a deleted account that can still be used',
    by: ({ waiting }) => [
      sql`update web_users set deleted_at = ${daysFromNow(-1)}, confirmed_at = null where id = ${waiting}`,
      sql`insert into account_tokens values ('\\x00', ${waiting}, 'activation', null, now(), now())`,
    ],
    finds: ({ waiting }) => [`person ${waiting}: deleted, and has a session, a link, a booking`],
  },
  {
    what: 'a right pending beyond its period, and one of a deleted person',
    by: ({ waiting, left }) => [
      sql`insert into invited_rights (web_user_id, "right", invited_at) values (${waiting}, 'content', ${daysFromNow(-20)})`,
      sql`insert into invited_rights (web_user_id, "right") values (${left}, 'content')`,
      sql`update web_users set deleted_at = clock_timestamp(), confirmed_at = null where id = ${left}`,
      sql`delete from sessions where web_user_id = ${left}`,
    ],
    // People are inserted concurrently, so either id may be the lower one; findings are sorted by id.
    finds: ({ waiting, left }) => {
      const found = [
        `person ${left}: a right of an invitation is pending after the deletion`,
        `person ${waiting}: a right of an invitation is pending beyond its period`,
      ]
      return left < waiting ? found : found.reverse()
    },
  },
  {
    what: 'a deadline that counts from an earlier lesson than the e-mail named',
    by: ({ promoted }) => [
      sql`update bookings set first_lesson_on = first_lesson_on - 1 where web_user_id = ${promoted}`,
    ],
    finds: ({ number, promoted }) => [
      `course ${number}, person ${promoted}: first lesson on ${dateFromNow(6)} by e-mail, the deadline counts from ${dateFromNow(5)}`,
    ],
  },
  {
    what: 'a draft to somebody who is gone, and a message that was never sent',
    by: () => [
      sql`insert into desk_messages (state, fields) values ('draft', '{"to": "person"}')`,
      sql`insert into desk_messages (state, fields, send_at) values ('scheduled', '{"to": "course"}', localtimestamp - interval '2 days')`,
    ],
    finds: () => ['message 1: to a person who is gone', 'message 2: scheduled, and due for more than a day'],
  },
]

test.each(tamperings)('the audit finds: $what', async ({ by, finds }) => {
  const scene = await playScene()
  for (const statement of by(scene)) await scene.server.db.execute(statement)
  const audit = await auditPortal(scene.server.db)
  expect(audit.findings).toEqual(finds(scene))
  expect(formatAuditResult(audit)).toBe(finds(scene).join('\n'))
})

test('the audit has no findings after merging, also of somebody ticked present with somebody ticked absent', async () => {
  const scene = await playScene()
  const { server, booked, promoted, waiting } = scene
  const desk = await openTestDesk(server, ['owner', 'bookings'])
  const { id } = await server.db.one<{ id: number }>(sql`
    select course_date_id as id from attendances where web_user_id = ${booked}`)
  await desk.act({ kind: 'record-attendance', courseDateId: id, present: [], absent: [promoted], reason: 'Liste' })
  await desk.act({ kind: 'merge-people', webUserId: booked, intoWebUserId: promoted })
  expect((await auditPortal(server.db)).findings).toEqual([])
  const attendance = () =>
    server.db.query(sql`select web_user_id as id, is_present as present from attendances order by 1`)
  expect(await attendance()).toEqual([{ id: promoted, present: true }])
  const { email } = await server.db.one<{ email: string }>(sql`select email from web_users where id = ${promoted}`)
  const calls = createAccountCalls(server)
  expect(await calls.undo(await calls.linkTo(email, 'people-merged'))).toMatchObject({ status: 'Ok' })
  const separated = [
    { id: booked, present: true },
    { id: promoted, present: false },
  ]
  expect(await attendance()).toEqual(separated.sort((a, b) => a.id - b.id))
  expect((await auditPortal(server.db)).findings.filter(line => line.includes('lesson'))).toEqual([])
  // The remaining account may be younger than the bookings that it receives.
  const other = await insertUserWithSession(server.db)
  await desk.act({ kind: 'merge-people', webUserId: waiting, intoWebUserId: other.id })
  expect((await auditPortal(server.db)).findings).toEqual([])
})
