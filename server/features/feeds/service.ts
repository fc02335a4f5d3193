import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import type { Course } from '#contract/endpoints/courses.ts'
import type { Language } from '#contract/values.ts'
import { escapeHtml, formatDate, formatTime, shortLocation, sortWeekdays } from '#contract/words.ts'
import type { CourseService } from '#server/features/courses/service.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { serverBusy } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import * as repository from './repository.ts'
import { toOpenActiveEvent } from './rules.ts'

const PAGE = 200
/** Minimum interval in ms between updates of the feed. It is updated when it is read. */
const FRESH_MS = 1_000

type Item = { data: Record<string, unknown>; fingerprint: Buffer }

export type FeedService = ReturnType<typeof createFeedService>

/** Writes the items that have changed since the last update, and marks those that are no longer visible. */
async function updateFeed(tx: Queryable, items: ReadonlyMap<number, Item>): Promise<void> {
  await repository.lockFeedItems(tx)
  const said = new Map((await repository.listItemFingerprints(tx)).map(row => [row.courseId, row.fingerprint]))
  const now = [...items].map(([courseId, { fingerprint }]) => ({ courseId, fingerprint }))
  const changed = now.filter(({ courseId, fingerprint }) => !said.get(courseId)?.equals(fingerprint))
  const gone = [...said].flatMap(([courseId, before]) =>
    before !== null && !items.has(courseId) ? [{ courseId, fingerprint: null }] : [],
  )
  if (changed.length + gone.length > 0) await repository.saveFeedItems(tx, [...changed, ...gone])
}

