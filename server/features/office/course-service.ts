import type { Consequences } from '#contract/office.ts'
import type { Language } from '#contract/values.ts'
import { formatDate, formatTime, nameIn } from '#contract/words.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import { type ClashScope, listLessonClashes } from '#server/features/courses/lesson-repository.ts'
import { isPublicHoliday } from '#server/holidays/public-holidays.ts'
import { isSchoolHoliday } from '#server/holidays/school-holidays.ts'
import { refreshOpenings } from '#server/import/write/courses.ts'
import { translate } from '#server/texts/translate.ts'
import { findDeskCourse, findDeskLesson, listAudience, touchCourse, updateLessonState } from './course-repository.ts'
import type { Desk } from './desk-service.ts'

type DeskCourse = NonNullable<Awaited<ReturnType<typeof findDeskCourse>>>
type DeskLesson = NonNullable<Awaited<ReturnType<typeof findDeskLesson>>>

/** Locks the course that an act names. @throws NotDone */
export async function openCourse(desk: Desk, courseId: number): Promise<DeskCourse> {
  await desk.open('courses', courseId)
  desk.note({ objects: { courseId } })
  return (await findDeskCourse(desk.tx, courseId)) ?? desk.fail('unknown.courses')
}

/** Locks the course of the lesson that an act names. @throws NotDone */
export async function openLesson(
  desk: Desk,
  courseDateId: number,
): Promise<{ course: DeskCourse; lesson: DeskLesson }> {
  const found = await findDeskLesson(desk.tx, courseDateId)
  if (found === null) desk.fail('unknown.lesson')
  const course = await openCourse(desk, found.courseId)
  // As it is now that its course is locked.
  const lesson = (await findDeskLesson(desk.tx, courseDateId)) ?? desk.fail('unknown.lesson')
  desk.note({ objects: { courseDateId } })
  return { course, lesson }
}

/** What follows for the course when its lessons are others: its own dates stay, and it closes with the last of them. */
export async function lessonsChanged(desk: Desk, courseId: number): Promise<void> {
  await touchCourse(desk.tx, courseId)
  await refreshOpenings(desk.tx)
  desk.programmeChanged()
}

/** Rules of a lesson's time that take a reason. @param date 'YYYY-MM-DD' */
export function askAboutDay(desk: Desk, date: string, isPast: boolean): void {
  const { region } = desk.config
  if (isPast) desk.askReason('reason.past')
  if (isPublicHoliday(region, date) || isSchoolHoliday(region, date)) desk.askReason('reason.holiday')
}

type Clash = Consequences['clashes'][number]

/** Where a lesson, or one of a course or a season, needs a room or an instructor that another one has at the time. */
export const listClashes = async (desk: Desk, of: ClashScope): Promise<(Clash & { name: string })[]> =>
  (await listLessonClashes(desk.tx, of)).map(({ room, instructor, otherCourseId, otherName, at }) => ({
    ...(room && { room }),
    ...(instructor && { instructor }),
    courseId: otherCourseId,
    at,
    name: otherName,
  }))

/** The same, where that takes a reason. */
export async function askAboutClashes(desk: Desk, of: ClashScope): Promise<void> {
  const found = await listClashes(desk, of)
  for (const { name, ...clash } of found) desk.clash(clash)
  for (const { name, ...clash } of found) {
    const what = clash.room ?? clash.instructor ?? ''
    desk.askReason('reason.clash', { what, name, at: clash.at.replace('T', ' ') })
  }
}

/** `24.11.2026, 18:00`. @param heldAt 'YYYY-MM-DD HH:MM:SS' */
export const sayMoment = (heldAt: string): string => {
  const at = toDateTimeValue(heldAt)
  return `${formatDate(at)}, ${formatTime(at)}`
}

type News = {
  key: string
  values?: (language: Language) => Record<string, string>
  note?: string
  note2?: string
  isUrgent?: boolean
  /** of people beside the booked ones: the substitute */
  emails?: string[]
  isForInstructors?: boolean
}

/** Tells everybody who has a place, and with a lesson also who teaches it. */
export async function tellCourse(
  desk: Desk,
  course: DeskCourse,
  { key, values, note = '', note2 = '', isUrgent = false, emails = [], isForInstructors = false }: News,
  people?: number[],
): Promise<void> {
  const wordsIn = (language: Language) => {
    const given = { course: `${nameIn(language, course)} (${course.number})`, ...values?.(language) }
    const title = translate(language, `office.notice.${key}.title`, given)
    const said = language === 'en' && note2 !== '' ? note2 : note
    const text = translate(language, `office.notice.${key}.text`, given).split('\n\n')
    const urgent = isUrgent ? [translate(language, 'office.notice.urgent.text')] : []
    return {
      title: isUrgent ? translate(language, 'office.notice.urgent.title', { title }) : title,
      paragraphs: [...urgent, ...text, ...(said === '' ? [] : [said])],
    }
  }
  const audience = people ?? (await listAudience(desk.tx, course.id, isForInstructors, emails))
  await desk.tell(audience, {
    words: { de: wordsIn('de'), en: wordsIn('en') },
    path: `/course-details/${course.id}`,
    isUrgent,
    isChange: true,
  })
}

/** Cancels a lesson, or lets it take place after all. Tells booked, instructors and substitute; less than a day ahead urgently. */
export async function setLessonState(
  desk: Desk,
  { course, lesson }: { course: DeskCourse; lesson: DeskLesson },
  state: DeskLesson['state'],
  { note = '', note2 = '' }: { note?: string; note2?: string },
): Promise<void> {
  desk.note({ before: { state: lesson.state }, after: { state } })
  desk.noteText([note, note2].filter(Boolean).join('\n'))
  await updateLessonState(desk.tx, lesson.id, state, { note, note2 })
  if (state === 'planned') await askAboutClashes(desk, { lessonId: lesson.id })
  await lessonsChanged(desk, course.id)
  await tellCourse(desk, course, {
    key: state === 'planned' ? 'restoreLesson' : 'cancelLesson',
    note,
    note2,
    isUrgent: lesson.isUrgent,
    isForInstructors: true,
    values: () => ({ at: sayMoment(lesson.heldAt) }),
    emails: lesson.instructorEmail === null ? [] : [lesson.instructorEmail],
  })
}
