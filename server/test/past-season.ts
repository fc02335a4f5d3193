import { join } from 'node:path'
import { type Database, openDatabase, type Queryable, sql } from '#server/platform/db/client.ts'
import { insertBooking, insertTick, insertWebUser } from './factories.ts'
import { insertPastCourse } from './money-scene.ts'

export type { Queryable } from '#server/platform/db/client.ts'

type Values = Record<string, unknown>

/** Runs `work` on the database of a running portal, because past seasons cannot be created through its API. */
export async function withPortalDatabase<Result>(
  dataDir: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const connection = { host: join(dataDir, 'postgres'), port: 5432, user: 'portal', database: 'postgres' }
  const db = openDatabase({ connection, timeZone: 'Europe/Berlin', poolSize: 1 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Inserts people whose fees can be billed by payroll or invoice. */
export const insertPayers = (
  db: Queryable,
  billingTypes: readonly (1 | 3)[],
): Promise<{ id: number; email: string }[]> =>
  Promise.all(
    billingTypes.map((billingType, index) =>
      insertWebUser(db, {
        givenName: 'Kim',
        familyName: `Muster ${index + 1}`,
        street: 'Weg 1',
        zip: '38440',
        city: 'Salzstadt',
        billingType,
        personnelNumber: `77${billingType}${String(index).padStart(4, '0')}${Math.trunc(Math.random() * 1_000)}`,
        knownAt: new Date(),
      }),
    ),
  )

/** Inserts past courses with three lessons and completed attendance lists; nobody attended regularly. */
export async function insertPastCourses(
  db: Queryable,
  count: number,
  people: readonly { id: number }[],
  values: Values = {},
): Promise<number[]> {
  // The oldest course belongs to a season that is over.
  const place = await db.one<Values>(sql`
    select season_id as "seasonId", category_id as "categoryId" from courses order by id limit 1`)
  const courseIds = []
  for (let index = 0; index < count; index++) {
    const course = await insertPastCourse(db, 3, { ...place, name: `Alter Kurs ${index + 1}`, ...values })
    courseIds.push(course.id)
    for (const { id } of people) {
      await insertBooking(db, course.id, id, {
        priceCents: 4500,
        bookedAt: new Date(Date.now() - 200 * 86_400_000),
        promisedLessons: 3,
      })
      for (const courseDateId of course.lessonIds)
        await insertTick(db, { courseDateId, webUserId: id, isPresent: false, recordedBy: null })
    }
  }
  return courseIds
}

/** Inserts a past course with three lessons in the season of the oldest course. */
export async function insertPastCourseNamed(db: Queryable, name: string) {
  const place = await db.one<Values>(sql`
    select season_id as "seasonId", category_id as "categoryId" from courses order by id limit 1`)
  return insertPastCourse(db, 3, { ...place, name })
}

/** Resets the attendance of a lesson, as if nobody had recorded it. */
export const unrecordLesson = (db: Queryable, courseDateId = 0): Promise<number> =>
  db.execute(sql`update attendances set is_present = null where course_date_id = ${courseDateId}`)
