import { piece } from '#components/pieces.ts'
import type { Course } from '#contract/courses.ts'
import { CalendarButton } from './calendar-button.tsx'
import { ShareCourseButton } from './share-course-button.tsx'

/** What comes after a booking: the lessons in one's calendar, and a colleague who comes along. */
export function BookedCard({ course }: { course: Course }) {
  return (
    <div className={piece('row', 'above')}>
      <CalendarButton courseId={course.id} />
      <ShareCourseButton course={course} />
    </div>
  )
}
