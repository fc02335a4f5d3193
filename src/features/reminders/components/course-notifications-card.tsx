import type { Course } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { Actions } from '#ui/layout.tsx'
import { CalendarButton } from './calendar-button.tsx'
import { FollowButton } from './follow-button.tsx'

/** Card for staying informed about a course: calendar export if it is booked, otherwise a button to follow it. */
export function CourseNotificationsCard({ course: { id, bookingStatus } }: { course: Course }) {
  return (
    <Actions>
      {bookingStatus === BOOKING_STATUS.NotBooked ? (
        <FollowButton kind="course" id={id} />
      ) : (
        <CalendarButton courseId={id} />
      )}
    </Actions>
  )
}
