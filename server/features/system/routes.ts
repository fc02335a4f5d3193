import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import { PUBLIC_PAGES, UNLISTED_PAGES } from '#contract/endpoints/public-pages.ts'
import * as contract from '#contract/endpoints/system.ts'
import { CSP_REPORT_PREFIX } from '#contract/endpoints/system.ts'
import { EXTERNAL_SURCHARGE } from '#contract/values.ts'
import { findServerTime, toDateTimeValue } from '#server/platform/db/date-time.ts'
import { isMigrated } from '#server/platform/db/migrate.ts'
import { jsonResponseWithEtag } from '#server/platform/http/encoded-json.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { HttpProblem } from '#server/platform/http/problems.ts'
import { maskUnknownSegments } from '#server/platform/http/request-log.ts'
import { logSecurityEvent, pseudonymOf } from '#server/platform/http/security-log.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createRateLimit } from '#server/platform/throttle/token-buckets.ts'
import { renderApiDocs } from './docs-model.ts'
import { createOpenApiDocument } from './openapi.ts'
import { listViewableCourseIds } from './repository.ts'

/** Matches the value after a password label, because browsers quote invalid input in error messages. */
const PASSWORD = /(passwor[dt]["']?\s*[:=]\s*)(?:"[^"]*"?|'[^']*'?|\S+)/gi
/** Matches a URL or path, optionally followed by a line and column number as in a stack trace. */
const PLACE = /^([("'@]*(?:[\w$.<>]*@)?)((?:https?:\/\/[\w.:-]+)?)(\/[^\s:)"']*)((?::\d{1,7}){0,2}[)"',.;:]*)$/
/**
 * Matches text that may be a password, token, personnel number or e-mail address. Such patterns are rare in words:
 * digits among letters, many digits, symbols.
 */
const SECRETIVE = /\p{L}.*\d|\d.*\p{L}|\d{4}|@|\p{L}[!#%&*+^~§$€]|\p{L}-\p{Lu}/u

/**
 * Removes potential personal data and secrets from an error that the app reports: words with digits or symbols,
 * passwords, URL queries.
 */
export function redactPersonalData(text: string, maxLength: number): string {
  return text
    .replace(/\?[^\s)]*/g, '')
    .replace(PASSWORD, '$1…')
    .replace(/\S+/g, word => {
      const [, before, origin, path, after] = PLACE.exec(word) ?? []
      if (path !== undefined) return `${before}${origin}${maskUnknownSegments(path)}${after}`
      return SECRETIVE.test(word) ? '…' : word
    })
    .slice(0, maxLength)
}

/** Renders robots.txt, which allows public pages and excludes the API and personal pages. */
function renderRobots(publicUrl: string): string {
  const personal = [
    '/api/',
    '/activate/',
    '/undo/',
    '/substitute/',
    '/costs',
    '/courses/booked',
    '/courses/instructor',
    '/course-participation/',
    '/edit',
  ]
  const rules = [...personal, '/messages', '/password-change', '/sessions'].map(path => `Disallow: ${path}`)
  return ['User-agent: *', ...rules, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n')
}

const escapeXml = (text: string) => text.replace(/[&<>'"]/g, character => `&#${character.charCodeAt(0)};`)

/** Renders sitemap.xml with the public routes and these courses' detail pages. */
function renderSitemap(publicUrl: string, courseIds: number[]): string {
  const pages = Object.keys(PUBLIC_PAGES).filter(path => !UNLISTED_PAGES.includes(path))
  const paths = [...pages, ...courseIds.map(id => `/course-details/${id}`)]
  const urls = paths.map(path => `<url><loc>${escapeXml(publicUrl + path)}</loc></url>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}

/** Validity of security.txt in days, counted from each request. */
const VALID_DAYS = 180

/** Renders security.txt (RFC 9116), the contact for vulnerability reports. */
function renderSecurityTxt(publicUrl: string, email: string, now: Date): string {
  const expires = new Date(now.getTime() + VALID_DAYS * 86_400_000)
  return [
    `Contact: mailto:${email}`,
    `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
    'Preferred-Languages: de, en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}

/** Checks whose result is a warning of `/api/health`. */
export type HealthChecks = { isPublicUrlWrong(): boolean; isAuditAnchorCurrent(): Promise<boolean> }

export function mountSystem(api: Api, context: ServerContext, checks: HealthChecks): void {
  const { db, config, log } = context
  const takeClientError = createRateLimit(context, 'client-error', { burst: 20, perMinute: 20 })

  api.mount(contract.getConfig, async () => ({
    instrKeyFrontend: '',
    photoURL: '/photos/',
    thumbnailURL: '/thumbnails/',
    contentURL: '/content/',
    externalSurcharge: EXTERNAL_SURCHARGE,
    accountConfirmationLink: `${config.publicUrl}/activate/`,
    timeZone: config.timeZone,
  }))

  api.mount(contract.getDateTime, async () => toDateTimeValue(await findServerTime(db)))

  /** Bookings run in the primary process, so it must respond and its database must commit. */
  const checkHealth = () => (context.ask ? context.ask<void>('health', null) : db.probe())
  /**
   * Throws 503 unless the test succeeds, so that a load balancer sends no requests here.
   * @throws HttpProblem 503
   */
  const assertGood = async (test: () => Promise<boolean>) => {
    const isGood = await test().catch(error => {
      log.error({ err: error }, 'health check failed')
      return false
    })
    if (!isGood) throw new HttpProblem(503, 'http.unavailable')
    return { status: 'Ok' as const }
  }

  api.mount(contract.getHealth, async () => {
    const health = await assertGood(() => checkHealth().then(() => true))
    // An error of this query is ignored, because the check above has already established that the portal is healthy.
    const isAnchored = await checks.isAuditAnchorCurrent().catch(() => true)
    const warnings = [
      ...(isAnchored ? [] : ['auditAnchor' as const]),
      ...(checks.isPublicUrlWrong() ? ['publicUrl' as const] : []),
    ]
    return warnings.length === 0 ? health : { ...health, warnings }
  })

  api.mount(contract.getLiveness, async () => ({ status: 'Ok' as const }))

  api.mount(contract.getReadiness, () => assertGood(() => checkHealth().then(() => isMigrated(db))))

  api.mount(contract.reportClientError, async ({ body, address }) => {
    await takeClientError(address)
    const { message, stack, route, release } = body
    const clientError = {
      message: redactPersonalData(message, 500),
      stack: redactPersonalData(stack, 2000),
      route: redactPersonalData(route, 200),
      release: redactPersonalData(release, 50),
    }
    log.warn({ clientError }, 'an error in the app')
    if (message.startsWith(CSP_REPORT_PREFIX))
      logSecurityEvent(log, 'page.policy-broken', { network: pseudonymOf(address) })
    return undefined
  })

  const describeApi = cacheResult(() => createOpenApiDocument(config.publicUrl))
  const renderDocs = cacheResult(() => {
    const { html, style } = renderApiDocs(describeApi(), config.branding.portalName)
    return { html, styleHash: createHash('sha256').update(style).digest('base64') }
  })
  api.mount(contract.getOpenApi, async ({ request }) => jsonResponseWithEtag(request, describeApi()))
  api.mount(contract.getDocs, async () => {
    const { html, styleHash } = renderDocs()
    return new Response(html, {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'public, max-age=300',
        'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      },
    })
  })
}

/** Postpones a computation that few portals need until its result is first read. */
function cacheResult<Result>(compute: () => Result): () => Result {
  let result: Result | undefined
  return () => {
    result ??= compute()
    return result
  }
}

/** Mounts files outside the API: robots.txt, sitemap.xml and well-known URIs. */
export function mountSiteFiles(app: Hono, { db, config }: ServerContext): void {
  app.get('/robots.txt', c => c.text(renderRobots(config.publicUrl)))
  app.get('/.well-known/change-password', c => c.redirect('/password-change', 302))
  app.get('/.well-known/security.txt', c =>
    c.text(renderSecurityTxt(config.publicUrl, config.branding.email, new Date())),
  )
  app.get('/sitemap.xml', async c => {
    const sitemap = renderSitemap(config.publicUrl, await listViewableCourseIds(db))
    return c.body(sitemap, 200, { 'Content-Type': 'application/xml; charset=utf-8' })
  })
}
