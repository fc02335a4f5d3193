import { nameIn } from '#contract/words.ts'
import { sql } from '#server/db/client.ts'
import { endBookings, listPeopleIn } from '#server/features/bookings/desk-repository.ts'
import { refreshOpenings } from '#server/import/write/courses.ts'
import { translate } from '#server/texts/translate.ts'
import { openCourse, tellCourse } from '../course-service.ts'
import type { ActHandler } from '../desk-service.ts'

/** All bookings and waits end without charge. Tells them, with the courses of the category that have free places. */
export const cancelCourse: ActHandler<'cancel-course'> = async (desk, { courseId, note = '', note2 = '' }) => {
  const { tx } = desk
  const course = await openCourse(desk, courseId)
  if (course.isCancelled) return
  if (course.isOver) desk.fail('failed.over')
  const people = await listPeopleIn(tx, courseId, [1, 2])
  await endBookings(tx, courseId)
  await tx.execute(sql`
    update courses set cancelled_at = clock_timestamp(), note = ${note}, note2 = ${note2}, revision = revision + 1 where id = ${courseId}`)
  await refreshOpenings(tx)
  desk.programmeChanged()
  desk.note({ before: { cancelled: false }, after: { cancelled: true, bookings: people.length } })
  desk.noteText([note, note2].filter(Boolean).join('\n'))
  const free = await tx.query<{ number: string; name: string; name2: string }>(sql`
    select c.number, c.name, c.name2 from courses c join seasons s on s.id = c.season_id
    where c.category_id = ${course.categoryId} and c.id <> ${courseId} and c.taken < c.capacity and c.cancelled_at is null
      and not s.is_draft and s.viewable_from <= clock_timestamp() and c.closes_at > clock_timestamp()
    order by c.starts_on, c.start_time limit 10`)
  await tellCourse(
    desk,
    course,
    {
      ...{ key: 'cancelCourse', note, note2 },
      values: language => {
        const courses = free.map(other => `${nameIn(language, other)} (${other.number})`).join(', ')
        return { free: courses === '' ? '' : translate(language, 'office.notice.free', { courses }) }
      },
    },
    people,
  )
}
