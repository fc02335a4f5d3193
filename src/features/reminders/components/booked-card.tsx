import { piece } from '#components/pieces.ts'
import type { Course } from '#contract/courses.ts'
import { CalendarButton } from './calendar-button.tsx'
import { ShareCourseButton } from './share-course-button.tsx'

/** Shown after a booking: calendar export and sharing. */
export function BookedCard({ course }: { course: Course }) {
  return (
    <div className={piece('row', 'above')}>
      <CalendarButton courseId={course.id} />
      <ShareCourseButton course={course} />
    </div>
  )
}
