import { piece } from '#components/pieces.ts'
import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { CalendarButton } from './calendar-button.tsx'
import { FollowButton } from './follow-button.tsx'

/** What somebody can have told of a course: its lessons in the calendar, or its opening. */
export function CourseReachCard({ course: { id, bookingStatus } }: { course: Course }) {
  return (
    <div className={piece('actions')}>
      {bookingStatus === BOOKING_STATUS.NotBooked ? (
        <FollowButton kind="course" id={id} />
      ) : (
        <CalendarButton courseId={id} />
      )}
    </div>
  )
}
