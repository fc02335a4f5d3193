import type { Language } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import { listAlternatives } from '#server/features/bookings/alternative-service.ts'
import { listLessonGuests } from '#server/features/bookings/lesson-place-repository.ts'
import { listActiveBookings, listPeopleOfCancelledCourse } from '#server/features/bookings/office-booking-repository.ts'
import type { ActiveBookingState } from '#server/features/bookings/repository.ts'
import type { OfficeContext } from '#server/office/frame/office-context-service.ts'
import { type Notice, type NoticeDelivery, noticeTitle } from '#server/platform/outbox/notices.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { findOfficeCourseRow, listInstructorsByCourse, type OfficeCourseRow } from './course-repository.ts'
import { type CourseNotice, notifyCourseAudience, notifyInstructors, toCourseNotice } from './course-service.ts'
import { listSubstitutes } from './lesson-repository.ts'
import { findAccountId } from './table-repository.ts'

/** Change to a course, and the people to notify in addition to the course's instructors. */
export type CourseUpdate = {
  course: OfficeCourseRow
  /** notice to recipients affected by this update only */
  notice: CourseNotice
  /** line about this update in the notice to recipients affected by several updates */
  line(language: Language): string
  /** booking states (seat or waiting list) of the people to notify */
  states: readonly ActiveBookingState[]
  /** lesson whose guests are notified, too; `venue`: those of the coming lessons at the venue of the course */
  guestsOf?: number | 'venue'
  /** whether another e-mail of the same action already informs this person of the update */
  isTold?(webUserId: number): boolean
  /** e-mail addresses of additional recipients: substitutes and former instructors */
  instructors: readonly string[]
}

/**
 * An instructor who is notified of the action itself (for example of an absence) in addition to the lessons that it
 * changes.
 */
type Concerned = {
  instructorEmail: string
  key: string
  values: Record<string, string>
  note?: string | undefined
  note2?: string | undefined
}

/**
 * Combines several updates into one notice that lists the courses in order.
 * @param list page of the recipients' courses, for updates of more than one
 */
function noticeOfSeveral(
  updates: readonly CourseUpdate[],
  list: '/courses/booked' | '/courses/instructor',
  concerned?: Concerned,
): Notice {
  const courses = [...new Map(updates.map(({ course }) => [course.id, course])).values()]
  const [course] = courses
  const isOne = courses.length === 1 && course !== undefined && concerned === undefined
  const isUrgent = updates.some(({ notice }) => notice.isUrgent)
  const wordsIn = (language: Language) => {
    const say = (key: string, values?: Record<string, string | number>) =>
      translate(language, `office.notice.${key}`, values)
    const nameOf = (one: OfficeCourseRow) => `${nameInLanguage(language, one)} (${one.number})`
    const linesOf = ({ id }: OfficeCourseRow) =>
      updates.filter(update => update.course.id === id).map(({ line }) => line(language))
    const [news, ...more] = isOne
      ? [say('changeCourse.text', { changes: linesOf(course).join('\n') })]
      : [
          concerned ? say(`${concerned.key}.text`, concerned.values) : say('changeCourses.text'),
          ...courses.map(one => [nameOf(one), ...linesOf(one)].join('\n')),
        ]
    const titleWith = (shown: string) => {
      const title = concerned
        ? say(`${concerned.key}.title`, concerned.values)
        : isOne
          ? say('changeCourse.title', { course: shown })
          : say('changeCourses.title', { count: courses.length })
      return isUrgent ? say('urgent.title', { title }) : title
    }
    const { note = '', note2 = '' } = concerned ?? updates[0]?.notice ?? {}
    const said = language === 'en' && note2 !== '' ? note2 : note
    return {
      ...noticeTitle(titleWith, isOne ? nameOf(course) : ''),
      paragraphs: [...(isUrgent ? [say('urgent.text')] : []), news ?? '', ...more, ...(said === '' ? [] : [said])],
    }
  }
  return {
    words: { de: wordsIn('de'), en: wordsIn('en') },
    path: isOne ? `/course-details/${course.id}` : list,
    isUrgent,
    changedCourseIds: courses.map(({ id }) => id),
  }
}

