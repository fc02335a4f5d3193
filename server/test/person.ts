import { randomBytes } from 'node:crypto'
import { DEFAULT_REMINDERS } from '#contract/endpoints/reminders.ts'
import { isOneOf } from '#contract/records.ts'
import { PERSON, STORED_PROFILE_FIELDS } from '#contract/tables/person.ts'
import { insertFileContent } from '#server/features/files/repository.ts'
import { savePushSubscription, saveReminders } from '#server/features/reminders/repository.ts'
import { insertDevice } from '#server/features/session/device-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { hashToken } from '#server/platform/http/token.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCourse,
  insertDivision,
  insertFeed,
  insertInboxItem,
  insertInstructor,
  insertRow,
  insertSession,
  insertWebUser,
} from './factories.ts'

import { insertCertificate, insertProof } from './money-scene.ts'

/** The account and its booking share one timestamp, because two could differ across a second boundary. */
const FIRST_BOOKED_AT = daysFromNow(-70)

/** Period of the person's courses, which are over. */
const pastPeriod = () => ({ startsOn: dateFromNow(-60), endsOn: dateFromNow(-30) })

export type PersonTraces = {
  id: number
  email: string
  token: string
  /** secrets with which one could log in */
  secrets: string[]
  /** all rows about the person, with the names of their tables */
  listRows(): Promise<{ table: string; row: Record<string, unknown> }[]>
}

/** Creates a text that occurs nowhere else. */
const unique = (name: string) => `${name}-${randomBytes(5).toString('hex')}`

/**
 * Creates a person with data in every table and column in which the portal stores personal data. Their only course is
 * over.
 * @param options price of the course, and hash of the password
 */
export async function createPersonTraces(
  db: Queryable,
  { priceCents = 4050, passwordHash = unique('hash') }: { priceCents?: number; passwordHash?: string } = {},
): Promise<PersonTraces> {
  const email = `${unique('spur')}@demo.example`
  const profile = createProfile()
  const id = await insertAccount(db, { email, passwordHash, profile })
  await insertTeaching(db, email, profile)
  const courseId = await insertParticipation(db, id, email, priceCents)
  await insertInboxItem(db, {
    webUserId: id,
    title: unique('message'),
    text: unique('text'),
    document: {
      name: unique('document'),
      sha256: await insertFileContent(db, 'application/pdf', Buffer.from(unique('certificate'))),
    },
  })
  await db.execute(sql`update inbox_items set seen_at = ${daysFromNow(-2)} where web_user_id = ${id}`)
  await db.execute(sql`update web_users set employee_status = 4, known_at = ${daysFromNow(-80)} where id = ${id}`)
  await db.execute(sql`update web_users set employee_status = 5 where id = ${id}`)
  const link = await insertEmailTraces(db, id, email)
  await insertSubscriptions(db, id, courseId)
  await insertOfficeTraces(db, id)
  await insertPaymentTraces(db, id)
  const token = await insertLoginTraces(db, id, email)
  return { id, email, token, secrets: [token, link, passwordHash], listRows: () => listRows(db, id, email) }
}

const createProfile = () =>
  Object.fromEntries(
    STORED_PROFILE_FIELDS.filter(field => isOneOf(['line', 'text', 'phone'], PERSON[field].kind)).map(field => [
      field,
      unique(field),
    ]),
  )

async function insertAccount(
  db: Queryable,
  { email, passwordHash, profile }: { email: string; passwordHash: string; profile: Record<string, string> },
): Promise<number> {
  const { id: divisionId } = await insertDivision(db, { name: unique('division') })
  const { id } = await insertWebUser(db, {
    email,
    ...profile,
    divisionId,
    formOfAddress: 'Divers',
    employeeStatus: 5,
    billingType: 2,
    yearOfBirth: 1987,
    language: 'en',
    passwordHash,
    importedPasswordHash: unique('hash'),
    resetPasswordHash: unique('hash'),
    resetExpiresAt: daysFromNow(1),
    lastBookedAt: FIRST_BOOKED_AT,
    isPasswordToChange: false,
  })
  return id
}

/** The person as an instructor: profile, absence and a course of their own. */
async function insertTeaching(db: Queryable, email: string, profile: Record<string, string>): Promise<void> {
  const texts = ['courses', 'profession', 'hobbies', 'likeReasons', 'favoriteWorkout'].flatMap(name => [
    name,
    `${name}2`,
  ])
  await insertInstructor(db, {
    email,
    familyName: profile.familyName,
    givenName: profile.givenName,
    yearOfBirth: 1987,
    pictureFileName: unique('picture'),
    licence: unique('licence'),
    licenceUntil: '2100-03-17',
    hourlyFeeCents: 4_219,
    ...Object.fromEntries(texts.map(name => [name, unique(name)])),
  })
  await db.execute(sql`
    insert into absences (instructor_email, starts_on, ends_on) values (${email}, ${dateFromNow(-50)}, ${dateFromNow(-40)})`)
  const { id } = await insertCourse(db, { ...pastPeriod(), instructorEmails: [email] })
  await db.execute(sql`
    with invitation as (
      insert into substitute_invitations (instructor_email, ends_at) values (${email}, ${dateFromNow(-45)}::timestamp)
      returning id
    ), link as (
      insert into substitute_links (token_hash, invitation_id)
      select decode(md5(random()::text), 'hex'), id from invitation
    )
    insert into substitute_offers (invitation_id, course_date_id, held_at, answer, answered_at)
    select i.id, d.id, d.held_at, 'declined', ${daysFromNow(-46)} from invitation i, course_dates d where d.course_id = ${id} limit 1`)
}

