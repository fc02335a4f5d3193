import { type Queryable, sql } from '#server/db/client.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCourse,
  insertRow,
  insertTick,
  insertUserWithSession,
} from './factories.ts'

type Values = Record<string, unknown>

/** A course of `count` weekly lessons, the last of them yesterday, with a closed list. Keys: columns in camelCase. */
export async function insertPastCourse(db: Queryable, count = 3, values: Values = {}) {
  const dates = Array.from({ length: count }, (_, index) => `${dateFromNow(-1 - 7 * (count - 1 - index))} 18:00`)
  const course = await insertCourse(db, {
    feeCents: 4500,
    energyFeeCents: 0,
    isFreeWithAttendance: true,
    isParticipatingComplete: true,
    ...values,
    dates,
  })
  const lessons = await db.query<{ id: number }>(
    sql`select id from course_dates where course_id = ${course.id} order by held_at`,
  )
  return { ...course, lessonIds: lessons.map(({ id }) => id) }
}
type PastCourse = Awaited<ReturnType<typeof insertPastCourse>>

/** A place since before the first lesson, at the course's price of an employee, with attendance of the first `present` lessons. */
export async function insertPlace(
  db: Queryable,
  course: PastCourse,
  present: number,
  { person = {}, ...values }: Values & { person?: Values } = {},
) {
  const user = await insertUserWithSession(db, { street: 'Weg 1', zip: '38440', city: 'Wolfsburg', ...person })
  const { feeCents } = await db.one<{ feeCents: number }>(
    sql`select fee_cents as "feeCents" from courses where id = ${course.id}`,
  )
  const booking = await insertBooking(db, course.id, user.id, {
    priceCents: feeCents,
    bookedAt: daysFromNow(-200),
    promisedLessons: course.lessonIds.length,
    ...values,
  })
  for (const [index, courseDateId] of course.lessonIds.entries())
    await insertTick(db, { courseDateId, webUserId: user.id, isPresent: index < present, recordedBy: null })
  return { ...user, bookingId: booking.id }
}

/** A proof that waits for the department's decision. */
export const insertProof = (db: Queryable, webUserId: number, values: Values = {}): Promise<{ id: number }> =>
  insertRow(db, 'proofs', {
    webUserId,
    kind: 'shift',
    startsOn: dateFromNow(-60),
    endsOn: dateFromNow(0),
    fileName: 'proof.pdf',
    mediaType: 'application/pdf',
    content: Buffer.from('%PDF-1.4'),
    ...values,
  })
