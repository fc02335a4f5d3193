import { createBatcher } from '#server/db/batch.ts'
import { clockMs } from '#server/db/clock.ts'
import type { SessionUser } from '#server/http/mount.ts'
import { notFound, sessionInvalid } from '#server/http/problems.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import type { Courses } from './service.ts'
import { findViewer, listCountersFor, type ViewRequest } from './view-repository.ts'
import type { CourseView } from './view-rules.ts'

/** With the time before it was looked at, by the machine's clock: what is found to be true after it is an answer to it. */
export type AskedView = CourseView & { askedAt: number }

/** Courses in the eyes of one person, or of a visitor: what they are, and what the person has to do with them. */
export function createViews({ db }: ServerContext, courses: Courses) {
  const countTogether = createBatcher((requests: ViewRequest[]) => listCountersFor(db, requests))

  return {
    /** @throws HttpProblem 404 when the course cannot be seen, 401 when the account was just deleted */
    async findView(courseId: number, session: SessionUser | null): Promise<AskedView> {
      const askedAt = clockMs()
      const counted = await countTogether({ courseId, webUserId: session?.id ?? null })
      const { viewer } = counted
      if (session && viewer === null) throw sessionInvalid()
      const [course] = await courses.readCourses(counted)
      if (course === undefined) throw notFound()
      return { ...course, viewer, askedAt }
    },

    /** Those of these courses that can be seen, the soonest first. @throws HttpProblem 401 */
    async listViews(courseIds: number[], session: SessionUser): Promise<CourseView[]> {
      const counted = await listCountersFor(
        db,
        courseIds.map(courseId => ({ courseId, webUserId: session.id })),
      )
      const [first] = counted
      if (!first) return []
      if (first.viewer === null) throw sessionInvalid()
      const seen = await courses.readCourses({ ...first, counters: counted.flatMap(({ counters }) => counters) })
      const viewers = new Map(counted.map(({ viewer }, index) => [courseIds[index], viewer]))
      return seen.map(course => ({ ...course, viewer: viewers.get(course.facts.course.id) ?? null }))
    },

    /** All courses that can be seen, the soonest first. @throws HttpProblem 401 */
    async listAllViews(session: SessionUser): Promise<CourseView[]> {
      const [{ courses: all, time }, viewer] = await Promise.all([courses.snapshot(), findViewer(db, session.id)])
      if (viewer === null) throw sessionInvalid()
      return all.map(course => ({ ...course, time, viewer }))
    },
  }
}

export type Views = ReturnType<typeof createViews>
