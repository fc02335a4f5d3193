import { piece } from '#components/pieces.ts'
import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { CalendarButton } from './calendar-button.tsx'
import { FollowButton } from './follow-button.tsx'

/** Notifications for a course: calendar export, or the booking opening. */
export function CourseNotificationsCard({ course: { id, bookingStatus } }: { course: Course }) {
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
