import { keysOf } from '#contract/records.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { fullName } from '#server/features/session/account-repository.ts'

type Line = { objects?: Record<string, unknown>; people?: unknown }
type Row = { actorId: number | null; line: Line }
type Named = { id: number; name: string }

/** How the audit log refers to rows, by the key of the object. */
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

/** People shown by name with each line. */
const MOST_PEOPLE = 3

const listNamed = (db: Queryable, target: Target, ids: readonly number[]): Promise<Named[]> => {
  const all = sql`any(${[...ids]}::int[])`
  switch (target) {
    case 'people':
      return db.query(
        sql`select u.id, ${fullName} as name from web_users u where u.deleted_at is null and u.id = ${all}`,
      )
    case 'courses':
      return db.query(sql`select id, number || ' ' || name as name from courses where id = ${all}`)
    case 'lessons':
      return db.query(sql`
        select d.id, c.number || ' ' || c.name || ', ' || to_char(d.held_at, 'DD.MM.YYYY HH24:MI') as name
        from course_dates d join courses c on c.id = d.course_id where d.id = ${all}`)
    case 'seasons':
      return db.query(sql`select id, name from seasons where id = ${all}`)
    case 'categories':
      return db.query(sql`select id, name from categories where id = ${all}`)
    case 'divisions':
      return db.query(sql`select id, name from divisions where id = ${all}`)
    case 'rooms':
      return db.query(sql`select id, concat_ws(', ', name, nullif(site, '')) as name from rooms where id = ${all}`)
  }
}

const isId = (value: unknown): value is number => typeof value === 'number'

/** The concerned people shown with a line: the first ones, and the one searched for. */
const concernedBy = ({ people }: Line, sought: number | undefined): number[] => {
  const all = Array.isArray(people) ? people.filter(isId) : []
  return all.filter((id, index) => index < MOST_PEOPLE || id === sought)
}

/**
 * Adds current names to lines of the audit log, which stores none; rows deleted since have no name.
 * @returns also the ids of all people named
 */
export async function addNames<Line extends Row>(db: Queryable, rows: readonly Line[], person: number | undefined) {
  const idsOf = (row: Row, target: Target) => [
    ...TARGETS[target].map(key => row.line.objects?.[key]).filter(isId),
    ...(target === 'people' ? [...(row.actorId === null ? [] : [row.actorId]), ...concernedBy(row.line, person)] : []),
  ]
  const found = new Map<Target, Map<number, string>>()
  for (const target of keysOf(TARGETS)) {
    const ids = [...new Set(rows.flatMap(row => idsOf(row, target)))]
    const named = ids.length === 0 ? [] : await listNamed(db, target, ids)
    found.set(target, new Map(named.map(({ id, name }) => [id, name])))
  }
  const nameOf = (target: Target, id: unknown) => (isId(id) ? found.get(target)?.get(id) : undefined)
  const items = rows.map(row => ({
    ...row,
    actor: nameOf('people', row.actorId) ?? '',
    names: Object.fromEntries(
      keysOf(TARGETS).flatMap(target =>
        TARGETS[target].flatMap(key => {
          const name = nameOf(target, row.line.objects?.[key])
          return name === undefined ? [] : [[key, name] as const]
        }),
      ),
    ),
    concerned: concernedBy(row.line, person).flatMap(id => {
      const name = nameOf('people', id)
      return name === undefined ? [] : [{ id, name }]
    }),
  }))
  return { items, people: [...(found.get('people')?.keys() ?? [])] }
}
