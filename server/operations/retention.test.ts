// Fixed dates: the clock is an argument of the job.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { formatRetentionTable } from '#server/commands/retention.ts'
import { unlinkLedgerAccountsOfPerson } from '#server/features/money/ledger-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import {
  insertBooking,
  insertCourse,
  insertInstructor,
  insertRow,
  insertSession,
  insertTick,
  insertWebUser,
} from '#server/test/factories.ts'
import { insertInvoice, insertOwed, insertProof } from '#server/test/money-scene.ts'
import { auditPortal } from './audit/audit.ts'
import { runRetention } from './retention.ts'
import { retentionRules } from './retention-rules.ts'

const database = await openTestDatabase()
const { db } = database

const NOW = new Date('2026-11-21T12:00:00Z')
beforeEach(() =>
  db.execute(sql`truncate web_users, outbox, throttle_events, sessions, account_tokens, bookings, instructors, attendances,
    attendance_changes, course_instructors, billing_records, inbox_items, office_files restart identity cascade`),
)

const confirmedAt = new Date('2010-01-01T00:00:00Z')
let courseId = 0

async function insertParticipant(bookedAt: Date, values = {}) {
  const { id } = await insertWebUser(db, { confirmedAt, createdAt: '2010-01-01', ...values })
  courseId = (await insertCourse(db)).id
  await insertBooking(db, courseId, id, { bookedAt })
  return id
}
/** Inserts a person whose account is kept. @returns the person's id */
const insertPerson = async () => (await insertWebUser(db, { createdAt: NOW })).id
const insertMailAt = (createdAt: Date) =>
  db.execute(sql`
    insert into mails (recipient, language, kind, created_at, sent_at)
    values ('a@demo.example', 'de', 'password-reset', ${createdAt}, ${createdAt})`)

