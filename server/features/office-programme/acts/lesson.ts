import { sql } from '#server/db/client.ts'
import type { ActHandler } from '#server/features/office/desk-service.ts'
import { translate } from '#server/texts/translate.ts'
import { findDeskLesson } from '../course-repository.ts'
import {
  formatMoment,
  lessonsChanged,
  listEverybodyIn,
  notifyCourse,
  openCourse,
  openLesson,
  requireClashesAccepted,
  requireDayAccepted,
  requireExistingTimes,
  setLessonState,
} from '../course-service.ts'

/** Another time, room or instructor. Tells the booked, the instructors and the substitute: the old and the new value. */
export const changeLesson: ActHandler<'change-lesson'> = async (desk, act) => {
  const { courseDateId, date, startTime, endTime, roomId, venue, instructorEmail, note = '', note2 = '' } = act
  const { course, lesson } = await openLesson(desk, courseDateId)
  const { tx } = desk
  if (lesson.isAttended) desk.askReason('reason.attended')
  const heldAt = `${date ?? lesson.heldAt.slice(0, 10)} ${startTime === undefined ? lesson.heldAt.slice(11) : `${startTime}:00`}`
  const isMoved = heldAt !== lesson.heldAt
  if (endTime !== undefined && endTime <= heldAt.slice(11, 16)) desk.fail('failed.timeOrder')
  if (isMoved) {
    await requireExistingTimes(desk, [heldAt])
    const taken = await tx.query(sql`
      select from course_dates where course_id = ${course.id} and held_at = ${heldAt} and id <> ${courseDateId}`)
    if (taken.length > 0) desk.fail('failed.sameTime')
  }
  if (roomId && (await tx.query(sql`select from rooms where id = ${roomId}`)).length === 0) desk.fail('unknown.rooms')
  const substitute = instructorEmail === '' ? null : instructorEmail
  if (substitute && (await tx.query(sql`select from instructors where email = ${substitute}`)).length === 0)
    desk.fail('failed.unknownInstructor')
  const sets = [
    // Back where it was, it has not moved.
    ...(isMoved
      ? [
          sql`held_at = ${heldAt}, moved_from = case when is_extra then null else nullif(coalesce(moved_from, held_at), ${heldAt}) end`,
        ]
      : []),
    ...(endTime === undefined ? [] : [sql`ends_at = ${endTime}`]),
    ...(roomId === undefined ? [] : [sql`room_id = ${roomId}`]),
    ...(venue === undefined ? [] : [sql`venue = nullif(${venue}, '')`]),
    ...(substitute === undefined ? [] : [sql`instructor_email = ${substitute}`]),
    sql`note = ${note}, note2 = ${note2}`,
  ]
  await tx.execute(sql`update course_dates set ${sql.join(sets)} where id = ${courseDateId}`)
  const after = await findDeskLesson(tx, courseDateId)
  if (after === null) return
  if (isMoved) requireDayAccepted(desk, heldAt.slice(0, 10), after.isPast)
  await requireClashesAccepted(desk, { lessonId: courseDateId })
  desk.note({
    before: { heldAt: lesson.heldAt, venue: lesson.venue, hasSubstitute: lesson.instructorEmail !== null },
    after: { heldAt, venue: after.venue, hasSubstitute: after.instructorEmail !== null },
  })
  desk.noteText([note, note2].filter(Boolean).join('\n'))
  await lessonsChanged(desk, course.id)
  const findName = async (email: string | null) =>
    email === null
      ? course.instructor
      : ((
          await tx.maybeOne<{ name: string }>(sql`
            select concat_ws(' ', nullif(given_name, ''), family_name) as name from instructors where email = ${email}`)
        )?.name ?? '')
  const [from, to] = [await findName(lesson.instructorEmail), await findName(after.instructorEmail)]
  const changes = [
    ...(isMoved ? [{ key: 'time', from: formatMoment(lesson.heldAt), to: formatMoment(heldAt) }] : []),
    ...(lesson.venue === after.venue ? [] : [{ key: 'room', from: lesson.venue, to: after.venue }]),
    ...(from === to ? [] : [{ key: 'instructor', from, to }]),
  ]
  await notifyCourse(
    desk,
    course,
    {
      key: 'changeLesson',
      note,
      note2,
      isUrgent: lesson.isUrgent || after.isUrgent,
      values: language => ({
        at: formatMoment(lesson.heldAt),
        changes: changes.map(({ key, ...values }) => translate(language, `office.notice.${key}`, values)).join('\n'),
      }),
    },
    {
      ...((isMoved || endTime !== undefined || lesson.venue !== after.venue) && {
        people: await listEverybodyIn(desk, course.id),
      }),
      instructors: [lesson.instructorEmail, after.instructorEmail].flatMap(email => email ?? []),
    },
  )
}

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

/** Stays visible as cancelled. */
export const cancelLesson: ActHandler<'cancel-lesson'> = async (desk, { courseDateId, ...notes }) => {
  const opened = await openLesson(desk, courseDateId)
  const { state, isAttended, isPast } = opened.lesson
  if (state === 'cancelled') return
  if (isAttended) desk.askReason('reason.attended')
  else if (isPast) desk.askReason('reason.past')
  await setLessonState(desk, opened, 'cancelled', notes)
}

/** Takes place after all. */
export const restoreLesson: ActHandler<'restore-lesson'> = async (desk, { courseDateId, ...notes }) => {
  const opened = await openLesson(desk, courseDateId)
  const { state, isPast } = opened.lesson
  if (state === 'planned') return
  if (isPast) desk.askReason('reason.past')
  await setLessonState(desk, opened, 'planned', notes)
}
