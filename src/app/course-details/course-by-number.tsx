import type { ComponentType } from 'react'
import { Redirect, useParams } from 'wouter'
import { CourseListSkeleton } from '#features/courses/components/list-states.tsx'
import { findCourseByNumber } from '#features/courses/model.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { decodeComponent } from '#lib/decode-component.ts'

/**
 * Redirects from a course's printed number to its page, as in `/course-details/W-0101`. Shows `Screen` for other URLs.
 */
export function CourseByNumber({ Screen }: { Screen: ComponentType }) {
  const { id = '' } = useParams<{ id: string }>()
  const phase = useCourseIndex(state => state.phase)
  const courses = useCourseIndex(state => state.data)
  if (/^\d+$/.test(id)) return <Screen />
  if (phase === 'loading') return <CourseListSkeleton />
  const course = findCourseByNumber(courses, decodeComponent(id))
  return course ? <Redirect to={`/course-details/${course.id}`} replace /> : <Screen />
}
