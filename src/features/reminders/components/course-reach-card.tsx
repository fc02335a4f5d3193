import form from '#components/form.module.css'
import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { CalendarButton } from './calendar-button.tsx'
import { FollowButton } from './follow-button.tsx'

/** What somebody who is logged in can have told of a course: its lessons in the calendar, or its opening. */
export function CourseReachCard({ course: { id, bookingStatus, seasonBookable } }: { course: Course }) {
  const isMine = bookingStatus !== BOOKING_STATUS.NotBooked
  if (!isMine && seasonBookable) return null
  return (
    <div className={form.actions}>
      {isMine ? <CalendarButton courseId={id} /> : <FollowButton kind="course" id={id} />}
    </div>
  )
}