/** Limits: the timestamp before which data is deleted, how to insert data of a given age, and how to find it. */
const limits: {
  what: string
  limit: string
  insert(at: Date): Promise<unknown>
  isThere(db: Queryable): Promise<boolean>
}[] = [
  {
    what: 'registrations that nobody activated',
    limit: '2026-11-07T12:00:00Z',
    insert: createdAt => insertWebUser(db, { confirmedAt: null, createdAt }),
    isThere: exists('web_users'),
  },
  {
    what: 'rights of invited people who have not logged in',
    limit: '2026-11-07T12:00:00Z',
    insert: async at =>
      db.execute(sql`
        insert into invited_rights (web_user_id, "right", invited_at) values (${await insertPerson()}, 'content', ${at})`),
    isThere: exists('invited_rights'),
  },
  {
    what: 'accounts that were merged into another one',
    limit: '2026-11-14T12:00:00Z',
    insert: deletedAt => insertWebUser(db, { email: 'merged 1', deletedAt }),
    isThere: exists('web_users'),
  },
  {
    what: 'accounts without a booking',
    limit: '2024-11-21T12:00:00Z',
    insert: createdAt => insertWebUser(db, { confirmedAt, createdAt }),
    isThere: exists('web_users'),
  },
  {
    what: 'past participants, with their bookings and attendance',
    limit: '2016-11-21T12:00:00Z',
    insert: insertParticipant,
    isThere: exists('web_users'),
  },
  {
    what: 'records of what deleted accounts paid for',
    // midnight in the portal's zone
    limit: '2026-11-21T23:00:00Z',
    insert: endsOn =>
      db.execute(sql`
        insert into billing_records (name, street, zip, city, course_number, amount_cents, booked_on, ends_on)
        values ('Kim Muster', 'Lindenallee 27', '38226', 'Salzstadt', 'C1', 4050, '2016-11-22', ${endsOn}::timestamptz::date)`),
    isThere: exists('billing_records'),
  },
  {
    what: 'invoices without their amounts, payroll files, and reasons of entries',
    // end of the year in the portal's zone
    limit: '2015-12-31T22:59:59.999Z',
    insert: async closedAt => {
      const { id } = await insertRow<{ id: number }>(db, 'batches', {
        kind: 'payroll',
        closedAt,
        sha256: Buffer.alloc(32),
      })
      await insertRow(db, 'batch_files', { batchId: id, format: 'csv', content: Buffer.from('00123') })
    },
    isThere: exists('batch_files', 'batch_id = (select max(id) from batches)'),
  },
  {
    what: 'IBANs that no payment order used',
    limit: '2026-09-22T11:00:00Z',
    insert: async enteredAt =>
      insertRow(db, 'payout_accounts', { webUserId: await insertPerson(), iban: 'DE89370400440532013000', enteredAt }),
    isThere: exists('payout_accounts'),
  },
  {
    what: 'payment orders for refunds that the bank has not answered',
    limit: '2026-09-22T11:00:00Z',
    insert: async closedAt => {
      const { id } = await insertRow<{ id: number }>(db, 'batches', {
        kind: 'refund',
        closedAt,
        sha256: Buffer.alloc(32),
      })
      await insertRow(db, 'batch_files', { batchId: id, format: 'xml', content: Buffer.from('<IBAN>') })
    },
    // Batches of other tests remain, because they are append-only.
    isThere: exists('batch_files', 'batch_id = (select max(id) from batches)'),
  },
  {
    what: 'absences of instructors',
    // midnight in the portal's zone
    limit: '2026-09-25T22:00:00Z',
    insert: async endsOn => {
      const { email } = await insertInstructor(db)
      await db.execute(sql`
        insert into absences (instructor_email, starts_on, ends_on) values (${email}, '2026-09-01', ${endsOn}::timestamptz::date)`)
    },
    isThere: exists('absences'),
  },
  {
    what: 'requests to be a substitute',
    limit: '2026-09-25T22:00:00Z',
    insert: async endsAt => {
      const { email } = await insertInstructor(db)
      await db.execute(sql`
        insert into substitute_invitations (instructor_email, ends_at) values (${email}, ${endsAt}::timestamptz::timestamp)`)
    },
    isThere: exists('substitute_invitations'),
  },
  {
    what: 'files of proofs',
    limit: '2026-10-24T11:00:00Z',
    insert: async decidedAt => {
      const { id } = await insertWebUser(db, { confirmedAt })
      await insertProof(db, id, { state: 'accepted', decidedAt })
    },
    isThere: async () => (await db.query(sql`select from proofs where content is not null`)).length > 0,
  },
  {
    what: 'proofs on which nobody decided',
    limit: '2026-10-10T11:00:00Z',
    insert: async createdAt => insertProof(db, (await insertWebUser(db, { confirmedAt })).id, { createdAt }),
    isThere: exists('proofs', "state = 'open'"),
  },
  {
    what: 'messages, with their documents',
    limit: '2024-11-21T12:00:00Z',
    async insert(createdAt) {
      const id = await insertPerson()
      await db.execute(sql`
        insert into inbox_items (web_user_id, created_at, title) values (${id}, ${createdAt}, 'Willkommen')`)
    },
    isThere: exists('inbox_items'),
  },
  {
    what: 'unsent messages to one person',
    limit: '2024-11-21T12:00:00Z',
    async insert(changedAt) {
      const id = await insertPerson()
      await db.execute(sql`
        insert into desk_messages (state, fields, person_id, changed_at) values ('draft', '{"to":"person"}', ${id}, ${changedAt})`)
    },
    isThere: exists('desk_messages'),
  },
  {
    what: 'contact data: mails with their recipients',
    // 13:00 in summer time
    limit: '2026-05-21T11:00:00Z',
    insert: async createdAt => {
      await insertMailAt(createdAt)
      const id = await insertPerson()
      await db.execute(sql`update mails set web_user_id = ${id}`)
    },
    isThere: exists('mails'),
  },
  {
    what: 'webhook calls',
    limit: '2026-10-22T11:00:00Z',
    insert: createdAt =>
      db.execute(sql`
        with webhook as (
          insert into webhooks (name, url, secret, kinds) values ('payroll', 'https://payroll.example', 'x', '{}') returning id
        )
        insert into outbox (channel, kind, webhook_id, event_id, about, created_at)
        select 'webhook', 'booking', id, gen_random_uuid(), 'x', ${createdAt} from webhook`),
    isThere: exists('outbox'),
  },
  {
    what: 'who looked at whose data',
    limit: '2025-11-21T12:00:00Z',
    insert: async readAt =>
      insertRow(db, 'office_reads', {
        reader: 'bookings',
        webUserId: await insertPerson(),
        call: 'listPeople',
        readAt,
      }),
    isThere: exists('office_reads'),
  },
  {
    what: 'uploads that nothing used, what passkeys had to sign, refused company logins, and ids of acts that nobody sends again',
    limit: '2026-11-20T12:00:00Z',
    insert: createdAt =>
      db.execute(sql`
        insert into office_files ("right", name, media_type, content, created_at)
        values ('content', 'a.png', 'image/png', 'x', ${createdAt})`),
    isThere: exists('office_files'),
  },
  {
    what: 'mails of accounts that are gone',
    limit: '2026-11-14T12:00:00Z',
    insert: insertMailAt,
    isThere: exists('mails'),
  },
  {
    what: 'people at the door of a lesson who were not on its list',
    limit: '2026-09-26T11:00:00Z',
    insert: async closesAt => {
      const course = await insertCourse(db)
      await db.execute(sql`update courses set closes_at = ${closesAt} where id = ${course.id}`)
      await db.execute(sql`
        insert into door_guests (id, course_date_id, name)
        select gen_random_uuid(), id, 'Jo Gast' from course_dates where course_id = ${course.id} limit 1`)
    },
    isThere: exists('door_guests'),
  },
  {
    what: 'times of recorded attendance, of which the day stays',
    limit: '2026-11-06T23:00:00Z',
    insert: async changedAt => {
      const id = await insertPerson()
      const course = await insertCourse(db)
      await db.execute(sql`
        insert into attendances select id, ${id}, true, ${changedAt} from course_dates where course_id = ${course.id} limit 1`)
    },
    isThere: exists('attendances', "changed_at::time <> '23:59:59.999999'"),
  },
  {
    what: 'failures and requests with their network addresses',
    limit: '2026-11-14T12:00:00Z',
    insert: happenedAt =>
      insertRow(db, 'throttle_events', { kind: 'login', subject: 'a', address: '192.0.2.1', happenedAt }),
    isThere: exists('throttle_events'),
  },
  {
    what: 'sessions',
    limit: NOW.toISOString(),
    insert: async expiresAt => insertSession(db, await insertPerson(), { expiresAt }),
    isThere: exists('sessions'),
  },
  {
    what: 'browsers known from a login',
    limit: '2025-10-17T11:00:00Z',
    insert: async lastUsedAt =>
      insertRow(db, 'known_devices', { tokenHash: 'x', webUserId: await insertPerson(), lastUsedAt }),
    isThere: exists('known_devices'),
  },
  {
    what: 'mailed links',
    limit: NOW.toISOString(),
    insert: async expiresAt => {
      const webUserId = await insertPerson()
      return insertRow(db, 'account_tokens', { tokenHash: 'x', webUserId, purpose: 'activation', expiresAt })
    },
    isThere: exists('account_tokens'),
  },
  {
    what: 'mailed passwords',
    limit: NOW.toISOString(),
    insert: resetExpiresAt => insertWebUser(db, { createdAt: NOW, resetPasswordHash: 'x', resetExpiresAt }),
    isThere: exists('web_users', 'reset_password_hash is not null'),
  },
]

