import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import type { Course } from '#contract/endpoints/courses.ts'
import type { PublicCourse } from '#contract/endpoints/feeds.ts'
import * as contract from '#contract/endpoints/feeds.ts'
import type { Language } from '#contract/values.ts'
import { escapeHtml, sortWeekdays, textInLanguage } from '#contract/words.ts'
import { createCalendarService } from '#server/features/calendar/service.ts'
import { calendarResponse } from '#server/platform/http/calendar-response.ts'
import { jsonResponseWithEtag } from '#server/platform/http/encoded-json.ts'
import { ifNoneMatchTags } from '#server/platform/http/headers.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { notFound } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { negotiateLanguage, translate } from '#server/platform/texts/translate.ts'
import { toPublicCourse } from './rules.ts'
import { createPreviewPictureService, type FeedService } from './service.ts'

const dayName = (day: number, language: Language) =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2023, 0, 1 + day)))
const dateIn = (language: Language, date: string) =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  )

const styleOf = (color: string) =>
  `body{margin:0;padding:1rem;font:1rem/1.4 system-ui,sans-serif;color:#1b2a2b;background:#fff}h1{font-size:1.2rem;margin:0 0 .75rem}ul{list-style:none;margin:0;padding:0}li{padding:.6rem 0;border-top:.06rem solid #d5dedd}a{color:${color};font-weight:600}p{margin:.15rem 0 0}`

/**
 * Renders the programme as an embeddable page. Links open in a new tab, because booking in a frame must not be
 * possible.
 */
