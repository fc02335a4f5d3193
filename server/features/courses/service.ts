import { company } from '#contract/company.ts'
import type { Course, CourseState } from '#contract/courses.ts'
import type { ServerContext } from '#server/context.ts'
import type { SessionUser } from '#server/http/mount.ts'
import type { PageHead } from '#server/http/page-head.ts'
import { sessionInvalid } from '#server/http/problems.ts'
import { createCatalogue } from './cache.ts'
import { presentCourse, presentCourseState } from './model.ts'
import { findObstacle, isPlaceReturnable, mayWait, priceFor } from './policy.ts'
import { findViewer, listCourseIdsOfInstructor, listCoursesNow } from './repository.ts'
import { bookingOf, type CourseLook, isVisible, teaserOf } from './rules.ts'

export type { Price } from './policy.ts'
export type { Booking, CourseFacts, CourseLook } from './rules.ts'

/** The courses as people see them; one for all features of a server, as it keeps the programme in memory. */
export function createCourses(context: ServerContext) {
  const { db } = context
  const catalogue = createCatalogue(context)

  const lookAt = async (courseIds: number[], session: SessionUser | null): Promise<CourseLook[]> => {
    const now = await listCoursesNow(db, courseIds, session?.id ?? null)
    const { moment, viewer } = now
    if (session && viewer === null) throw sessionInvalid()
    const programme = await catalogue.programmeOf(now.programmeRevision)
    return [...now.counters]
      .flatMap(([id, counters]) => {
        const facts = programme.byId.get(id)
        return facts && isVisible(facts, moment) ? [{ facts, counters, moment, viewer }] : []
      })
      .sort((a, b) => programme.courses.indexOf(a.facts) - programme.courses.indexOf(b.facts))
  }

  const lookAtAll = async (session: SessionUser): Promise<CourseLook[]> => {
    const [{ looks, moment }, viewer] = await Promise.all([catalogue.snapshot(), findViewer(db, session.id)])
    if (viewer === null) throw sessionInvalid()
    return looks.map(look => ({ ...look, moment, viewer }))
  }

  return {
    /** The anonymous lists. */
    snapshot: catalogue.snapshot,

    /** The course in the eyes of a person; null when it is unknown or cannot be seen yet. */
    async lookAtCourse(courseId: number, session: SessionUser | null): Promise<CourseLook | null> {
      const [look] = await lookAt([courseId], session)
      return look ?? null
    },

    /** What the page of a course says of itself where a link to it is shared; null for other pages. */
    async describePage(path: string): Promise<PageHead | null> {
      const courseId = /^\/course-details\/(\d{1,9})$/.exec(path)?.[1]
      const [look] = courseId ? await lookAt([Number(courseId)], null) : []
      if (!look) return null
      const { name, textWeb } = look.facts.course
      return { title: `${name} · ${company.portalName}`, description: teaserOf(textWeb, 155) }
    },

    async listCourses(courseIds: number[], session: SessionUser): Promise<Course[]> {
      return (await lookAt(courseIds, session)).map(presentCourse)
    },

    async listCoursesOfSession(session: SessionUser): Promise<Course[]> {
      return (await lookAtAll(session)).map(presentCourse)
    },

    async listCourseStates(session: SessionUser): Promise<CourseState[]> {
      return (await lookAtAll(session)).map(presentCourseState)
    },

    async listInstructorCourses(session: SessionUser): Promise<Course[]> {
      return (await lookAt(await listCourseIdsOfInstructor(db, session.email), session)).map(presentCourse)
    },

    present: presentCourse,
    bookingOf,
    findObstacle,
    isPlaceReturnable,
    mayWait,
    priceFor,
  }
}

export type Courses = ReturnType<typeof createCourses>