function exists(table: string, condition = 'true') {
  return async (queryable: Queryable) =>
    (
      await queryable.one<{ is: boolean }>(
        sql`select exists (select from ${sql.raw(table)} where ${sql.raw(condition)}) as is`,
      )
    ).is
}

const rowsOf = async (what: string, isDryRun = false) =>
  (await runRetention({ db, now: NOW, isDryRun }))?.find(row => row.what === what)?.rows

test('every rule has a test of its limit', () => {
  expect(limits.map(({ what }) => what)).toEqual(retentionRules.map(({ what }) => what))
})

describe.each(limits)('$what', ({ what, limit, insert, isThere }) => {
  test('are kept until one second before the limit', async () => {
    await insert(new Date(Date.parse(limit) + 1000))
    for (const _run of [1, 2]) expect(await rowsOf(what)).toBe(0)
    expect(await isThere(db)).toBe(true)
  })

  test('are deleted one second after the limit, and a second run finds nothing', async () => {
    await insert(new Date(Date.parse(limit) - 1000))
    expect(await rowsOf(what, true)).toBe(1)
    expect(await isThere(db)).toBe(true)
    expect(await rowsOf(what)).toBe(1)
    expect(await isThere(db)).toBe(false)
    expect(await rowsOf(what)).toBe(0)
  })
})