function embedPage(
  courses: readonly PublicCourse[],
  { language, title, color }: { language: Language; title: string; color: string },
): { html: string; style: string } {
  const say = (key: string, values: Record<string, string | number> = {}) => translate(language, `feeds.${key}`, values)
  const style = styleOf(color)
  const pick = (text: string, text2: string) => (language === 'en' && text2 ? text2 : text)
  const rows = courses.map(course => {
    const days = sortWeekdays(course.weekdays).map(day => dayName(day, language))
    const when = `${days.join(', ')} ${course.startTime}–${course.endTime}, ${say('from', { date: dateIn(language, course.start) })}`
    const where = [...new Set([course.venue, course.city])].filter(Boolean).join(', ')
    const places = course.cancelled
      ? say('cancelled')
      : course.freePlaces > 0
        ? say('free', { count: course.freePlaces })
        : say('full')
    return `<li><a href="${escapeHtml(course.url)}" target="_blank" rel="noopener">${escapeHtml(pick(course.name, course.name2))}</a><p>${escapeHtml(when)}</p><p>${escapeHtml([where, places].filter(Boolean).join(' · '))}</p></li>`
  })
  const list = rows.length > 0 ? `<ul>${rows.join('')}</ul>` : `<p>${say('none')}</p>`
  const heading = escapeHtml(say('title', { portal: title }))
  return {
    style,
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${heading}</title><style>${style}</style></head><body><main><h1>${heading}</h1>${list}</main></body></html>`,
  }
}

const FILE = /^(course|category)-(\d{1,9})\.ics$/
const LICENSE = 'https://creativecommons.org/licenses/by/4.0/'
/** CORS headers that allow every origin, because the response does not depend on the caller. */
const OPEN = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' }

function openTo(response: Response, cacheControl?: string): Response {
  for (const [name, value] of Object.entries(OPEN)) response.headers.set(name, value)
  if (cacheControl) response.headers.set('Cache-Control', cacheControl)
  return response
}

/** Mounts the public API for the programme, which uses neither cookies nor personal data. */
export function mountFeeds(api: Api, context: ServerContext, feeds: FeedService): void {
  const { publicUrl } = context.config
  const calendars = createCalendarService(context)
  const readCoursePicture = createPreviewPictureService(context.config.branding.colors.brand.light)

  api.mount(contract.listPublicCourses, async ({ query, request }) => {
    const open = (await feeds.listPublicCourses()).filter(
      ({ courseCategoryId }) => query.categoryId === undefined || courseCategoryId === query.categoryId,
    )
    return openTo(
      await jsonResponseWithEtag(
        request,
        open.map(course => toPublicCourse(course, publicUrl)),
      ),
    )
  })

  api.mount(contract.readPublicCalendar, async ({ params, query, request, language: accepted }) => {
    const language = query.lang ?? accepted
    const [, kind, digits] = FILE.exec(params.file) ?? []
    const id = Number(digits)
    const lessons = await feeds.readPublicCalendar(
      course => (kind === 'course' ? course.id : course.courseCategoryId) === id,
      language,
    )
    if (kind === undefined || lessons === null) throw notFound()
    const rows = lessons.map(({ lesson, course }) => ({
      ...lesson,
      isWaiting: false,
      number: course.number,
      name: course.name,
      name2: course.name2,
      venue: lesson.venue ?? course.venue,
      location: lesson.venue === null ? course.location : '',
      location2: lesson.venue === null ? course.location2 : '',
      meetingUrl: '',
      meetingId: '',
      meetingCode: '',
    }))
    const { portalName } = context.config.branding
    const [named] = lessons.map(({ course: { name, name2, courseCategory, courseCategory2 } }) =>
      kind === 'course'
        ? textInLanguage(language, name, name2)
        : textInLanguage(language, courseCategory, courseCategory2),
    )
    const content = await calendars.writeLessons(rows, language, named ? `${portalName}: ${named}` : portalName)
    const headers = { 'Content-Language': language, Vary: 'Accept-Language' }
    return openTo(calendarResponse(request, content, headers), 'public, max-age=900')
  })

  api.mount(contract.readCoursePicture, async ({ params, request }) => {
    const id = Number(/^(\d{1,9})\.png$/.exec(params.file)?.[1])
    const course = (await feeds.listPublicCourses()).find(open => open.id === id)
    if (!course) throw notFound()
    const { tag, content } = await readCoursePicture(course)
    const headers = { ETag: `"${tag}"`, 'Content-Type': 'image/png' }
    const isKnown = ifNoneMatchTags(request).includes(tag)
    const answer = isKnown ? new Response(null, { status: 304, headers }) : new Response(content, { headers })
    return openTo(answer, 'public, max-age=3600')
  })

  api.mount(contract.readOpenActive, async ({ query, request }) => {
    const { afterTimestamp = '0', afterId = '0' } = query
    const items = await feeds.readOpenActive({
      modified: Number(afterTimestamp),
      courseId: Math.min(Number(afterId), 2_147_483_647),
    })
    const last = items.at(-1)
    const after = last
      ? `afterTimestamp=${last.modified}&afterId=${last.id}`
      : `afterTimestamp=${afterTimestamp}&afterId=${afterId}`
    const next = `${publicUrl}${contract.readOpenActive.path}?${after}`
    return openTo(await jsonResponseWithEtag(request, { next, items, license: LICENSE }))
  })
}

const pick = (query: Record<string, string>) => {
  const category = /^\d{1,9}$/.exec(query.category ?? '')?.[0]
  return ({ courseCategoryId }: Course) => category === undefined || courseCategoryId === Number(category)
}

/** Mounts the programme list for embedding in an iframe: a small page without scripts or cookies. */
export function mountEmbed(app: Hono, { config }: Pick<ServerContext, 'config'>, feeds: FeedService): void {
  const { embedOrigins, publicUrl, branding } = config
  app.get('/embed', async c => {
    const language = negotiateLanguage(c.req.query('lang') ?? c.req.header('Accept-Language'))
    const open = (await feeds.listPublicCourses()).filter(pick(c.req.query()))
    const { html, style } = embedPage(
      open.map(course => toPublicCourse(course, publicUrl)),
      { language, title: branding.portalName, color: branding.colors.brand.light },
    )
    const hash = createHash('sha256').update(style).digest('base64')
    return c.body(html, 200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
      'Content-Language': language,
      Vary: 'Accept-Language',
      'X-Robots-Tag': 'noindex',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors ${embedOrigins.length > 0 ? embedOrigins.join(' ') : "'none'"}`,
    })
  })
}
