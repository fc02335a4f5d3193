import type { LessonPlace, ListedCourse } from '#contract/endpoints/courses.ts'
import { withCourseDefaults } from '#features/courses/model.ts'
import { api, type EndpointOptions } from '#lib/api.ts'
import { createListResource, type Resource } from '#lib/resource.ts'

/** The request of the bookings that has not been answered yet. */
let pending: Promise<ListedCourse[]> | null = null

function requestListed(options: EndpointOptions<'listBookedCourses'>): Promise<ListedCourse[]> {
  const answer = api.listBookedCourses(options)
  pending = answer
  const clear = () => {
    if (pending === answer) pending = null
  }
  answer.then(clear, clear)
  return answer
}

/** The user's bookings and waiting-list entries, each with its complete course. */
export const useBookedCourses = createListResource<ListedCourse>({
  of: 'person',
  key: 'booked-courses',
  fetch: async options => (await requestListed(options)).filter(({ cancelled }) => !cancelled),
  complete: courses => courses.map(course => ({ ...course, ...withCourseDefaults(course) })),
})

/** Lessons of which the user is a guest, and those with a freed place that the user may take. */
export const useLessonPlaces = createListResource<LessonPlace>({
  of: 'person',
  key: 'lesson-places',
  fetch: api.listLessonPlaces,
})

/** A cancelled course that the user had booked or waited for. `isSeen`: the user has opened its page on this device. */
type CancelledCourse = ListedCourse & { isSeen?: boolean }

/** Courses of the user that were cancelled within the past days. They count nowhere as bookings. */
export const useCancelledCourses: Resource<readonly CancelledCourse[]> = createListResource<CancelledCourse>({
  of: 'person',
  key: 'cancelled-courses',
  fetch: async options => {
    // The response contains both lists. A screen that loads both at the same time sends one request.
    await null
    const answer = pending ?? requestListed(options)
    // The stored courses tell which ones have been seen.
    await useCancelledCourses.recall()
    const listed = await answer
    const seen = new Set(useCancelledCourses.getState().data.flatMap(({ id, isSeen }) => (isSeen ? id : [])))
    return listed
      .filter(({ cancelled }) => cancelled)
      .map(course => (seen.has(course.id) ? { ...course, isSeen: true } : course))
  },
  complete: courses => courses.map(course => ({ ...course, ...withCourseDefaults(course) })),
})

/** Records that the user has opened the page of a cancelled course. */
export async function markCancellationSeen(courseId: number): Promise<void> {
  const isStored = () => useCancelledCourses.getState().data.some(({ id }) => id === courseId)
  if (!isStored()) await useCancelledCourses.recall()
  if (!isStored()) await useCancelledCourses.load()
  useCancelledCourses.change(courses =>
    courses.map(course => (course.id === courseId ? { ...course, isSeen: true } : course)),
  )
}
