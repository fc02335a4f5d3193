import { useMemo } from 'react'
import { NextAttendanceListCard } from '#features/attendance/components/next-attendance-list-card.tsx'
import { attendanceListUrl, LIST_OFFERED_AFTER_START_MS } from '#features/attendance/model.ts'
import { useAttendance } from '#features/attendance/store.ts'
import { withCourseDefaults } from '#features/courses/model.ts'
import { Plan } from './plan.tsx'

/** The plan including the lessons the user teaches. The next participant list comes first. */
export function InstructorPlan() {
  const courses = useAttendance(state => state.courses)
  const taught = useMemo(() => courses?.map(withCourseDefaults) ?? [], [courses])
  return (
    <Plan taught={taught} listAddress={attendanceListUrl} listStaysMs={LIST_OFFERED_AFTER_START_MS}>
      <NextAttendanceListCard />
    </Plan>
  )
}
