import { type Queryable, sql } from '#server/db/client.ts'
import { insertBooking, insertCourse, insertInstructorWithSession, insertUserWithSession } from './factories.ts'

type LoggedIn = { id: number; email: string; token: string }
type Values = Record<string, unknown>
type Options = Parameters<typeof insertCourse>[1] & {
  /** a new instructor unless given */
  teacher?: LoggedIn
  /** columns of those who take it; one person unless given */
  people?: [Values, ...Values[]]
  /** columns of their bookings */
  booking?: Values
}

/** A course with an instructor and people who have a place in it, or wait for one, all logged in. */
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
  /** as a tick of the first one at the first lesson names them */
  const tick = { courseDateId: lessonIds[0] ?? 0, webUserId: person.id }
  return { ...course, teacher, person, people, lessonIds, tick }
}