export function createFeedService({ db, config }: Pick<ServerContext, 'db' | 'config'>, courses: CourseService) {
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
  let latest: { at: number; items: Promise<Map<number, Item>> } | null = null

  const listPublicCourses = async (): Promise<Course[]> =>
    (await courses.snapshot()).courses.flatMap(({ shown }) => (shown.obstacle === 'over' ? [] : [shown]))

  const collect = async (): Promise<Map<number, Item>> => {
    const open = await listPublicCourses()
    const lessons = Map.groupBy(
      await repository.listFeedLessons(
        db,
        open.map(({ id }) => id),
        'de',
      ),
      ({ courseId }) => courseId,
    )
    return new Map(
      open.flatMap(course => {
        const own = lessons.get(course.id) ?? []
        if (own.length === 0) return []
        const data = toOpenActiveEvent(course, own, about)
        return [[course.id, { data, fingerprint: createHash('sha256').update(JSON.stringify(data)).digest() }] as const]
      }),
    )
  }

  const refresh = async (): Promise<Map<number, Item>> => {
    const items = await collect()
    await db.transaction(tx => updateFeed(tx, items))
    return items
  }

  /** Concurrent requests share one update. */
  const listFresh = (): Promise<Map<number, Item>> => {
    if (latest && performance.now() - latest.at < FRESH_MS) return latest.items
    const items = refresh()
    latest = { at: performance.now(), items }
    // After a failure the next request retries.
    items.catch(() => {
      latest = null
    })
    return items
  }

  return {
    listPublicCourses,

    async readOpenActive(after: { modified: number; courseId: number }) {
      const held = await listFresh()
      const rows = await repository.listFeedItems(db, { ...after, limit: PAGE })
      // Another process may have written newer items: sent with their timestamps, older data would never be replaced.
      const isHeld = rows.every(
        ({ courseId, fingerprint }) => !fingerprint || held.get(courseId)?.fingerprint.equals(fingerprint),
      )
      const items = isHeld ? held : await collect()
      return rows.map(({ courseId, modified, fingerprint }) => {
        const data = fingerprint ? items.get(courseId)?.data : undefined
        const state = data ? ('updated' as const) : ('deleted' as const)
        return { state, kind: 'CourseInstance' as const, id: String(courseId), modified, ...(data && { data }) }
      })
    },

    /** the calendar of the selected courses; null if none of them is visible */
    async readPublicCalendar(pick: (course: Course) => boolean, language: Language) {
      const open = (await listPublicCourses()).filter(pick)
      const lessons = await repository.listFeedLessons(
        db,
        open.map(({ id }) => id),
        language,
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

const [WIDTH, HEIGHT, SIDE] = [1200, 630, 72]
/** Maximum number of cached pictures (about 20 KB each), and maximum length of the rendering queue. */
const MOST_KEPT = 200
const MOST_WAITING = 20

// Bundled font, also used in PDFs (server/platform/pdf/document.ts), for machines without fonts.
const fontfile = createRequire(import.meta.url).resolve('pdfmake/fonts/Roboto/Roboto-Medium.ttf')

type Pictured = Pick<Course, 'name' | 'weekdays' | 'startTime' | 'endTime' | 'start' | 'venue' | 'city'>
type CoursePicture = { tag: string; content: Buffer }

const dayFormat = new Intl.DateTimeFormat('de', { weekday: 'long', timeZone: 'UTC' })
/** Formats the name of a weekday. 1 January 2023 was a Sunday. */
const dayName = (day: number) => dayFormat.format(Date.UTC(2023, 0, 1 + day))

/** The picture's three text lines. They are German, like all link preview data. */
function linesOf({ name, weekdays, startTime, endTime, start, venue, city }: Pictured) {
  const days = sortWeekdays(weekdays).map(dayName).join(' · ')
  return [
    { text: `${days}, ${formatTime(startTime)} – ${formatTime(endTime)} Uhr`, size: 46, top: 84, height: 70 },
    { text: name, size: name.length > 36 ? 76 : 104, top: 180, height: 300 },
    {
      text: [`ab ${formatDate(start)}`, shortLocation({ venue, city })].filter(Boolean).join(' · '),
      size: 40,
      top: 508,
      height: 60,
    },
  ]
}

const floor = (color: string) => `
  <svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="${color}"/>
    <g fill="none" stroke="#ffffff" stroke-opacity="0.22" stroke-width="6">
      <circle cx="1120" cy="315" r="190"/><path d="M1120 0V630M820 -60a375 375 0 0 0 0 750"/>
    </g>
  </svg>`

async function draw(course: Pictured, color: string): Promise<Buffer> {
  const words = await Promise.all(
    linesOf(course).map(async ({ text, size, top, height }) => {
      const line = `<span foreground="white">${escapeHtml(text)}</span>`
      const options = {
        text: line,
        fontfile,
        font: `Roboto Medium ${size}`,
        dpi: 72,
        width: WIDTH - 2 * SIDE,
        // Compound words may be longer than a line.
        wrap: 'word-char' as const,
        rgba: true,
      }
      const { data, info } = await sharp({ text: options }).png().toBuffer({ resolveWithObject: true })
      const isTooLong = info.height > height
      const input = isTooLong
        ? await sharp(data)
            .extract({ ...info, left: 0, top: 0, height })
            .toBuffer()
        : data
      return { input, left: SIDE, top: top + Math.max(0, Math.round((height - info.height) / 2)) }
    }),
  )
  return sharp(Buffer.from(floor(color)))
    .composite(words)
    .png({ palette: true })
    .toBuffer()
}

/**
 * Creates link preview pictures of courses. Pictures are rendered one at a time and cached until the displayed data
 * change. See docs/decisions/0064.
 */
export function createPreviewPictureService(color: string) {
  /** pictures by displayed data, least recently used first (LRU) */
  const kept = new Map<string, Promise<CoursePicture>>()
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  /** @throws busy if the queue is full */
  return (course: Pictured): Promise<CoursePicture> => {
    const tag = createHash('sha256')
      .update(JSON.stringify(linesOf(course)))
      .digest('base64url')
    let picture = kept.get(tag)
    kept.delete(tag)
    if (!picture) {
      if (waiting >= MOST_WAITING) throw serverBusy(5)
      waiting += 1
      picture = last
        .then(async () => ({ tag, content: await draw(course, color) }))
        .finally(() => {
          waiting -= 1
        })
      // The caller gets the error, and the next request retries.
      last = picture.catch(() => kept.delete(tag))
    }
    kept.set(tag, picture)
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(oldest)
    }
    return picture
  }
}