/** Bookings, certificate and attendance in a course, whose id is returned, and a lesson given as a substitute. */
async function insertParticipation(db: Queryable, id: number, email: string, priceCents: number): Promise<number> {
  const course = await insertCourse(db, pastPeriod())
  const ended = { promotedAt: daysFromNow(-66), cancelledAt: daysFromNow(-65) }
  await insertBooking(db, course.id, id, { priceCents, bookedAt: FIRST_BOOKED_AT, ...ended })
  await insertBooking(db, course.id, id, { priceCents, priceCentsOnceVerified: 3910, bookedAt: daysFromNow(-64) })
  await insertCertificate(db, { id, bookingId: id })
  const date = await db.one<{ id: number }>(sql`select id from course_dates where course_id = ${course.id} limit 1`)
  // A substitute for a lesson, who is then removed again.
  for (const substitute of [email, null])
    await db.execute(sql`update course_dates set instructor_email = ${substitute} where id = ${date.id}`)
  await db.execute(sql`
    insert into freed_places (course_id, course_date_id, held_at, offered_at, followers_from, guest_id, taken_at)
    select course_id, id, held_at, ${daysFromNow(-64)}, ${daysFromNow(-64)}, ${id}, ${daysFromNow(-64)}
    from course_dates where id = ${date.id}`)
  const recordedAt = daysFromNow(-59)
  await db.execute(sql`insert into attendances values (${date.id}, ${id}, true, ${recordedAt})`)
  await db.execute(sql`
    insert into attendance_changes (change_id, course_date_id, web_user_id, is_present, changed_at, received_at, recorded_by)
    values (gen_random_uuid(), ${date.id}, ${id}, false, ${daysFromNow(-59.5)}, ${daysFromNow(-59.4)}, ${id})`)
  return course.id
}

/** E-mails, the limits on sending them, and a link to confirm a new address, whose token is returned. */
async function insertEmailTraces(db: Queryable, id: number, email: string): Promise<string> {
  const link = unique('token')
  const newEmail = `${unique('neu')}@demo.example`
  await db.execute(sql`
    insert into account_tokens (token_hash, web_user_id, purpose, new_email, expires_at)
    values (${hashToken(link)}, ${id}, 'new-email', ${newEmail}, ${daysFromNow(14)})`)
  await insertMail(db, { webUserId: id, kind: 'new-email', payload: {}, recipient: newEmail })
  await insertMail(db, { webUserId: id, kind: 'password-reset', payload: {} })
  await insertMail(db, { webUserId: id, kind: 'password-changed', payload: {} })
  await db.execute(sql`
    update mails set sent_at = ${daysFromNow(-1)} where web_user_id = ${id} and kind = 'password-changed'`)
  await db.execute(sql`
    insert into throttle_events (kind, subject, address)
    values ('login', ${email}, ${unique('network')}), ('newEmail', ${String(id)}, ${unique('network')})`)
  return link
}

/** Calendar feed, followed things, push subscription, alert and reminders. */
async function insertSubscriptions(db: Queryable, id: number, courseId: number): Promise<void> {
  await insertFeed(db, id)
  await db.execute(sql`insert into follows (web_user_id, course_id) values (${id}, ${courseId})`)
  await db.execute(sql`
    insert into follows (web_user_id, category_id) select ${id}, category_id from courses where id = ${courseId}`)
  await db.execute(sql`
    insert into follows (web_user_id, season_id) select ${id}, season_id from courses where id = ${courseId}`)
  const endpoint = `https://push.example.org/${unique('endpoint')}`
  await savePushSubscription(db, id, { endpoint, p256dh: unique('p256dh'), auth: unique('auth') })
  await db.execute(sql`
    insert into alerts (web_user_id, kind, about, payload, ends_at, is_mailed)
    values (${id}, 'promotion', ${unique('about')}, ${{ courseId: courseId }}::jsonb, now(), false)`)
  await saveReminders(db, id, DEFAULT_REMINDERS)
}

