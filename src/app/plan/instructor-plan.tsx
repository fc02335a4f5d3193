import { useMemo } from 'react'
import { NextListCard } from '#features/attendance/components/next-list-card.tsx'
import { LIST_STAYS_MS, listAddress } from '#features/attendance/model.ts'
import { useAttendance } from '#features/attendance/store.ts'
import { withCourseDefaults } from '#features/courses/model.ts'
import { Plan } from './plan.tsx'

/** The plan including lessons taught; the next participant list comes first. */
export function InstructorPlan() {
  const courses = useAttendance(state => state.courses)
  const taught = useMemo(() => courses?.map(withCourseDefaults) ?? [], [courses])
  return (
    <Plan taught={taught} listAddress={listAddress} listStaysMs={LIST_STAYS_MS}>
      <NextListCard />
    </Plan>
  )
}
