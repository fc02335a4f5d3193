import { nameIn } from '#contract/words.ts'
import type { Desk } from '#server/features/office/desk-service.ts'
import { translate } from '#server/texts/translate.ts'
import { type DeskCourse, listFreeCourses } from './course-repository.ts'
import { notifyCourse, notifyInstructors } from './course-service.ts'
import { listSubstitutes } from './lesson-repository.ts'

/** Notifies those whose bookings a cancelled course ended, with free courses of its category, its instructors and substitutes. */
export async function notifyCancelled(
  desk: Desk,
  course: DeskCourse,
  people: number[],
  note = '',
  note2 = '',
): Promise<void> {
  const free = await listFreeCourses(desk.tx, course.categoryId, course.id)
  await notifyCourse(
    desk,
    course,
    {
      key: 'cancelCourse',
      note,
      note2,
      values: language => {
        const courses = free.map(other => `${nameIn(language, other)} (${other.number})`).join(', ')
        return { free: courses === '' ? '' : translate(language, 'office.notice.free', { courses }) }
      },
    },
    { people },
  )
  const instructors = await listSubstitutes(desk.tx, course.id)
  await notifyInstructors(desk, course, { key: 'cancelTaughtCourse', note, note2 }, { people, instructors })
}