test('a past participant is deleted with all data, and the course’s counters stay correct', async () => {
  const past = await insertParticipant(new Date('2016-01-01'))
  const stays = await insertWebUser(db, { confirmedAt })
  await insertBooking(db, courseId, stays.id)
  // A person who is passed over on the waiting list has no place that could be free again.
  const passedOver = await insertWebUser(db, { confirmedAt, createdAt: '2010-01-01' })
  const waiting = { bookedAt: new Date('2016-01-01'), state: 2, isPassedOver: true }
  await insertBooking(db, courseId, passedOver.id, waiting)
  await db.execute(sql`update courses set taken = taken - 1 where id = ${courseId}`)
  await db.execute(sql`
    insert into attendances select id, ${past}, true, now() from course_dates where course_id = ${courseId}`)
  await db.execute(sql`
    insert into attendance_changes (change_id, course_date_id, web_user_id, is_present, changed_at)
    select gen_random_uuid(), id, ${past}, true, now() from course_dates where course_id = ${courseId}`)
  await runRetention({ db, now: NOW })
  expect(await db.query(sql`select id from web_users`)).toEqual([{ id: stays.id }])
  expect(await exists('attendances')(db)).toBe(false)
  expect(await db.one(sql`select taken from courses where id = ${courseId}`)).toEqual({ taken: 1 })
})

test('what a person owes whose account ends keeps name and address, like that of a deleted account', async () => {
  const person = { confirmedAt, createdAt: '2010-01-01', givenName: 'Kim', familyName: 'Schuld' }
  const people = [await insertOwed(db, person), await insertOwed(db, { ...person, familyName: 'Alt' })]
  await insertBooking(db, (await insertCourse(db)).id, people[1]?.id ?? 0, { bookedAt: new Date('2016-01-01') })
  const accounts = () =>
    db.query(sql`
      select web_user_id as "webUserId", name, street, ends_on is not null as "isEnding" from ledger_accounts
      where id in (select account_id from ledger_entries) order by id desc limit 2`)
  await runRetention({ db, now: NOW })
  expect(await exists('web_users')(db)).toBe(false)
  expect(await accounts()).toEqual([
    { webUserId: null, name: 'Kim Alt', street: 'Weg 1', isEnding: true },
    { webUserId: null, name: 'Kim Schuld', street: 'Weg 1', isEnding: true },
  ])
})

test('payer data of a deleted account are kept for ten years, and for as long as the amount is not paid', async () => {
  const person = { confirmedAt, createdAt: '2010-01-01', givenName: 'Kim' }
  const [unbilled, invoiced, writtenOff, credited] = [
    await insertOwed(db, { ...person, familyName: 'Offen' }),
    await insertInvoice(db),
    await insertOwed(db, { ...person, familyName: 'Erlassen' }),
    await insertOwed(db, { ...person, familyName: 'Guthaben' }, -1000),
  ]
  const insertEntry = (accountId: number, cents: number) =>
    db.execute(sql`insert into ledger_entries (account_id, kind, cents) values (${accountId}, 'write-off', ${cents})`)
  await insertEntry(writtenOff.accountId, -4500)
  for (const { id } of [unbilled, invoiced, writtenOff, credited]) {
    await unlinkLedgerAccountsOfPerson(db, id)
    await db.execute(sql`delete from web_users where id = ${id}`)
  }
  const accountIds = [unbilled, invoiced, writtenOff, credited].map(({ accountId }) => accountId)
  const namedAfter = async (now: Date) => {
    await runRetention({ db, now })
    const named = await db.query<{ id: number }>(
      sql`select id from ledger_accounts where name <> '' and id = any(${accountIds}) order by id`,
    )
    return named.map(({ id }) => id)
  }
  const years = (count: number) => new Date(Date.now() + count * 366 * 86_400_000)
  expect(await namedAfter(years(9))).toEqual(accountIds)
  expect(await namedAfter(years(11))).toEqual([unbilled.accountId, invoiced.accountId])
  await db.execute(sql`
    insert into payments (invoice_number, paid_on, cents) select number, current_date, cents from invoices`)
  expect(await namedAfter(years(11))).toEqual([unbilled.accountId])
  await insertEntry(unbilled.accountId, -4500)
  expect(await namedAfter(years(11))).toEqual([])
})

