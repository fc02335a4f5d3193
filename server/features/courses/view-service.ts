import { createBatcher } from '#server/platform/db/batch.ts'
import { monotonicClockMs } from '#server/platform/db/clock.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { notFound, sessionInvalid } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import type { CourseView } from './rules.ts'
import type { CourseService } from './service.ts'
import { type CourseViewRequest, findCourseViewer, listCountersWithViewers } from './view-repository.ts'

/**
 * Course view and the time just before it was read (monotonicClockMs). Anything observed after that time, for example
 * that the course is sold out, may be used to respond to the request.
 */
export type TimedCourseView = CourseView & { askedAt: number }

/** Creates the service that returns courses as seen by a person or a visitor. */
export function createCourseViewService({ db }: ServerContext, courses: CourseService) {
  const countTogether = createBatcher((requests: CourseViewRequest[]) => listCountersWithViewers(db, requests))

  return {
    /** @throws HttpProblem 404 if the course is not visible, 401 if the account was deleted concurrently */
    async findView(courseId: number, session: SessionUser | null): Promise<TimedCourseView> {
      const askedAt = monotonicClockMs()
      const counted = await countTogether({ courseId, webUserId: session?.id ?? null })
      const { viewer } = counted
      if (session && viewer === null) throw sessionInvalid()
      const isOwn = viewer !== null && (viewer.bookings.has(courseId) || viewer.guestCourseIds.includes(courseId))
      const [course] = await courses.readCourses(counted, isOwn)
      if (course === undefined) throw notFound()
      return { ...course, viewer, askedAt }
    },

    /**
     * Courses with these ids that are visible, earliest first.
     * @param areOwn whether they are the person's own courses, visible or not
     * @throws HttpProblem 401
     */
    async listViews(courseIds: number[], session: SessionUser, areOwn = false): Promise<CourseView[]> {
      const counted = await listCountersWithViewers(
        db,
        courseIds.map(courseId => ({ courseId, webUserId: session.id })),
      )
      const [first] = counted
      if (!first) return []
      if (first.viewer === null) throw sessionInvalid()
      const counters = counted.flatMap(course => course.counters)
      const seen = await courses.readCourses({ ...first, counters }, areOwn)
      const viewers = new Map(counted.map(({ viewer }, index) => [courseIds[index], viewer]))
      return seen.map(course => ({ ...course, viewer: viewers.get(course.facts.course.id) ?? null }))
    },

    /**
     * All visible courses, earliest first.
     * @throws HttpProblem 401
     */
    async listAllViews(session: SessionUser): Promise<CourseView[]> {
      const [{ courses: all, time }, viewer] = await Promise.all([courses.snapshot(), findCourseViewer(db, session.id)])
      if (viewer === null) throw sessionInvalid()
      return all.map(course => ({ ...course, time, viewer }))
    },
  }
}

export type CourseViewService = ReturnType<typeof createCourseViewService>
