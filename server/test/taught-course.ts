import { type Queryable, sql } from '#server/platform/db/client.ts'
import { insertBooking, insertCourse, insertInstructorWithSession, insertUserWithSession } from './factories.ts'

type LoggedIn = { id: number; email: string; token: string }
type Values = Record<string, unknown>
type Options = Parameters<typeof insertCourse>[1] & {
  /** instructor; default: a new one */
  teacher?: LoggedIn
  /** columns of the participants; default: one person */
  people?: [Values, ...Values[]]
  /** columns of the participants' bookings */
  booking?: Values
}

/**
 * Inserts a course with an instructor and people who have a place or are on the waiting list. All of them are logged
 * in.
 */
export async function insertTaughtCourse(
  db: Queryable,
  { teacher: given, people: [first, ...more] = [{}], booking, ...values }: Options = {},
) {
  const teacher = given ?? (await insertInstructorWithSession(db))
  const course = await insertCourse(db, { instructorEmails: [teacher.email], ...values })
  const enrol = async (columns: Values): Promise<LoggedIn> => {
    const person = await insertUserWithSession(db, columns)
    await insertBooking(db, course.id, person.id, booking)
    return person
  }
  const person = await enrol(first)
  const people = [person]
  for (const columns of more) people.push(await enrol(columns))
  const lessons = await db.query<{ id: number }>(sql`
    select id from course_dates where course_id = ${course.id} order by held_at`)
  const lessonIds = lessons.map(({ id }) => id)
  /** ids for recording the first person's attendance at the first lesson */
  const tick = { courseDateId: lessonIds[0] ?? 0, webUserId: person.id }
  return { ...course, teacher, person, people, lessonIds, tick }
}
