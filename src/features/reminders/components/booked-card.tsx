import { Stack } from '#components/layout.tsx'
import type { Course } from '#contract/courses.ts'
import classes from './booked-card.module.css'
import { CalendarButton } from './calendar-button.tsx'
import { EveReminder } from './eve-reminder.tsx'
import { ShareCourseButton } from './share-course-button.tsx'

/** Shown after a booking: calendar export, reminder, sharing. */
export function BookedCard({ course, isBooked }: { course: Course; isBooked: boolean }) {
  return (
    <Stack gap="s" mt="l" className={classes.rows}>
      <CalendarButton courseId={course.id} />
      {isBooked && <EveReminder />}
      <ShareCourseButton course={course} />
    </Stack>
  )
}
