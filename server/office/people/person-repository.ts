import type { ItemOf } from '#contract/endpoint.ts'
import { foldText } from '#contract/normalize.ts'
import type { listDuplicates as duplicates } from '#contract/office/office.ts'
import type { BookingOfPerson, GuestLesson } from '#contract/office/people.ts'
import { keysOf } from '#contract/records.ts'
import type { ProfileValues, StoredProfileField } from '#contract/tables/person.ts'
import type { Right } from '#contract/values.ts'
import { type AccountState, BOOKING_STATUS, type Language } from '#contract/values.ts'
import { deleteUnverifiedAccounts } from '#server/features/accounts/claim-repository.ts'
import { isEndedByMerge } from '#server/features/bookings/repository.ts'
import { waitingPosition } from '#server/features/courses/view-repository.ts'
import { belongsToLesson, isGuestPlace } from '#server/features/lessons/participant-repository.ts'
import { isOwing } from '#server/features/money/repository.ts'
import {
  emailOrEmpty,
  fullName,
  isOnPayroll,
  isPersonVerified,
  rightsOf,
  UNCONVERTED_PROFILE_COLUMNS,
} from '#server/features/session/account-repository.ts'
import { accountStatesPermitting } from '#server/features/session/rules.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { byName } from '#server/platform/db/name-order.ts'
import { columnOfProfileField } from '#server/platform/db/person-columns.ts'
import type { KeysetPage } from '#server/platform/http/pagination.ts'

const { Waitinglist } = BOOKING_STATUS

