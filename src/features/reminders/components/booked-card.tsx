import buttons from '#components/button.module.css'
import { CalendarButton } from './calendar-button.tsx'
import { ShareCourseButton } from './share-course-button.tsx'

/** What comes after a booking: the lessons in one's calendar, and a colleague who comes along. */
export function BookedCard({ courseId, name }: { courseId: number; name: string }) {
  return (
    <div className={buttons.row}>
      <CalendarButton courseId={courseId} />
      <ShareCourseButton courseId={courseId} name={name} />
    </div>
  )
}
