import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import type { Course } from '#contract/courses.ts'
import { escapeHtml, formatDate, formatTime, shortLocation, sortWeekdays } from '#contract/words.ts'
import { busy } from '#server/http/problems.ts'

const [WIDTH, HEIGHT, SIDE] = [1200, 630, 72]
/** Maximum cached pictures of some 20 KB each, and maximum queue length. */
const MOST_KEPT = 200
const MOST_WAITING = 20

// Bundled font, as in PDFs (server/pdf/document.ts), for machines without fonts.
const fontfile = createRequire(import.meta.url).resolve('pdfmake/fonts/Roboto/Roboto-Medium.ttf')

type Pictured = Pick<Course, 'name' | 'weekdays' | 'startTime' | 'endTime' | 'start' | 'venue' | 'city'>
export type CoursePicture = { tag: string; content: Buffer }

const dayFormat = new Intl.DateTimeFormat('de', { weekday: 'long', timeZone: 'UTC' })
/** 1 January 2023 was a Sunday. */
const dayName = (day: number) => dayFormat.format(Date.UTC(2023, 0, 1 + day))

/** The three lines of the picture, in German like all link preview data. */
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
 * Link preview pictures of courses: cached until the displayed data changes, rendered one at a time. See
 * docs/decisions/0064.
 */
export function createCoursePictures(color: string) {
  /** by displayed data, least recently used first (LRU) */
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
      if (waiting >= MOST_WAITING) throw busy(5)
      waiting += 1
      picture = last
        .then(async () => ({ tag, content: await draw(course, color) }))
        .finally(() => {
          waiting -= 1
        })
      // The error is reported to the caller, and the next request retries.
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
