import type { TFunction } from 'i18next'
import type { AttendanceCount } from '#contract/courses.ts'

/** Attendance summary such as `6 von 7 besucht, 2 noch nicht erfasst`; null before the first lesson. */
export function sayAttendance(attendance: AttendanceCount | null, t: TFunction<'courses'>): string | null {
  if (attendance === null || attendance.held === 0) return null
  const { present, held, unrecorded } = attendance
  return unrecorded > 0
    ? t('card.attendanceOpen', { present, held, count: unrecorded })
    : t('card.attendance', { present, held })
}