const HOLDING = accountStatesPermitting('holdAddress')
const at = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`

/**
 * Locks or unlocks an account, which blocks or permits logins.
 * @returns false if the account is deleted
 */
export const updateAccountLocked = async (tx: Queryable, webUserId: number, isLocked: boolean): Promise<boolean> =>
  (await tx.execute(sql`
    update web_users set locked_at = case when ${isLocked} then coalesce(locked_at, clock_timestamp()) end
    where id = ${webUserId} and deleted_at is null`)) > 0

/**
 * Marks a person as verified.
 * @returns false if the account is deleted
 */
export const markPersonVerified = async (tx: Queryable, webUserId: number): Promise<boolean> =>
  (await tx.execute(sql`
    update web_users set known_at = coalesce(known_at, clock_timestamp()) where id = ${webUserId} and deleted_at is null`)) >
  0

/**
 * Finds the account with this verified personnel number; null if there is none.
 * @param but account to ignore
 */
export const findPersonnelNumberOwner = (
  tx: Queryable,
  personnelNumber: string,
  but: number | null,
): Promise<{ id: number; isKnown: boolean } | null> =>
  tx.maybeOne(sql`
    select u.id, u.known_at is not null as "isKnown" from web_users u
    where u.personnel_number = ${personnelNumber} and u.personnel_number <> '' and u.state = any(${HOLDING}) and ${isOnPayroll} and u.id is distinct from ${but}::int
    order by u.known_at is null, u.id limit 1`)

export type PersonRow = {
  id: number
  name: string
  email: string
  version: number
  state: AccountState
  isVerified: boolean
  isOnPayroll: boolean
  isInstructor: boolean
  language: Language
  division: string
  lastLoginAt: string | null
  rights: Right[]
  /** rights that the person gets with the first login */
  pending: Right[]
}

/** Finds a person; null if the person does not exist or the account was deleted. */
export const findPerson = (db: Queryable, id: number): Promise<PersonRow | null> =>
  db.maybeOne(sql`
    select u.id, ${fullName} as name, ${emailOrEmpty} as email, u.version, u.state, ${isPersonVerified} as "isVerified",
      ${isOnPayroll} as "isOnPayroll", exists (select from instructors i where i.email = u.email) as "isInstructor", u.language,
      coalesce((select d.name from divisions d where d.id = u.division_id), '') as division,
      (select ${at(sql`max(s.last_used_at)`)} from sessions s where s.web_user_id = u.id) as "lastLoginAt",
      ${rightsOf(false)} as rights, ${rightsOf(true)} as pending
    from web_users u where u.id = ${id} and u.deleted_at is null`)

export const findProfileFields = (
  db: Queryable,
  id: number,
): Promise<Omit<Pick<ProfileValues, StoredProfileField>, 'email'> & { yearOfBirth: number | null }> =>
  db.one(sql`
    select year_of_birth as "yearOfBirth", ${sql.raw(UNCONVERTED_PROFILE_COLUMNS.map(([field, column]) => `${column} as "${field}"`).join(', '))}
    from web_users where id = ${id}`)

/** A person's current and past bookings and waiting-list entries, newest first. */
export const listBookings = (
  db: Queryable,
  webUserId: number,
): Promise<(Omit<BookingOfPerson, 'freeUntil'> & { firstLessonOn: string | null })[]> =>
  db.query(sql`
    select c.id as "courseId", c.number, c.name, c.name2, c.starts_on as start, c.ends_on as "end",
      case when b.cancelled_at is null then b.state else 0 end as "bookingStatus",
      case when b.cancelled_at is null and b.state = ${Waitinglist} then ${waitingPosition} else 0 end as position,
      ${at(sql`coalesce(b.promoted_at, b.booked_at)`)} as since, ${at(sql`b.cancelled_at`)} as "endedAt",
      (b.price_cents + b.energy_cents) / 100.0 as price, b.charge, b.charge_cents / 100.0 as "chargeAmount",
      b.processing_cents / 100.0 as "processingFee", b.first_lesson_on as "firstLessonOn",
      lesson.held, lesson.present
    from bookings b join courses c on c.id = b.course_id cross join lateral (
      select count(*)::int as held, count(*) filter (where a.is_present)::int as present
      from course_dates d left join attendances a on a.course_date_id = d.id and a.web_user_id = b.web_user_id
      where d.course_id = c.id and d.state = 'planned' and not d.is_excluded and d.held_at <= localtimestamp and ${belongsToLesson}) lesson
    where b.web_user_id = ${webUserId} and not ${isEndedByMerge}
    order by b.cancelled_at is not null, c.starts_on desc, b.id desc limit 500`)

/** Lessons of which a person is or was a guest, newest first. */
export const listGuestLessons = (db: Queryable, webUserId: number): Promise<GuestLesson[]> =>
  db.query(sql`
    select c.id as "courseId", c.number, c.name, c.name2, to_char(d.held_at, 'YYYY-MM-DD"T"HH24:MI') as at, a.is_present as "isPresent"
    from course_dates d join freed_places f on ${isGuestPlace} join courses c on c.id = d.course_id
      left join attendances a on a.course_date_id = d.id and a.web_user_id = f.guest_id
    where f.guest_id = ${webUserId} and d.state = 'planned' and c.cancelled_at is null order by d.held_at desc, d.id limit 500`)

/**
 * A person's document without its content, because staff may see only that the document exists. See
 * docs/decisions/0073.
 */
type DocumentOfPerson = { id: number; title: string; documentName: string; createdAt: string; seenAt: string | null }
export const listDocuments = (db: Queryable, webUserId: number): Promise<DocumentOfPerson[]> =>
  db.query(sql`
    select id, title, document_name as "documentName", ${at(sql`created_at`)} as "createdAt", ${at(sql`seen_at`)} as "seenAt"
    from inbox_items where web_user_id = ${webUserId} and document_name <> '' order by id desc limit 500`)

const foldedName = sql`fold_text(u.family_name || ' ' || u.given_name)`
const isYearCompatible = sql`(u.year_of_birth = p.year_of_birth or u.year_of_birth is null or p.year_of_birth is null)`

/**
 * Finds possible duplicates of an account, which have the same personnel number, or the same name (folded) and year of
 * birth.
 */
export const listSimilarAccounts = (
  db: Queryable,
  id: number,
): Promise<{ id: number; name: string; email: string }[]> =>
  db.query(sql`
    select u.id, ${fullName} as name, ${emailOrEmpty} as email
    from web_users u join web_users p on p.id = ${id} and p.id <> u.id
    where u.state = any(${HOLDING}) and (u.personnel_number = p.personnel_number and p.personnel_number <> ''
      or ${foldedName} = fold_text(p.family_name || ' ' || p.given_name) and u.family_name <> '' and ${isYearCompatible})
    order by u.id limit 10`)

type Duplicate = ItemOf<typeof duplicates> & { key: string }

/**
 * Pairs of accounts that may belong to the same person.
 * @param after `key` of the last pair of the page before; '' for the first page
 */
export function listDuplicateAccounts(db: Queryable, { limit, after }: KeysetPage<string>): Promise<Duplicate[]> {
  const [why = '', id = '0', other = '0'] = after.split('.')
  return db.query(sql`
    with u as materialized (
      select u.id, ${foldedName} as folded, u.family_name, u.personnel_number, u.year_of_birth,
        json_build_object('id', u.id, 'name', ${fullName}, 'email', ${emailOrEmpty},
          'personnelNumber', u.personnel_number, 'yearOfBirth', u.year_of_birth) as person, (
          select count(*) from bookings b where b.web_user_id = u.id) as bookings
      from web_users u where u.state = any(${HOLDING}) and (u.family_name <> '' or u.personnel_number <> '')
    ), pair as (
      select u.id, p.id as other, 'number' as why from u join u p on p.personnel_number = u.personnel_number
      where u.personnel_number <> '' and u.id < p.id
      union
      select u.id, p.id, 'name' from u join u p on p.folded = u.folded
      where u.family_name <> '' and u.id < p.id and ${isYearCompatible}
        and (u.personnel_number = '' or p.personnel_number = '' or u.personnel_number <> p.personnel_number)
    )
    select case when b.bookings > a.bookings then b.person else a.person end as person,
      case when b.bookings > a.bookings then a.person else b.person end as other, pair.why,
      concat_ws('.', pair.why, a.id, b.id) as key
    from pair join u a on a.id = pair.id join u b on b.id = pair.other
    where ${after} = '' or (pair.why = 'name', a.folded, a.id, b.id) > (${why} = 'name', coalesce((
      select ${foldedName} from web_users u where u.id = ${id}::bigint), ''), ${id}::bigint, ${other}::bigint)
    order by pair.why desc, a.folded, a.id, b.id limit ${limit + 1}`)
}

export type FoundPerson = Pick<PersonRow, 'id' | 'name' | 'email' | 'state' | 'isVerified' | 'version' | 'division'> & {
  personnelNumber: string
  employeeStatus: number | null
  booked: number
}

export type PeopleFilters = {
  status?: number | undefined
  divisionId?: number | undefined
  seasonId?: number | undefined
  owes?: '1' | undefined
  unverified?: '1' | undefined
}

const PLACE = BOOKING_STATUS.Booked

const filterOf = ({ status, divisionId, seasonId, owes, unverified }: PeopleFilters) =>
  sql.join(
    [
      sql`u.deleted_at is null`,
      ...(status === undefined ? [] : [sql`u.employee_status = ${status}`]),
      ...(divisionId === undefined ? [] : [sql`u.division_id = ${divisionId}`]),
      ...(unverified ? [sql`${isOnPayroll} and not ${isPersonVerified}`] : []),
      ...(seasonId === undefined
        ? []
        : [
            sql`exists (
              select from bookings b join courses c on c.id = b.course_id
              where b.web_user_id = u.id and b.cancelled_at is null and b.state = ${PLACE} and c.season_id = ${seasonId})`,
          ]),
      ...(owes ? [isOwing] : []),
    ],
    sql` and `,
  )

/**
 * Pattern that matches a word with at most one error after its first letter: a wrong, missing, added or swapped letter.
 */
export function typoPattern(word: string): string {
  const letters = [...word]
  const escapeLetters = (part: string[]) => part.join('').replace(/[^\p{L}\p{N}]/gu, '\\$&')
  const variants = letters.flatMap((_, index) => {
    if (index === 0) return []
    const [before, after] = [letters.slice(0, index), letters.slice(index)]
    const [first = '', second, ...rest] = after
    return [
      `${escapeLetters(before)}.${escapeLetters(after.slice(1))}`,
      `${escapeLetters(before)}.${escapeLetters(after)}`,
      escapeLetters([...before, ...after.slice(1)]),
      ...(second === undefined ? [] : [escapeLetters([...before, second, first, ...rest])]),
    ]
  })
  return `\\m(?:${variants.join('|')})`
}

/** Words for which errors are tolerated. Too many other words resemble a shorter one; longer ones are no names. */
const CORRECTED_WORD = /^[\p{L}'-]{4,20}$/u
/** Number of words up to which errors are tolerated. A pasted line is searched as it is. */
const MAX_CORRECTED_WORDS = 5

/**
 * SQL condition that a word occurs with at most one error. An error leaves the first or the last half of the word as it
 * is, so that the expensive pattern is compared with few people only.
 */
function resembles(word: string) {
  const letters = [...word]
  const half = Math.floor(letters.length / 2)
  const [first, last] = [letters.slice(0, half).join(''), letters.slice(half + 1).join('')]
  return sql`case when position(${first} in u.search_text) > 0 or position(${last} in u.search_text) > 0
    then u.search_text ~ ${typoPattern(word)} else false end`
}

const wordsOf = (q: string) =>
  foldText(q)
    .split(/[\s,;]+/)
    .filter(Boolean)

const contains = (word: string) => sql`position(${word} in u.search_text) > 0`

const allOf = (conditions: ReturnType<typeof sql>[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

const findPeople = (
  db: Queryable,
  matches: ReturnType<typeof sql>,
  filters: PeopleFilters,
  { limit, after }: KeysetPage<number>,
): Promise<FoundPerson[]> =>
  db.query(sql`
    with found as (
      select u.id from web_users u
      where ${filterOf(filters)} and ${matches}
        and (${after} = 0 or (${byName('u')}, u.id) > (
          select ${byName('p')}, p.id from web_users p where p.id = ${after}))
      order by ${byName('u')}, u.id limit ${limit + 1}
    )
    select u.id, ${fullName} as name, ${emailOrEmpty} as email, u.personnel_number as "personnelNumber", u.state, u.version,
      ${isPersonVerified} as "isVerified", u.employee_status as "employeeStatus",
      coalesce((select d.name from divisions d where d.id = u.division_id), '') as division, (
        select count(*)::int from bookings b
        where b.web_user_id = u.id and b.cancelled_at is null and b.state = ${PLACE}) as booked
    from found join web_users u on u.id = found.id order by ${byName('u')}, u.id`)

/**
 * People for whom each word of the search occurs in their name, personnel number or e-mail address, ordered by name. If
 * nobody matches, one typing error per word is tolerated.
 * @param after last person of the previous page
 */
export async function listPeople(
  db: Queryable,
  q: string,
  filters: PeopleFilters,
  page: KeysetPage<number>,
): Promise<FoundPerson[]> {
  const words = wordsOf(q)
  const exact = allOf(words.map(contains))
  const found = await findPeople(db, exact, filters, page)
  const isCorrectable = words.length <= MAX_CORRECTED_WORDS && words.some(word => CORRECTED_WORD.test(word))
  if (found.length > 0 || !isCorrectable) return found
  // The first page has decided whether errors are tolerated.
  const isExact = page.after > 0 && (await findPeople(db, exact, filters, { limit: 1, after: 0 })).length > 0
  if (isExact) return found
  return findPeople(
    db,
    allOf(words.map(word => (CORRECTED_WORD.test(word) ? resembles(word) : contains(word)))),
    filters,
    page,
  )
}

type Values = { [Field in StoredProfileField]?: string | number | null | undefined }

export const findAccountState = async (tx: Queryable, webUserId: number): Promise<AccountState | null> =>
  (await tx.maybeOne<{ state: AccountState }>(sql`select state from web_users where id = ${webUserId}`))?.state ?? null

/**
 * Inserts a person entered by staff, replacing an unverified registration with the same e-mail address.
 * @param isKnown whether the person is stored as verified, regardless of the HR list
 */
export async function insertPersonRow(
  tx: Queryable,
  values: Values & { email: string },
  isKnown = false,
): Promise<number> {
  await deleteUnverifiedAccounts(tx, [values.email])
  const fields = keysOf(values)
  const { id } = await tx.one<{ id: number }>(sql`
    insert into web_users (is_address_unproved, confirmed_at, known_at, ${sql.raw(fields.map(columnOfProfileField).join(', '))})
    values (${values.email.includes('@')}, clock_timestamp(), case when ${isKnown} then clock_timestamp() end, ${sql.join(fields.map(field => sql`${values[field] ?? null}`))})
    returning id`)
  return id
}

/** Updates a person. A change to status or personnel number requires a new verification. */
export async function updatePersonRow(tx: Queryable, webUserId: number, values: Values): Promise<void> {
  const fields = keysOf(values)
  if (fields.length === 0) return
  const newValue = (field: StoredProfileField) =>
    field in values ? sql`${values[field] ?? null}` : sql.raw(columnOfProfileField(field))
  await tx.execute(sql`select set_config('portal.actor', 'import', true)`)
  await tx.execute(sql`
    update web_users set ${sql.join(fields.map(field => sql`${sql.raw(columnOfProfileField(field))} = ${values[field] ?? null}`))},
      known_at = case when (employee_status, personnel_number, owner_personnel_number) is not distinct from (
        ${newValue('employeeStatus')}::smallint, ${newValue('personnelNumber')}::text, ${newValue('ownerPersonnelNumber')}::text) then known_at end
    where id = ${webUserId} and deleted_at is null`)
}

export const updatePersonLanguage = (tx: Queryable, webUserId: number, language: Language): Promise<number> =>
  tx.execute(sql`update web_users set language = ${language} where id = ${webUserId}`)
