import { BOOKING_STATUS, type Language } from '#contract/values.ts'
import { listLessonGuests } from '#server/features/bookings/lesson-place-repository.ts'
import { listBookedPeople } from '#server/features/bookings/office-booking-repository.ts'
import type { OfficeContext } from '#server/office/frame/office-context-service.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { type CourseSnapshot, findOfficeCourseRow, type LessonSnapshot, snapshotCourses } from './course-repository.ts'
import { formatLessonTime, notifyCourseAudience } from './course-service.ts'

type Say = (key: string, values?: Record<string, string | number>) => string

/** `time` is formatted for a notice. */
type TimedLesson = LessonSnapshot & { time: string }

const MAX_LINES = 8
const { Booked, Waitinglist } = BOOKING_STATUS

/** Describes how one lesson changed. A lesson cancelled both before and after the change is not reported. */
function formatLessonChange(
  was: TimedLesson | undefined,
  is: TimedLesson | undefined,
  course: CourseSnapshot,
  say: Say,
): string[] {
  if (was === undefined || is === undefined) {
    if (is !== undefined) return is.isCancelled ? [] : [say('lessonNew', { at: is.time })]
    return was === undefined || was.isCancelled ? [] : [say('lessonGone', { at: was.time })]
  }
  if (was.isCancelled && is.isCancelled) return []
  if (is.isCancelled) return [say('lessonGone', { at: was.time })]
  if (was.isCancelled) return [say('lessonBack', { at: is.time })]
  const ofLesson = (text: string) => `${is.time}: ${text}`
  return [
    ...(was.time === is.time ? [] : [say('time', { from: was.time, to: is.time })]),
    ...(was.place === is.place
      ? []
      : [ofLesson(say('room', { from: was.place || course.place, to: is.place || course.place }))]),
    ...(was.instructor === is.instructor
      ? []
      : [
          ofLesson(
            say('instructor', { from: was.instructor || course.instructor, to: is.instructor || course.instructor }),
          ),
        ]),
  ]
}

function formatLessonChanges(language: Language, before: CourseSnapshot, after: CourseSnapshot, say: Say): string[] {
  const timed = (lesson: LessonSnapshot): TimedLesson => ({
    ...lesson,
    time: formatLessonTime(language, { heldAt: lesson.at, until: lesson.until }),
  })
  const [was, is] = [before, after].map(({ lessons }) => new Map(lessons.map(lesson => [lesson.id, timed(lesson)])))
  const ids = new Set([...before.lessons, ...after.lessons].map(({ id }) => id))
  const lines = [...ids].flatMap(id => formatLessonChange(was?.get(id), is?.get(id), after, say))
  const more = lines.length - MAX_LINES
  return more > 0 ? [...lines.slice(0, MAX_LINES), say('lessonsMore', { count: more })] : lines
}

function listChanges(language: Language, before: CourseSnapshot, after: CourseSnapshot): string[] {
  const say: Say = (key, values) => translate(language, `office.notice.${key}`, values)
  const changed = (key: 'place' | 'instructor', name: string) =>
    before[key] === after[key] ? [] : [say(name, { from: before[key] || '–', to: after[key] || '–' })]
  return [
    ...formatLessonChanges(language, before, after, say),
    ...changed('place', 'room'),
    ...changed('instructor', 'instructor'),
    ...(before.meeting === after.meeting ? [] : [say('meeting')]),
    ...(before.isConfirmed === after.isConfirmed
      ? []
      : [say(after.isConfirmed ? 'confirmCourse.text' : 'unconfirmCourse.text')]),
  ]
}

const timesAndPlacesOf = ({ place, lessons }: CourseSnapshot): string =>
  JSON.stringify([place, lessons.map(({ instructor, email, ...timeAndPlace }) => timeAndPlace)])

/** What the guest of a lesson is notified of. A place ends if its lesson takes place at another time. */
function guestFactsOf({ lessons, place, instructor, meeting }: CourseSnapshot, lessonId: number): string {
  const lesson = lessons.find(({ id }) => id === lessonId)
  return JSON.stringify([lesson?.until, lesson?.place || place, lesson?.instructor || instructor, meeting])
}

/** Substitutes of the changed lessons, or of all lessons if the course itself changed. */
function substitutesConcerned(was: CourseSnapshot, is: CourseSnapshot): string[] {
  const isOfCourse = was.place !== is.place || was.meeting !== is.meeting || was.isConfirmed !== is.isConfirmed
  const unchanged = new Set(
    [was, is]
      .map(({ lessons }) => lessons.map(lesson => JSON.stringify(lesson)))
      .reduce((before, after) => before.filter(lesson => after.includes(lesson))),
  )
  return [...was.lessons, ...is.lessons].flatMap(lesson =>
    lesson.email !== null && (isOfCourse || !unchanged.has(JSON.stringify(lesson))) ? [lesson.email] : [],
  )
}

/**
 * Notifies participants, instructors and substitutes of all changes to courses since a snapshot. Each person gets one
 * notice per course that states the old and new values. People on the waiting list are notified only if the time or the
 * venue has changed, guests only if their lesson has. Cancelled courses are skipped, because their cancellation has its
 * own notice.
 */
export async function notifyCourseChanges(
  office: OfficeContext,
  before: ReadonlyMap<number, CourseSnapshot>,
): Promise<void> {
  if (before.size === 0) return
  const after = await snapshotCourses(office.tx, [...before.keys()])
  for (const [id, was] of before) {
    const is = after.get(id)
    if (!is || is.isCancelled || was.isCancelled || listChanges('de', was, is).length === 0) continue
    const course = await findOfficeCourseRow(office.tx, id)
    if (course === null) continue
    const isMoved = timesAndPlacesOf(was) !== timesAndPlacesOf(is)
    const guests = (await listLessonGuests(office.tx, [id])).filter(
      ({ lessonId }) => guestFactsOf(was, lessonId) !== guestFactsOf(is, lessonId),
    )
    await notifyCourseAudience(
      office,
      course,
      { key: 'changeCourse', values: language => ({ changes: listChanges(language, was, is).join('\n') }) },
      {
        people: [
          ...(await listBookedPeople(office.tx, id, isMoved ? [Booked, Waitinglist] : [Booked])),
          ...guests.map(({ webUserId }) => webUserId),
        ],
        instructors: [...was.emails, ...substitutesConcerned(was, is)],
      },
    )
  }
}
