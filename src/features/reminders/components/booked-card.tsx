import { piece } from '#components/pieces.ts'
import { CalendarButton } from './calendar-button.tsx'
import { ShareCourseButton } from './share-course-button.tsx'

/** What comes after a booking: the lessons in one's calendar, and a colleague who comes along. */
export function BookedCard({ courseId, name }: { courseId: number; name: string }) {
  return (
    <div className={piece('row', 'above')}>
      <CalendarButton courseId={courseId} />
      <ShareCourseButton courseId={courseId} name={name} />
    </div>
  )
}
