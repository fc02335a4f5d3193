import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import * as contract from '#contract/system.ts'
import { CSP_REPORT_PREFIX } from '#contract/system.ts'
import { EXTERNAL_SURCHARGE } from '#contract/values.ts'
import { findServerTime, toDateTimeValue } from '#server/db/date-time.ts'
import { isMigrated } from '#server/db/migrate.ts'
import { isAuditAnchorCurrent } from '#server/features/office/audit-anchor-service.ts'
import { jsonWithEtag } from '#server/http/encoded-json.ts'
import type { Api } from '#server/http/mount.ts'
import { HttpProblem } from '#server/http/problems.ts'
import { logSecurity, pseudonym } from '#server/http/security-log.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { createLimit } from '#server/throttle/limits.ts'
import { renderDocs } from './docs-model.ts'
import { describeInterface } from './openapi.ts'
import { listViewableCourseIds } from './repository.ts'
import { withoutPersonalData } from './rules.ts'
import { renderRobots, renderSecurityTxt, renderSitemap } from './site-files.ts'

export function mountSystem(api: Api, context: ServerContext): void {
  const { db, config, log } = context
  const takeClientError = createLimit(context, 'client-error', { burst: 20, perMinute: 20 })
  const description = describeInterface(config.publicUrl)

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

  /** Bookings run in the primary process: it must respond, and its database must commit. */
  const checkHealth = () => (context.ask ? context.ask<void>('health', null) : db.probe())
  /** @throws HttpProblem 503, so that a load balancer sends no requests here */
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
    // A timeout of this query is ignored: the commit check has decided already.
    const isAnchored = await isAuditAnchorCurrent(db, config.dataDir).catch(() => true)
    return isAnchored ? health : { ...health, warnings: ['auditAnchor' as const] }
  })

  api.mount(contract.getLiveness, async () => ({ status: 'Ok' as const }))

  api.mount(contract.getReadiness, () => assertGood(() => checkHealth().then(() => isMigrated(db))))

  api.mount(contract.reportClientError, async ({ body, address }) => {
    await takeClientError(address)
    const { message, stack, route, release } = body
    const clientError = {
      message: withoutPersonalData(message, 500),
      stack: withoutPersonalData(stack, 2000),
      route: withoutPersonalData(route, 200),
      release: withoutPersonalData(release, 50),
    }
    log.warn({ clientError }, 'an error in the app')
    if (message.startsWith(CSP_REPORT_PREFIX)) logSecurity(log, 'page.policy-broken', { network: pseudonym(address) })
    return undefined
  })

  api.mount(contract.getOpenApi, async ({ request }) => jsonWithEtag(request, description))

  const { html, style } = renderDocs(description, context.config.branding.portalName)
  const styleHash = createHash('sha256').update(style).digest('base64')
  api.mount(
    contract.getDocs,
    async () =>
      new Response(html, {
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Cache-Control': 'public, max-age=300',
          'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        },
      }),
  )
}

/** Files outside of the API: robots.txt, sitemap.xml and well-known URIs. */
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
