import { sql } from '#server/db/client.ts'
import {
  formatMoment,
  lessonsChanged,
  notifyCourse,
  openCourse,
  requireClashesAccepted,
  requireDayAccepted,
  requireExistingTimes,
} from '../course-service.ts'
import type { ActHandler } from '../desk-service.ts'

/** One more lesson. Tells the booked. */
export const addLesson: ActHandler<'add-lesson'> = async (desk, { courseId, date, startTime, endTime }) => {
  const course = await openCourse(desk, courseId)
  if (course.isCancelled) desk.fail('failed.cancelled')
  if (endTime <= startTime) desk.fail('failed.timeOrder')
  const heldAt = `${date} ${startTime}:00`
  await requireExistingTimes(desk, [heldAt])
  const added = await desk.tx.maybeOne<{ id: number; isPast: boolean }>(sql`
    insert into course_dates (course_id, held_at, ends_at, is_extra) values (${courseId}, ${heldAt}, ${endTime}, true)
    on conflict do nothing returning id, held_at < localtimestamp as "isPast"`)
  if (added === null) return desk.fail('failed.sameTime')
  requireDayAccepted(desk, date, added.isPast)
  await requireClashesAccepted(desk, { lessonId: added.id })
  desk.note({ objects: { courseDateId: added.id }, after: { date, startTime, endTime } })
  await lessonsChanged(desk, courseId)
  await notifyCourse(
    desk,
    course,
    {
      key: 'addLesson',
      values: () => ({ at: formatMoment(heldAt) }),
    },
    { instructors: [] },
  )
  return { courseDateId: added.id }
}
