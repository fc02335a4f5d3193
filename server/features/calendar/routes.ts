import * as contract from '#contract/endpoints/calendar.ts'
import { nameInLanguage } from '#contract/words.ts'
import type { CourseService } from '#server/features/courses/service.ts'
import { createCourseViewService } from '#server/features/courses/view-service.ts'
import { CALENDAR_MEDIA_TYPE, calendarResponse } from '#server/platform/http/calendar-response.ts'
import { REVALIDATED } from '#server/platform/http/headers.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { forbidden, notFound } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createRateLimit } from '#server/platform/throttle/token-buckets.ts'
import { createCalendarService } from './service.ts'

const FEED_FILE = /^([\w-]{43})\.ics$/

const FEED_HEADERS = {
  'Cache-Control': REVALIDATED,
  // The URL is a secret, so no Referer may be sent to other sites.
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

export function mountCalendar(api: Api, context: ServerContext, courses: CourseService): void {
  const calendars = createCalendarService(context)
  const views = createCourseViewService(context, courses)
  // Rate limit for reading feeds. Calendar apps poll hourly from every device, and many users share an IP address.
  const takeRead = createRateLimit(context, 'feed-read', { burst: 30, perMinute: 10 })
  const takeWrongToken = createRateLimit(context, 'feed-wrong-token', { burst: 60, perMinute: 30 })
  const takeNewAddress = createRateLimit(context, 'feed-new-address', { burst: 20, perMinute: 5 })

  api.mount(contract.getCourseCalendar, async ({ params, session, language }) => {
    const { course } = (await views.findView(params.id, session)).facts
    const content = await calendars.getCourseCalendar(session.id, [params.id], language)
    if (content === null) throw forbidden()
    return {
      fileName: `${nameInLanguage(language, course)}.ics`,
      content: Buffer.from(content),
      mediaType: CALENDAR_MEDIA_TYPE,
    }
  })

  api.mount(contract.getFeed, ({ session }) => calendars.getFeed(session.id))

  api.mount(contract.createFeed, async ({ session }) => {
    await takeNewAddress(String(session.id))
    return calendars.createFeed(session.id)
  })

  api.mount(contract.endFeed, async ({ session }) => {
    await calendars.endFeed(session.id)
    return { url: '' }
  })

  api.mount(contract.readFeed, async ({ params, address, request }) => {
    const [, token] = FEED_FILE.exec(params.file) ?? []
    if (token) await takeRead(token)
    const content = token ? await calendars.readFeed(token) : null
    if (content === null) {
      await takeWrongToken(address)
      throw notFound()
    }
    return calendarResponse(request, content, FEED_HEADERS)
  })
}