/** Notifies everyone affected by the updates. Each recipient gets one notice about all updates that concern them. */
export async function notifyUpdates(
  office: OfficeContext,
  updates: readonly CourseUpdate[],
  concerned?: Concerned,
): Promise<void> {
  if ((updates.length === 0 && !concerned) || office.isQuiet) return
  const courseIds = [...new Set(updates.map(({ course }) => course.id))]
  const bookings = Map.groupBy(await listActiveBookings(office.tx, courseIds), ({ courseId }) => courseId)
  const guests = await listLessonGuests(office.tx, courseIds)
  const teaching = await listInstructorsByCourse(
    office.tx,
    updates.map(({ course, instructors }) => ({ courseId: course.id, emails: instructors })),
  )
  const recipients = new Map<number | string, number[]>()
  const attending = new Set<number | string>()
  const names = new Set<string>()
  for (const [index, { course, states, guestsOf, isTold }] of updates.entries()) {
    const booked = bookings.get(course.id) ?? []
    const { people = [], addresses = [], names: named = [] } = teaching[index] ?? {}
    const participants = booked.flatMap(({ webUserId, state }) =>
      states.includes(state) && !isTold?.(webUserId) ? webUserId : [],
    )
    const visiting = guests.flatMap(({ courseId, lessonId, webUserId, hasOwnVenue }) =>
      guestsOf === lessonId || (guestsOf === 'venue' && courseId === course.id && !hasOwnVenue) ? webUserId : [],
    )
    for (const recipient of [...participants, ...visiting]) attending.add(recipient)
    for (const recipient of new Set([...participants, ...visiting, ...people, ...addresses])) {
      const concerning = recipients.get(recipient)
      if (concerning) concerning.push(index)
      else recipients.set(recipient, [index])
    }
    for (const name of named) names.add(name)
  }
  const deliveries: NoticeDelivery[] = []
  if (concerned) {
    const { instructorEmail } = concerned
    const recipient = (await findAccountId(office.tx, instructorEmail)) ?? instructorEmail
    const own = (recipients.get(recipient) ?? []).flatMap(index => updates[index] ?? [])
    recipients.delete(recipient)
    deliveries.push(deliveryTo([recipient], noticeOfSeveral(own, '/courses/instructor', concerned)))
  }
  const listOf = (recipient: number | string) => (attending.has(recipient) ? '/courses/booked' : '/courses/instructor')
  const groups = Map.groupBy(
    recipients.keys(),
    recipient => `${listOf(recipient)} ${(recipients.get(recipient) ?? []).join()}`,
  )
  for (const group of groups.values()) {
    const [first = ''] = group
    const concerning = (recipients.get(first) ?? []).flatMap(index => updates[index] ?? [])
    const [only] = concerning
    const notice =
      only && concerning.length === 1
        ? toCourseNotice(only.course, only.notice)
        : noticeOfSeveral(concerning, listOf(first))
    deliveries.push(deliveryTo(group, notice))
  }
  const instructors = teaching.flatMap(({ people }) => people)
  await office.sendDeliveries(
    deliveries.map(delivery => ({ ...delivery, instructors })),
    names,
  )
}

/**
 * Creates the delivery of a notice to several recipients.
 * @param recipients account ids, and e-mail addresses that belong to no account
 */
const deliveryTo = (recipients: readonly (number | string)[], notice: Notice): NoticeDelivery => ({
  people: recipients.filter(recipient => typeof recipient === 'number'),
  addresses: recipients.filter(recipient => typeof recipient === 'string'),
  notice,
})

/**
 * Notifies people whose bookings ended because a course was cancelled, and the course's instructors and substitutes.
 * Suggests courses of the same category in which the person can book a seat now.
 */
export async function notifyOfCourseCancellation(
  office: OfficeContext,
  course: OfficeCourseRow,
  people: number[],
  note = '',
  note2 = '',
): Promise<void> {
  const alternatives = await listAlternatives(office.tx, office.config.region, course.id, people)
  const groups = Map.groupBy(alternatives, ([, found]) => found.map(({ course: { id } }) => id).join())
  for (const group of groups.values()) {
    const free = group[0]?.[1] ?? []
    await notifyCourseAudience(
      office,
      course,
      {
        key: 'cancelCourse',
        note,
        note2,
        values: language => {
          const courses = free
            .map(({ course: other }) => `${nameInLanguage(language, other)} (${other.number})`)
            .join(', ')
          return { free: courses === '' ? '' : translate(language, 'office.notice.free', { courses }) }
        },
      },
      { people: group.map(([webUserId]) => webUserId) },
    )
  }
  const instructors = await listSubstitutes(office.tx, course.id)
  await notifyInstructors(office, course, { key: 'cancelTaughtCourse', note, note2 }, { people, instructors })
}

/**
 * Notifies the instructors and substitutes of a restored course, and the people whose booking or waiting-list entry its
 * cancellation ended, unless it is over.
 */
export async function notifyOfCourseRestoration(
  office: OfficeContext,
  courseId: number,
  { note = '', note2 = '' }: { note?: string | undefined; note2?: string | undefined },
): Promise<void> {
  // Read anew: a cancelled course is over, and whether the restored one is depends on its lessons.
  const course = await findOfficeCourseRow(office.tx, courseId)
  if (course === null) return
  const people = course.isOver ? [] : await listPeopleOfCancelledCourse(office.tx, courseId)
  await notifyCourseAudience(office, course, { key: 'restoreBookedCourse', note, note2 }, { people })
  const instructors = await listSubstitutes(office.tx, courseId)
  await notifyInstructors(office, course, { key: 'restoreCourse', note, note2 }, { people, instructors })
}