test('the guest of a lesson is kept, with and without old bookings', async () => {
  const [newcomer, former] = [
    (await insertWebUser(db, { confirmedAt, createdAt: '2010-01-01' })).id,
    await insertParticipant(new Date('2016-01-01T00:00:00Z')),
  ]
  const owner = await insertPerson()
  for (const guestId of [newcomer, former]) {
    const course = await insertCourse(db)
    const { id: bookingId } = await insertBooking(db, course.id, owner)
    await db.execute(sql`
      insert into freed_places (course_id, course_date_id, booking_id, held_at, followers_from, guest_id, taken_at)
      select course_id, id, ${bookingId}, held_at, now(), ${guestId}, now() from course_dates
      where course_id = ${course.id} order by held_at limit 1`)
  }
  await runRetention({ db, now: NOW })
  const people = await db.query<{ id: number }>(sql`select id from web_users order by id`)
  expect(people.map(({ id }) => id)).toEqual([newcomer, former, owner])
})

test('one recent booking preserves the old ones, and instructors are kept', async () => {
  const id = await insertParticipant(new Date('2010-01-01'))
  await insertBooking(db, (await insertCourse(db)).id, id, { bookedAt: new Date('2020-01-01') })
  const { email } = await insertInstructor(db)
  await insertWebUser(db, { email, confirmedAt, createdAt: '2010-01-01' })
  await insertParticipant(new Date('2010-01-01'), { email: (await insertInstructor(db)).email })
  await runRetention({ db, now: NOW })
  expect(await db.query(sql`select id from web_users`)).toHaveLength(3)
})

test('keeps people with rights at the desk, with and without old bookings', async () => {
  const { id } = await insertWebUser(db, { confirmedAt, createdAt: '2010-01-01' })
  const participant = await insertParticipant(new Date('2010-01-01'))
  await db.execute(sql`
    insert into office_rights (web_user_id, "right") values (${id}, 'owner'), (${participant}, 'bookings')`)
  await runRetention({ db, now: NOW })
  expect(await db.query(sql`select id from web_users order by id`)).toEqual([{ id }, { id: participant }])
})

test('data that outlives an account deleted by its owner is deleted after ten years, not after two weeks', async () => {
  const deleted = { confirmedAt: null, deletedAt: NOW }
  await insertParticipant(new Date('2017-01-01'), deleted)
  await runRetention({ db, now: NOW })
  expect(await exists('web_users')(db)).toBe(true)
  await runRetention({ db, now: new Date('2027-01-02') })
  expect(await exists('web_users')(db)).toBe(false)
})

const insertCourseDate = async () => {
  const course = await insertCourse(db, { startsOn: '2026-10-05', endsOn: '2026-10-19' })
  return db.one<{ id: number }>(sql`select id from course_dates where course_id = ${course.id} limit 1`)
}
const tapAt = (courseDateId: number, webUserId: number, isPresent: boolean | null, changedAt: Date) =>
  insertTick(db, { courseDateId, webUserId, isPresent, changedAt, recordedBy: null })

