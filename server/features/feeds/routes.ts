import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import type { Course } from '#contract/courses.ts'
import * as contract from '#contract/feeds.ts'
import { pickText } from '#contract/words.ts'
import { createCalendars } from '#server/features/calendar/service.ts'
import { jsonWithEtag } from '#server/http/encoded-json.ts'
import type { Api } from '#server/http/mount.ts'
import { notFound } from '#server/http/problems.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { languageOf } from '#server/texts/translate.ts'
import { embedPage } from './embed-model.ts'
import { createCoursePictures } from './picture-service.ts'
import { presentCourse } from './rules.ts'
import type { Feeds } from './service.ts'

const FILE = /^(course|category)-(\d{1,9})\.ics$/
const LICENSE = 'https://creativecommons.org/licenses/by/4.0/'
/** CORS headers for any origin: the response does not depend on the caller. */
const OPEN = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' }

function openTo(response: Response, cacheControl?: string): Response {
  for (const [name, value] of Object.entries(OPEN)) response.headers.set(name, value)
  if (cacheControl) response.headers.set('Cache-Control', cacheControl)
  return response
}

/** Public API of the programme, without cookies and personal data. */
export function mountFeeds(api: Api, context: ServerContext, feeds: Feeds): void {
  const { publicUrl } = context.config
  const calendars = createCalendars(context)
  const readCoursePicture = createCoursePictures(context.config.branding.colors.brand.light)

  api.mount(contract.listPublicCourses, async ({ query, request }) => {
    const open = (await feeds.listPublicCourses()).filter(
      ({ courseCategoryId }) => query.categoryId === undefined || courseCategoryId === query.categoryId,
    )
    return openTo(
      await jsonWithEtag(
        request,
        open.map(course => presentCourse(course, publicUrl)),
      ),
    )
  })

  api.mount(contract.readPublicCalendar, async ({ params, language }) => {
    const [, kind, digits] = FILE.exec(params.file) ?? []
    const id = Number(digits)
    const lessons = await feeds.readPublicCalendar(
      course => (kind === 'course' ? course.id : course.courseCategoryId) === id,
    )
    if (kind === undefined || lessons === null) throw notFound()
    const rows = lessons.map(({ lesson, course }) => ({
      ...lesson,
      isWaiting: false,
      number: course.number,
      name: course.name,
      name2: course.name2,
      venue: course.venue,
      city: course.city,
      location: course.location,
      location2: course.location2,
      meetingUrl: '',
    }))
    const { portalName } = context.config.branding
    const [named] = lessons.map(({ course: { name, name2, courseCategory, courseCategory2 } }) =>
      kind === 'course' ? pickText(language, name, name2) : pickText(language, courseCategory, courseCategory2),
    )
    const content = await calendars.writeLessons(rows, language, named ? `${portalName}: ${named}` : portalName)
    return openTo(
      new Response(content, { headers: { 'Content-Type': 'text/calendar; charset=utf-8' } }),
      'public, max-age=900',
    )
  })

  api.mount(contract.readCoursePicture, async ({ params, request }) => {
    const id = Number(/^(\d{1,9})\.png$/.exec(params.file)?.[1])
    const course = (await feeds.listPublicCourses()).find(open => open.id === id)
    if (!course) throw notFound()
    const { tag, content } = await readCoursePicture(course)
    const headers = { ETag: `"${tag}"`, 'Content-Type': 'image/png' }
    const isKnown = request.headers.get('If-None-Match') === headers.ETag
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
    return openTo(await jsonWithEtag(request, { next, items, license: LICENSE }))
  })
}

const pick = (query: Record<string, string>) => {
  const category = /^\d{1,9}$/.exec(query.category ?? '')?.[0]
  return ({ courseCategoryId }: Course) => category === undefined || courseCategoryId === Number(category)
}

/** Programme list for embedding in an iframe: a small page without scripts and cookies. */
export function mountEmbed(app: Hono, { config }: Pick<ServerContext, 'config'>, feeds: Feeds): void {
  const { embedOrigins, publicUrl, branding } = config
  app.get('/embed', async c => {
    const language = languageOf(c.req.query('lang') ?? c.req.header('Accept-Language'))
    const open = (await feeds.listPublicCourses()).filter(pick(c.req.query()))
    const { html, style } = embedPage(
      open.map(course => presentCourse(course, publicUrl)),
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
