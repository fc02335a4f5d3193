import { teaserOf } from '#contract/words.ts'
import type { PageHead } from '#server/platform/http/page-head.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createProgrammeCache, type ProgrammeSnapshot } from './cache.ts'
import { type CourseCountersRow, toCourseCounters } from './repository.ts'
import { type CourseStateAtTime, courseStateAtTime, isCourseVisible, type ServerTime } from './rules.ts'

/** Booking counters of all courses, read in one snapshot, with the import revision they belong to. */
export type CourseCountersSnapshot = { time: ServerTime; programmeRevision: number; counters: CourseCountersRow[] }

/** Creates the public programme. There is one instance per server, because it is cached in memory. */
export function createCourseService(context: ServerContext) {
  const catalogue = createProgrammeCache(context)

  /**
   * Returns the courses that have counters in this snapshot and are visible, earliest first.
   * @param isOwn whether the viewer has a place in them, and therefore sees them even before their season is visible
   */
  const readCourses = async (
    { time, programmeRevision, counters }: CourseCountersSnapshot,
    isOwn = false,
  ): Promise<CourseStateAtTime[]> => {
    const programme = await catalogue.takeProgramme(programmeRevision)
    return counters
      .flatMap(row => {
        const facts = programme.byId.get(row.id)
        return facts && isCourseVisible(facts, time, isOwn)
          ? [courseStateAtTime(facts, toCourseCounters(row), time)]
          : []
      })
      .sort((a, b) => programme.courses.indexOf(a.facts) - programme.courses.indexOf(b.facts))
  }

  return {
    snapshot: (): Promise<ProgrammeSnapshot> => catalogue.snapshot(),
    readCourses,

    /** Link preview data for a course page, or 'missing' if the course does not exist; null for other pages. */
    async describePage(path: string): Promise<PageHead | 'missing' | null> {
      const courseId = /^\/course-details\/([^/]+)\/?$/i.exec(path)?.[1]
      if (!courseId) return null
      const { find, courses } = await catalogue.snapshot()
      const numbered = courses.find(({ facts }) => facts.course.number.toLowerCase() === courseId.toLowerCase())
      // A course URL is valid only if its id is in canonical form. The app redirects URLs with a course number.
      const course = /^[1-9]\d*$/.test(courseId) ? find(Number(courseId)) : /\D/.test(courseId) ? numbered : undefined
      if (!course) return 'missing'
      const { id, name, textWeb } = course.facts.course
      return {
        title: `${name} · ${context.config.branding.portalName}`,
        description: teaserOf(textWeb, 155),
        ...(course.shown.obstacle !== 'over' && { picture: `/api/public/course-picture/${id}.png` }),
      }
    },
  }
}

export type CourseService = ReturnType<typeof createCourseService>