test('attendance timestamps keep the day and the order, and an older change that arrives late does not overwrite', async () => {
  // Minutes on 5 October or the day after. The last value means present, absent or reset.
  const taps = fc.array(
    fc.record({ minute: fc.integer({ min: 0, max: 2 * 24 * 60 - 1 }), isPresent: fc.constantFrom(true, false, null) }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  const late = fc.integer({ min: 0, max: 24 * 60 - 1 })
  const instant = (minute: number) => new Date(Date.parse('2026-10-05T00:00:00+02:00') + minute * 60_000)
  await fc.assert(
    fc.asyncProperty(taps, late, async (given, lateMinute) => {
      const id = await insertPerson()
      const { id: dateId } = await insertCourseDate()
      const startedAt = sql`(select min(received_at) from attendance_changes where not is_day_only)`
      for (const { minute, isPresent } of given) await tapAt(dateId, id, isPresent, instant(minute))
      await db.execute(
        sql`update attendance_changes set received_at = ${'2026-10-08 12:00'}::timestamptz + (received_at - ${startedAt}) where web_user_id = ${id}`,
      )
      const changes = () =>
        db.query<{ isPresent: boolean | null; day: string; time: string }>(sql`
          select is_present as "isPresent", changed_at::date as day, changed_at::time as time from attendance_changes
          where web_user_id = ${id} order by changed_at`)
      const presence = () =>
        db.one(
          sql`select is_present as "isPresent", changed_at::date as day from attendances where web_user_id = ${id}`,
        )
      const before = { changes: await changes(), presence: await presence() }
      await runRetention({ db, now: NOW })
      const after = await changes()
      const ofDay = ({ isPresent, day }: (typeof after)[number]) => ({ isPresent, day })
      expect(after.map(ofDay)).toEqual(before.changes.map(ofDay))
      for (const { time } of after) expect(time).toMatch(/^23:59:59\.99999\d$/)
      expect(await presence()).toEqual(before.presence)
      // The change was made on the first day, but its phone has been offline until now.
      await tapAt(dateId, id, !(before.presence as { isPresent: boolean }).isPresent, instant(lateMinute))
      expect(await presence()).toEqual(before.presence)
      await db.execute(
        sql`update attendance_changes set received_at = ${'2026-10-30 12:00'}::timestamptz + (received_at - ${startedAt}) where not is_day_only`,
      )
      await runRetention({ db, now: NOW })
      expect(await presence()).toEqual(before.presence)
      const times = (await changes()).map(({ day, time }) => `${day} ${time}`)
      expect(new Set(times).size).toBe(given.length + 1)
      const { findings } = await auditPortal(db)
      expect(JSON.stringify(findings)).not.toContain('which is not what the newest change says')
    }),
    { numRuns: 25 },
  )
})

test('two servers do not apply retention concurrently', async () => {
  await db.transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('retention', 0))`)
    expect(await runRetention({ db, now: NOW })).toBeNull()
  })
  expect(await runRetention({ db, now: NOW })).not.toBeNull()
})

test('prints one line per rule', () => {
  const table = [
    { what: 'sessions', after: 'they ended', rows: 12 },
    { what: 'mailed links', after: 'they ended', rows: 3 },
  ]
  expect(formatRetentionTable(table, true)).toBe(
    'Would be deleted:\n12  sessions (they ended)\n 3  mailed links (they ended)',
  )
})

test('retention periods are in words: 1 year, 2 years', async () => {
  const periods = ((await runRetention({ db, now: NOW, isDryRun: true })) ?? []).map(({ after }) => after)
  expect(periods).toEqual(expect.arrayContaining(['1 year', '2 years']))
  expect(periods.join('\n')).not.toMatch(/\b1 \w+s\b/)
})

test('nothing is deleted if npm consumed --dry-run', async () => {
  const { id } = await insertWebUser(db, { createdAt: '2010-01-01' })
  const args = [join(import.meta.dirname, '../start.mjs'), 'retention']
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, npm_config_dry_run: 'true' }
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('npm run retention -- [--dry-run]') })
  expect(await db.query(sql`select id from web_users`)).toEqual([{ id }])
})
