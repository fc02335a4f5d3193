import { createHash } from 'node:crypto'
import type { ItemOf } from '#contract/endpoint.ts'
import type * as contract from '#contract/office/office.ts'
import { keysOf } from '#contract/records.ts'
import type { Language } from '#contract/values.ts'
import { emailOrEmpty, fullName } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { selectName } from '#server/platform/db/name-in-language.ts'
import type { KeysetPage } from '#server/platform/http/pagination.ts'

type Line = { objects?: Record<string, unknown>; people?: unknown }
type Row = { actorId: number | null; line: Line }
type Named = { id: number; name: string }

/** Kinds of rows that audit log entries refer to, with the keys that contain their ids. */
const TARGETS = {
  people: ['webUserId', 'intoWebUserId'],
  courses: ['courseId', 'fromCourseId', 'toCourseId'],
  lessons: ['courseDateId'],
  seasons: ['seasonId', 'fromSeasonId'],
  categories: ['categoryId'],
  divisions: ['divisionId'],
  rooms: ['roomId'],
} as const
type Target = keyof typeof TARGETS
/** Keys that contain the ids of several rows. Their changes are stored by id. */
const LISTS: { target: Target; key: string }[] = [
  { target: 'lessons', key: 'courseDateIds' },
  { target: 'courses', key: 'courseIds' },
]
/** Maximum number of rows of a list whose names an entry contains. */
const MOST_LISTED = 50

/** Maximum number of people whom an audit log entry shows by name. */
const MOST_PEOPLE = 3

const listNamed = (db: Queryable, target: Target, ids: readonly number[], language: Language): Promise<Named[]> => {
  const all = sql`any(${[...ids]}::int[])`
  const shownName = selectName(language, sql`t.name`, sql`t.name2`)
  switch (target) {
    case 'people':
      // Invited people have no name yet.
      return db.query(sql`
        select u.id, coalesce(nullif(${fullName}, ''), nullif(${emailOrEmpty}, ''), '#' || u.id) as name
        from web_users u where u.deleted_at is null and u.id = ${all}`)
    case 'courses':
      return db.query(sql`select t.id, t.number || ' ' || ${shownName} as name from courses t where t.id = ${all}`)
    case 'lessons':
      return db.query(sql`
        select d.id, t.number || ' ' || ${shownName} || ', ' || to_char(d.held_at, 'DD.MM.YYYY HH24:MI') as name
        from course_dates d join courses t on t.id = d.course_id where d.id = ${all}`)
    case 'seasons':
      return db.query(sql`select t.id, ${shownName} as name from seasons t where t.id = ${all}`)
    case 'categories':
      return db.query(sql`select t.id, ${shownName} as name from categories t where t.id = ${all}`)
    case 'divisions':
      return db.query(sql`select id, name from divisions where id = ${all}`)
    case 'rooms':
      return db.query(sql`select id, concat_ws(', ', name, nullif(site, '')) as name from rooms where id = ${all}`)
  }
}

const isId = (value: unknown): value is number => typeof value === 'number'

const listedIds = ({ objects }: Line, key: string): number[] => {
  const ids = objects?.[key]
  // Stored as an array or, separated by spaces, as text.
  const all = Array.isArray(ids) ? ids : typeof ids === 'string' ? ids.split(' ').map(Number) : []
  return all.filter(id => Number.isInteger(id)).slice(0, MOST_LISTED)
}

/** Affected people to show with an entry: the first few, and the person searched for. */
const concernedBy = ({ people }: Line, sought: number | undefined): number[] => {
  const all = Array.isArray(people) ? people.filter(isId) : []
  return all.filter((id, index) => index < MOST_PEOPLE || id === sought)
}

/**
 * Adds current names to audit log entries, which store no names. Deleted rows get none.
 * @returns the entries, and the ids of all people named
 */
export async function addCurrentNamesToEntries<Line extends Row>(
  db: Queryable,
  rows: readonly Line[],
  person: number | undefined,
  language: Language,
) {
  const idsOf = (row: Row, target: Target) => [
    ...TARGETS[target].map(key => row.line.objects?.[key]).filter(isId),
    ...LISTS.flatMap(list => (list.target === target ? listedIds(row.line, list.key) : [])),
    ...(target === 'people' ? [...(row.actorId === null ? [] : [row.actorId]), ...concernedBy(row.line, person)] : []),
  ]
  const found = new Map<Target, Map<number, string>>()
  for (const target of keysOf(TARGETS)) {
    const ids = [...new Set(rows.flatMap(row => idsOf(row, target)))]
    const named = ids.length === 0 ? [] : await listNamed(db, target, ids, language)
    found.set(target, new Map(named.map(({ id, name }) => [id, name])))
  }
  const nameOf = (target: Target, id: unknown) => (isId(id) ? found.get(target)?.get(id) : undefined)
  /** Names of the rows of a list, by id and, under the key of the list, together. */
  const listNames = (line: Row['line']) =>
    LISTS.flatMap(({ target, key }) => {
      const named = listedIds(line, key).map(id => [String(id), nameOf(target, id) ?? `#${id}`] as const)
      return named.length === 0 ? [] : [[key, named.map(([, name]) => name).join('; ')] as const, ...named]
    })
  const items = rows.map(row => ({
    ...row,
    actor: nameOf('people', row.actorId) ?? '',
    names: Object.fromEntries([
      ...keysOf(TARGETS).flatMap(target =>
        TARGETS[target].flatMap(key => {
          const name = nameOf(target, row.line.objects?.[key])
          return name === undefined ? [] : [[key, name] as const]
        }),
      ),
      ...listNames(row.line),
    ]),
    concerned: concernedBy(row.line, person).flatMap(id => {
      const name = nameOf('people', id)
      return name === undefined ? [] : [{ id, name }]
    }),
  }))
  return { items, people: [...(found.get('people')?.keys() ?? [])] }
}

