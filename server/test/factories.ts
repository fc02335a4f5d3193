import { randomBytes } from 'node:crypto'
import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import { writeAttendanceChanges } from '#server/features/attendance/tick-repository.ts'
import { insertFileContent } from '#server/features/files/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { hashToken } from '#server/platform/http/token.ts'

const DAY_MS = 86_400_000
/** Counter for unique numbers and names in inserted rows. */
let last = 0
const next = () => ++last

type Values = Record<string, unknown>

const column = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Inserts one row. The keys are the column names in camelCase. */
export async function insertRow<Row extends object>(db: Queryable, table: string, values: Values): Promise<Row> {
  const names = Object.keys(values)
  return db.one<Row>(sql`
    insert into ${sql.raw(table)} (${sql.raw(names.map(column).join(', '))})
    values (${sql.join(names.map(name => sql`${values[name]}`))}) returning *`)
}

const without = (values: Values, names: string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** Time `days` from now, which may be a fraction. */
export const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS)
/** Calendar date `days` from now in the portal's time zone, 'YYYY-MM-DD'. */
export function dateFromNow(days: number): string {
  const date = new Date(`${new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' })}T00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** The next number, and names in both languages that contain it. */
function nextNamed(name: string, name2: string) {
  const id = next()
  return { id, name: `${name} ${id}`, name2: `${name2} ${id}` }
}

/** Inserts a season that is visible and open for booking. Keys: columns in camelCase. */
export async function insertSeason(db: Queryable, values: Values = {}): Promise<{ id: number }> {
  return insertRow(db, 'seasons', {
    ...nextNamed('Saison', 'Season'),
    bookableFrom: daysFromNow(-7),
    viewableFrom: daysFromNow(-14),
    startsAt: `${dateFromNow(-7)} 00:00:00`,
    endsAt: `${dateFromNow(90)} 00:00:00`,
    ...values,
  })
}

export async function insertCategory(db: Queryable, values: Values = {}): Promise<{ id: number }> {
  return insertRow(db, 'categories', { ...nextNamed('Kategorie', 'Category'), icon: 'fitness', ...values })
}

export async function insertDivision(db: Queryable, values: Values = {}): Promise<{ id: number }> {
  const id = next()
  return insertRow(db, 'divisions', { id, name: `Bereich ${id}`, ...values })
}

/**
 * Inserts a free course with 10 places that is open for booking, with weekly lessons at 18:00 from `startsOn` (default:
 * in a week) to `endsOn` (default: two weeks later). Season and category are inserted if none is given, and `opensAt`
 * defaults to that of the season. Further keys: columns in camelCase, `dates` ('YYYY-MM-DD HH:MM:SS') and
 * `instructorEmails`.
 */
export async function insertCourse(
  db: Queryable,
  {
    dates,
    instructorEmails = [],
    closesAt,
    ...values
  }: Values & { dates?: string[]; instructorEmails?: string[]; closesAt?: Date } = {},
): Promise<{ id: number; number: string; name: string; seasonId: number }> {
  const startsOn = String(values.startsOn ?? dateFromNow(7))
  const endsOn = String(values.endsOn ?? new Date(Date.parse(startsOn) + 14 * DAY_MS).toISOString().slice(0, 10))
  const seasonId = Number(values.seasonId ?? (await insertSeason(db)).id)
  const categoryId = Number(values.categoryId ?? (await insertCategory(db)).id)
  const season = await db.one<{ bookable_from: Date }>(sql`select bookable_from from seasons where id = ${seasonId}`)
  const number = `C${next()}`
  const row = await insertRow<{ id: number; number: string; name: string }>(db, 'courses', {
    number,
    name: `Kurs ${number}`,
    name2: `Course ${number}`,
    planDay: new Date(startsOn).getUTCDay(),
    startTime: '18:00',
    endTime: '19:00',
    capacity: 10,
    opensAt: values.bookableFrom ?? season.bookable_from,
    ...without(values, ['startsOn', 'endsOn']),
    seasonId,
    categoryId,
    planStartsOn: startsOn,
    planEndsOn: endsOn,
  })
  const weeks = Math.floor((Date.parse(endsOn) - Date.parse(startsOn)) / (7 * DAY_MS))
  const heldAt =
    dates ??
    Array.from(
      { length: weeks + 1 },
      (_, week) => `${new Date(Date.parse(startsOn) + week * 7 * DAY_MS).toISOString().slice(0, 10)} 18:00`,
    )
  await db.execute(sql`
    insert into course_dates (course_id, held_at) select ${row.id}, unnest(${heldAt}::timestamp[])`)
  await db.execute(sql`
    insert into course_instructors (course_id, email) select ${row.id}, unnest(${instructorEmails}::text[])`)
  if (closesAt) await db.execute(sql`update courses set closes_at = ${closesAt} where id = ${row.id}`)
  await markProgrammeChanged(db)
  return { id: row.id, number: row.number, name: row.name, seasonId }
}

/** Signals to the servers that they must reload the courses, as every import does. */
export const markProgrammeChanged = (db: Queryable): Promise<number> =>
  db.execute(sql`update programme set revision = revision + 1`)

/** Updates a course as an import does. Keys: columns in camelCase. */
export async function updateCourse(db: Queryable, courseId: number, values: Values): Promise<void> {
  const changes = Object.keys(values).map(name => sql`${sql.raw(column(name))} = ${values[name]}`)
  await db.execute(sql`update courses set ${sql.join(changes)} where id = ${courseId}`)
  await markProgrammeChanged(db)
}

/** Inserts an instructor's profile, which makes the user with the same e-mail address an instructor. */
export async function insertInstructor(db: Queryable, values: Values = {}): Promise<{ email: string }> {
  const email = `trainer${next()}@demo.example`
  return insertRow(db, 'instructors', { email, familyName: `Trainer ${last}`, givenName: 'Alex', ...values })
}

/** Inserts an active employee without a password. Keys: columns in camelCase. */
export async function insertWebUser(db: Queryable, values: Values = {}): Promise<{ id: number; email: string }> {
  const number = next()
  return insertRow(db, 'web_users', {
    email: `user${number}@demo.example`,
    givenName: 'Kim',
    familyName: `Muster ${number}`,
    employeeStatus: EMPLOYEE_STATUS.Employee,
    yearOfBirth: 1980,
    confirmedAt: daysFromNow(-30),
    ...values,
  })
}

/** Inserts a session for a user. @returns the session token */
export async function insertSession(db: Queryable, webUserId: number, values: Values = {}): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertRow(db, 'sessions', {
    tokenHash: hashToken(token),
    webUserId,
    isKept: false,
    expiresAt: daysFromNow(1),
    ...values,
  })
  return token
}

/** Inserts a user who is logged in. */
export async function insertUserWithSession(
  db: Queryable,
  values: Values = {},
): Promise<{ id: number; email: string; token: string }> {
  const { id, email } = await insertWebUser(db, values)
  return { id, email, token: await insertSession(db, id) }
}

/** Inserts an instructor who is logged in. Keys: columns of the instructor's profile in camelCase. */
export async function insertInstructorWithSession(
  db: Queryable,
  values: Values = {},
): Promise<{ id: number; email: string; token: string }> {
  const { email } = await insertInstructor(db, values)
  return insertUserWithSession(db, { email })
}

/** Inserts a calendar feed. @returns the token in its URL */
export async function insertFeed(db: Queryable, webUserId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertRow(db, 'calendar_feeds', { webUserId, nonce: randomBytes(32), tokenHash: hashToken(token) })
  return token
}

/** Inserts the next booking of a course: a place if there is one, otherwise an entry on the waiting list. */
export async function insertBooking(
  db: Queryable,
  courseId: number,
  webUserId: number,
  values: Values = {},
): Promise<{ id: number }> {
  const course = await db.one<{ seq: number; state: number; energyCents: number; isWaiverOffered: boolean }>(sql`
    update courses set taken = taken + 1, booking_seq = booking_seq + 1, revision = revision + 1 where id = ${courseId}
    returning booking_seq as seq, energy_fee_cents as "energyCents",
      is_free_with_attendance as "isWaiverOffered",
      case when taken <= capacity then ${BOOKING_STATUS.Booked}::int else ${BOOKING_STATUS.Waitinglist}::int end as state`)
  const person = await db.one<Values>(sql`
    select employee_status as "employeeStatus", personnel_number as "personnelNumber",
      owner_personnel_number as "ownerPersonnelNumber", billing_type as "billingType", division_id as "divisionId",
      case employee_status when ${EMPLOYEE_STATUS.External}::int then 'external' else 'fee' end as "priceRule"
    from web_users where id = ${webUserId}`)
  // By default before the first lesson, so that the person belongs to all lessons.
  const { bookedAt } = await db.one<{ bookedAt: Date }>(sql`
    select least(clock_timestamp(), min(held_at)::timestamptz - interval '1 hour') as "bookedAt"
    from course_dates where course_id = ${courseId}`)
  const booking = await insertRow<{ id: number }>(db, 'bookings', {
    courseId,
    webUserId,
    ...course,
    ...person,
    bookedAt,
    priceCents: 0,
    ...values,
  })
  await db.execute(sql`
    update bookings set first_lesson_on = first_lesson_at(course_id, coalesce(promoted_at, booked_at)::timestamp)::date
    where id = ${booking.id} and state = ${BOOKING_STATUS.Booked}`)
  return booking
}

type RecordedTick = {
  courseDateId: number
  webUserId: number
  /** null: the attendance was reset */
  isPresent: boolean | null
  changedAt?: Date
  recordedBy: number | null
}

/** Inserts an attendance change as it is stored when it is accepted. */
export const insertTick = (db: Queryable, { changedAt, ...tick }: RecordedTick): Promise<number> =>
  db.execute(sql`
    with ${writeAttendanceChanges(sql`
      select gen_random_uuid(), ${tick.courseDateId}::int, ${tick.webUserId}::int, ${tick.isPresent}::boolean,
        coalesce(${changedAt ?? null}::timestamptz, clock_timestamp()), ${tick.recordedBy}::int, false`)}
    select from presence`)

type NewInboxItem = {
  webUserId: number
  title: string
  /** HTML */
  text: string
  /** its name, and the SHA-256 of its content as insertFileContent gives it */
  document?: { name: string; sha256: Buffer }
}

/** Inserts a message into a person's inbox. */
export async function insertInboxItem(db: Queryable, item: NewInboxItem): Promise<void> {
  await db.execute(sql`
    insert into inbox_items (web_user_id, title, text, document_name, document_sha256)
    values (${item.webUserId}, ${item.title}, ${item.text}, ${item.document?.name ?? ''}, ${item.document?.sha256 ?? null})`)
}

/** Inserts a content item that shows a picture or document with this name. Content with the same name is replaced. */
export async function insertContentFile(
  db: Queryable,
  name: string,
  mediaType: string,
  content: Buffer,
): Promise<void> {
  const sha256 = await insertFileContent(db, mediaType, content)
  const updated = await db.execute(sql`update content_items set file_sha256 = ${sha256} where file_name = ${name}`)
  if (updated > 0) return
  await insertRow(db, 'content_items', { contentType: 'Flyer', sortOrder: next(), fileName: name, fileSha256: sha256 })
}
