import type { ComponentType } from 'react'
import { Redirect, useParams } from 'wouter'
import { CourseListSkeleton } from '#features/courses/components/list-states.tsx'
import { findCourseByNumber } from '#features/courses/model.ts'
import { useCourseIndex } from '#features/courses/resource.ts'

/**
 * Redirects from a course's printed number to its page, as in `/course-details/W-0101`. Shows `Screen` for other URLs.
 */
export function CourseByNumber({ Screen }: { Screen: ComponentType }) {
  const { id = '' } = useParams<{ id: string }>()
  const phase = useCourseIndex(state => state.phase)
  const courses = useCourseIndex(state => state.data)
  if (/^\d+$/.test(id)) return <Screen />
  if (phase === 'loading') return <CourseListSkeleton />
  // The router has decoded everything but the reserved characters, and nothing of a link that was cut off.
  const number = id.replace(/%[2-4][0-9a-f]/gi, decodeURIComponent)
  const course = findCourseByNumber(courses, number)
  return course ? <Redirect to={`/course-details/${course.id}`} replace /> : <Screen />
}