/** Audit log entry, without personal names. */
export type AuditLogEntry = {
  kind: string
  /** account that performed the action; null for a service token or a command */
  actorId: number | null
  /** service token that performed the action */
  tokenId?: number
  /** ids of the affected rows */
  objects: Record<string, unknown>
  before: Record<string, unknown>
  after: Record<string, unknown>
  /** numbers of resulting e-mails, messages, bookings and so on */
  counts: Record<string, number>
  /** rules overridden with a reason */
  rules: string[]
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest()
export const chainedHash = (previous: Buffer, line: string): Buffer =>
  sha256(Buffer.concat([previous, Buffer.from(line)]))
/** Previous hash stored in the first entry of the hash chain. */
export const INITIAL_HASH = Buffer.alloc(32)

/** Last entry of the audit log: its number and hash (hexadecimal). */
export type LastAuditLogEntry = { number: number; hash: string }

/**
 * Time after which the audit anchor (last entry number and hash, stored outside the database) must cover an entry. Each
 * server updates its audit anchor once a minute to cover entries written by other servers.
 */
const ANCHOR_TOLERANCE = '3 minutes'

export const findLastAuditLogEntry = (db: Queryable): Promise<LastAuditLogEntry | null> =>
  db.maybeOne(sql`select number, encode(hash, 'hex') as hash from office_record order by number desc limit 1`)

export const isEntryInAuditLog = async (db: Queryable, { number, hash }: LastAuditLogEntry): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from office_record where number = ${number} and hash = decode(${hash}, 'hex')`)) !== null

/**
 * Finds the last audit log entry that the audit anchor should cover but does not; null if there is none.
 * @param anchored number of the entry in the audit anchor
 */
export const findUnanchoredEntry = async (db: Queryable, anchored: number): Promise<number | null> =>
  (
    await db.one<{ number: number | null }>(sql`
      select max(number)::int as number from office_record
      where number > ${anchored} and acted_at < clock_timestamp() - ${ANCHOR_TOLERANCE}::interval`)
  ).number

/**
 * Appends an entry to the audit log within the action's transaction. Concurrent writers wait until it ends.
 * @param text free text, stored beside the entry and erased with the data of the people it is about
 * @param concerns affected people and courses, hashed with the entry and stored as rows for searching
 * @returns its number
 */
export async function insertAuditLogEntry(
  tx: Queryable,
  line: AuditLogEntry,
  text: string,
  concerns: { people: number[]; courses: number[] },
): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('office_record'))`)
  const last = await findLastAuditLogEntry(tx)
  const { at, people, courses } = await tx.one<{ at: Date; people: number[]; courses: number[] }>(sql`
    select date_trunc('milliseconds', clock_timestamp()) as at,
      array(select id from web_users where id = any(${concerns.people}::int[]) order by 1) as people,
      array(select distinct unnest(${concerns.courses}::int[]) order by 1) as courses`)
  const number = (last?.number ?? 0) + 1
  const written = JSON.stringify({
    number,
    at: at.toISOString(),
    ...line,
    people,
    courses,
    text: text === '' ? null : sha256(text).toString('hex'),
  })
  const hash = chainedHash(last ? Buffer.from(last.hash, 'hex') : INITIAL_HASH, written)
  await tx.execute(sql`insert into office_record (number, line, hash) values (${number}, ${written}, ${hash})`)
  if (text !== '')
    await tx.execute(sql`insert into office_record_texts (record_number, text) values (${number}, ${text})`)
  await tx.execute(sql`
    insert into office_record_people (web_user_id, record_number) select unnest(${people}::int[]), ${number}::bigint`)
  await tx.execute(sql`
    insert into office_record_courses (course_id, record_number) select unnest(${courses}::int[]), ${number}::bigint`)
  return number
}

export const listAuditLog = (
  db: Queryable,
  { kind, person, course, from, to }: { kind?: string; person?: number; course?: number; from?: string; to?: string },
  { limit, after }: KeysetPage<number>,
): Promise<(Omit<ItemOf<typeof contract.listRecord>, 'line' | 'actor' | 'names' | 'concerned'> & { line: string })[]> =>
  db.query(sql`
    select r.number as "recordId", to_char(r.acted_at, 'YYYY-MM-DD"T"HH24:MI:SS') as at, r.kind, r.actor_id as "actorId", r.line,
      (select t.name from service_tokens t where t.id = (r.line::json ->> 'tokenId')::int) as program,
      coalesce((
        select t.text from office_record_texts t
        where t.record_number = r.number and encode(sha256(convert_to(t.text, 'UTF8')), 'hex') = r.line::json ->> 'text'), '') as text
    from office_record r
    where (${after} = 0 or r.number < ${after}) and (${kind ?? null}::text is null or r.kind = ${kind ?? null})
      and (${person ?? null}::int is null or exists (
        select from office_record_people p where p.record_number = r.number and p.web_user_id = ${person ?? null}))
      and (${course ?? null}::int is null or exists (
        select from office_record_courses c where c.record_number = r.number and c.course_id = ${course ?? null}))
      and (${from ?? null}::date is null or r.acted_at::date >= ${from ?? null}::date)
      and (${to ?? null}::date is null or r.acted_at::date <= ${to ?? null}::date)
    order by r.number desc limit ${limit + 1}`)
