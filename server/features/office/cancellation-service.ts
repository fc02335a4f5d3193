import { nameIn } from '#contract/words.ts'
import { translate } from '#server/texts/translate.ts'
import { type findDeskCourse, listFreeCourses } from './course-repository.ts'
import { tellCourse } from './course-service.ts'
import type { Desk } from './desk-service.ts'

/** Tells whose bookings a cancelled course ended, with the courses of its category that have free places. */
export async function tellCancelled(
  desk: Desk,
  course: NonNullable<Awaited<ReturnType<typeof findDeskCourse>>>,
  people: number[],
  note = '',
  note2 = '',
): Promise<void> {
  const free = await listFreeCourses(desk.tx, course.categoryId, course.id)
  await tellCourse(
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
    people,
  )
}