/** The person's rights and files in the office, and what the office recorded about the person. */
async function insertOfficeTraces(db: Queryable, id: number): Promise<void> {
  await db.execute(sql`insert into office_rights (web_user_id, "right") values (${id}, 'content')`)
  await db.execute(sql`
    insert into office_files (web_user_id, "right", name, media_type, content)
    values (${id}, 'content', 'a.pdf', 'application/pdf', '%PDF-1.7')`)
  await db.execute(sql`insert into invited_rights (web_user_id, "right") values (${id}, 'content')`)
  await db.execute(sql`
    insert into letters (web_user_id, language, kind, payload, printed_at) values (${id}, 'en', 'welcome-import', '{}', ${daysFromNow(-1)})`)
  await db.execute(
    sql`insert into office_reads (reader, web_user_id, call) values ('bookings', ${id}, ${unique('call')})`,
  )
  await db.execute(sql`insert into office_record_people (web_user_id, record_number) values (${id}, 1)`)
  const { id: fromId } = await insertWebUser(db, { email: unique('merged '), deletedAt: new Date() })
  await insertRow(db, 'desk_messages', {
    state: 'scheduled',
    fields: JSON.stringify({ to: 'person', title: unique('title'), text: unique('text') }),
    personId: id,
    sendAt: daysFromNow(2),
  })
  await insertRow(db, 'merges', { fromId, intoId: id, fromEmail: 'zweit@demo.example', moved: '{}' })
  await db.execute(sql`
    insert into office_record_texts (record_number, text) values (1, ${unique('reason')}) on conflict do nothing`)
}

async function insertPaymentTraces(db: Queryable, id: number): Promise<void> {
  await db.execute(sql`insert into payout_accounts (web_user_id, iban) values (${id}, ${unique('iban')})`)
  await insertProof(db, id, {
    fileName: unique('proof'),
    state: 'refused',
    reason: unique('refusal'),
    decidedAt: daysFromNow(-1),
  })
  await db.execute(sql`
    insert into payer_consents (web_user_id, personnel_number, media_type, content) values (${id}, '4711', 'application/pdf', '%PDF-1.7')`)
  await db.execute(sql`
    insert into consents (web_user_id, kind, version, withdrawn_at)
    values (${id}, 'insurance', '2', null), (${id}, 'attendance', '1', ${daysFromNow(-1)})`)
}

/** Passkey, company account, login attempts and device; returns the token of a session. */
async function insertLoginTraces(db: Queryable, id: number, email: string): Promise<string> {
  await db.execute(sql`
    insert into passkeys (id, web_user_id, public_key, name, last_used_at)
    values ('key ' || ${id}::text, ${id}, 'x', ${unique('passkey')}, ${daysFromNow(-1)})`)
  await db.execute(sql`
    insert into company_accounts (issuer, subject, web_user_id, last_login_at, left_at)
    values (${unique('issuer')}, ${unique('subject')}, ${id}, ${daysFromNow(-1)}, ${daysFromNow(-1)})`)
  await db.execute(sql`
    insert into company_logins (browser_hash, state_hash, nonce, verifier, outcome, web_user_id, expires_at)
    values (${hashToken(unique('browser'))}, '\\x00', '', '', 'Ok', ${id}, ${daysFromNow(0.01)})`)
  await db.execute(sql`
    insert into company_number_conflicts (web_user_id, email, personnel_number)
    values (${id}, ${email}, '4711')`)
  await db.execute(sql`
    insert into passkey_challenges (challenge, purpose, web_user_id, expires_at)
    values ('challenge ' || ${id}::text, 'confirm', ${id}, ${daysFromNow(0.01)})`)
  const token = await insertSession(db, id, { device: unique('device') })
  await insertDevice(db, id, hashToken(unique('browser')))
  return token
}

/** Lists all rows that refer to the person, in any table. */
async function listRows(
  db: Queryable,
  id: number,
  email: string,
): Promise<{ table: string; row: Record<string, unknown> }[]> {
  const references = await db.query<{ table: string; column: string }>(sql`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'web_users'::regclass`)
  const locations = [
    ...references.map(({ table, column }) => ({ table, condition: sql`${sql.raw(column)} = ${id}` })),
    { table: 'web_users', condition: sql`id = ${id}` },
    { table: 'instructors', condition: sql`email = ${email}` },
    { table: 'course_instructors', condition: sql`email = ${email}` },
    { table: 'absences', condition: sql`instructor_email = ${email}` },
    { table: 'substitute_invitations', condition: sql`instructor_email = ${email}` },
    ...['substitute_links', 'substitute_offers'].map(table => ({
      table,
      condition: sql`invitation_id in (select id from substitute_invitations where instructor_email = ${email})`,
    })),
    { table: 'former_instructors', condition: sql`email = ${email}` },
    { table: 'throttle_events', condition: sql`subject in (${email}, ${String(id)})` },
  ]
  const found = await Promise.all(
    locations.map(async ({ table, condition }) => {
      const rows = await db.query<{ row: Record<string, unknown> }>(sql`
        select to_jsonb(t) as row from ${sql.raw(table)} t where ${condition}`)
      return rows.map(({ row }) => ({ table, row }))
    }),
  )
  return found.flat()
}
