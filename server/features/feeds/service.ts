import { createHash } from 'node:crypto'
import type { Course } from '#contract/courses.ts'
import type { Courses } from '#server/features/courses/service.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import * as repository from './repository.ts'
import { describeCourse } from './rules.ts'

const PAGE = 200
/** The feed is updated on read, at most once in this time. */
const FRESH_MS = 1_000

type Item = { course: Course; data: Record<string, unknown> }

export type Feeds = ReturnType<typeof createFeeds>

export function createFeeds({ db, config }: Pick<ServerContext, 'db' | 'config'>, courses: Courses) {
  const { publicUrl, branding } = config
  const about = {
    publicUrl,
    organizer: branding.name,
    email: branding.email,
    phone: branding.phone,
    zip: branding.zip,
    region: config.region,
    country: 'DE',
  }
  let held: { at: number; items: Promise<Map<number, Item>> } | null = null

  const listPublicCourses = async (): Promise<Course[]> =>
    (await courses.snapshot()).courses.flatMap(({ shown }) => (shown.obstacle === 'over' ? [] : [shown]))

  const collect = async (): Promise<Map<number, Item>> => {
    const open = await listPublicCourses()
    const lessons = Map.groupBy(
      await repository.listLessons(
        db,
        open.map(({ id }) => id),
      ),
      ({ courseId }) => courseId,
    )
    return new Map(
      open.flatMap(course => {
        const own = lessons.get(course.id) ?? []
        return own.length === 0 ? [] : [[course.id, { course, data: describeCourse(course, own, about) }] as const]
      }),
    )
  }

  const refresh = async (): Promise<Map<number, Item>> => {
    const items = await collect()
    await db.transaction(async tx => {
      await repository.lockFeed(tx)
      const said = new Map((await repository.listFingerprints(tx)).map(row => [row.courseId, row.fingerprint]))
      const now = [...items].map(([courseId, { data }]) => ({
        courseId,
        fingerprint: createHash('sha256').update(JSON.stringify(data)).digest(),
      }))
      const changed = now.filter(({ courseId, fingerprint }) => !said.get(courseId)?.equals(fingerprint))
      const gone = [...said].flatMap(([courseId, before]) =>
        before !== null && !items.has(courseId) ? [{ courseId, fingerprint: null }] : [],
      )
      if (changed.length + gone.length > 0) await repository.saveItems(tx, [...changed, ...gone])
    })
    return items
  }

  /** Concurrent requests share one update. */
  const listFresh = (): Promise<Map<number, Item>> => {
    if (held && performance.now() - held.at < FRESH_MS) return held.items
    const items = refresh()
    held = { at: performance.now(), items }
    // After a failure the next request retries.
    items.catch(() => {
      held = null
    })
    return items
  }

  return {
    listPublicCourses,

    async readOpenActive(after: { modified: number; courseId: number }) {
      const items = await listFresh()
      const rows = await repository.listItems(db, { ...after, limit: PAGE })
      return rows.map(({ courseId, modified, isGone }) => {
        const data = isGone ? undefined : items.get(courseId)?.data
        const state = data ? ('updated' as const) : ('deleted' as const)
        return { state, kind: 'CourseInstance' as const, id: String(courseId), modified, ...(data && { data }) }
      })
    },

    /** null if nothing in it is visible */
    async readPublicCalendar(pick: (course: Course) => boolean) {
      const open = (await listPublicCourses()).filter(pick)
      const lessons = await repository.listLessons(
        db,
        open.map(({ id }) => id),
      )
      const byId = new Map(open.map(course => [course.id, course]))
      return open.length === 0
        ? null
        : lessons.flatMap(lesson => {
            const course = byId.get(lesson.courseId)
            return course ? [{ lesson, course }] : []
          })
    },
  }
}
