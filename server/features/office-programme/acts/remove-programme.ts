import { sql } from '#server/db/client.ts'
import type { SqlFragment } from '#server/db/sql.ts'
import { lessons } from '#server/features/courses/lesson-repository.ts'
import type { Desk } from '#server/features/office/desk-service.ts'
import { findDeskLesson } from '../course-repository.ts'
import { lessonsChanged, openCourse } from '../course-service.ts'
import { isThere } from '../table-repository.ts'

const requireUnused = async (desk: Desk, use: SqlFragment) => {
  if (await isThere(desk.tx, use)) desk.fail('failed.inUse')
}

const attendanceOf = (lessonIds: SqlFragment) => sql`
  select from attendances a where a.course_date_id in (${lessonIds})
  union all select from attendance_changes a where a.course_date_id in (${lessonIds})`

/** Courses that nobody ever booked, with their lessons. Locked, so that nobody books meanwhile. */
async function deleteCourses(desk: Desk, courseIds: SqlFragment): Promise<void> {
  const { tx } = desk
  await requireUnused(desk, sql`select from bookings where course_id in (${courseIds})`)
  await requireUnused(desk, sql`select from albums where course_id in (${courseIds})`)
  await requireUnused(desk, attendanceOf(sql`select id from course_dates where course_id in (${courseIds})`))
  await tx.execute(sql`delete from course_dates where course_id in (${courseIds})`)
  await tx.execute(sql`delete from courses where id in (${courseIds})`)
  desk.programmeChanged()
}

/** @throws NotDone when bookings, attendance or an album are in the way, or it is not as it was read */
export async function removeCourse(desk: Desk, id: number): Promise<void> {
  const { number } = await openCourse(desk, id)
  desk.note({ before: { number } })
  await deleteCourses(desk, sql`select ${id}::int`)
}

/** With its courses. */
export async function removeSeason(desk: Desk, id: number): Promise<void> {
  const { tx } = desk
  await desk.open('seasons', id)
  const courses = await tx.query<{ number: string }>(sql`
    select number from courses where season_id = ${id} order by id for update`)
  desk.note({ before: { courses: courses.map(({ number }) => number) } })
  await deleteCourses(desk, sql`select id from courses where season_id = ${id}`)
  await tx.execute(sql`delete from seasons where id = ${id}`)
}

/** A lesson that nobody is booked for: of a course with people in it, it is cancelled instead, and they hear of it. */
export async function removeLesson(desk: Desk, id: number): Promise<void> {
  const found = await findDeskLesson(desk.tx, id)
  if (found === null) return desk.fail('unknown.lesson')
  await openCourse(desk, found.courseId)
  await requireUnused(desk, sql`select from bookings where course_id = ${found.courseId} and cancelled_at is null`)
  await requireUnused(desk, attendanceOf(sql`select ${id}::int`))
  desk.note({ before: { heldAt: found.heldAt } })
  await desk.tx.execute(sql`delete from course_dates where id = ${id}`)
  await lessonsChanged(desk, found.courseId)
}

/** @throws NotDone when a lesson needs it, or it is not as it was read */
export async function removeRoom(desk: Desk, id: number): Promise<void> {
  await desk.open('rooms', id)
  await requireUnused(desk, sql`select from ${lessons} where room_id = ${id}`)
  await desk.tx.execute(sql`delete from rooms where id = ${id}`)
  desk.programmeChanged()
}
