import { chromium, type Request } from '@playwright/test'
import { findChromium } from '../../e2e/browsers.ts'
import { Portal } from '../../e2e/portal.ts'
import { PHONE } from './phone.ts'
import { report } from './report.ts'

/**
 * Transfer size of a first visit, headers included: until the page has loaded, for preloading afterwards, and for the
 * service worker's precache.
 */
const ROUTES = ['/home', '/courses', '/course-details/1']
/** Size limit in kB of app, fonts and data of the first screen, without pictures. */
const LIMIT_KB = 270

const kindOf = (request: Request, url: URL) => {
  if (url.pathname.startsWith('/api/')) return 'data'
  if (request.resourceType() === 'font') return 'fonts'
  return /\.(?:webp|avif|png|jpe?g|svg)$/.test(url.pathname) ? 'pictures' : 'app'
}

const portal = await Portal.open()
const executablePath = await findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
for (const route of ROUTES) {
  const context = await browser.newContext(PHONE)
  const kinds: Record<string, { requests: number; bytes: number }> = {}
  const counted: Promise<void>[] = []
  const late = new Set<Request>()
  let isLoaded = false
  context.on('request', request => isLoaded && late.add(request))
  context.on('requestfinished', request => {
    const url = new URL(request.url())
    const kind = request.serviceWorker() ? 'worker' : late.has(request) ? 'later' : kindOf(request, url)
    counted.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => {
        kinds[kind] ??= { requests: 0, bytes: 0 }
        kinds[kind].requests += 1
        kinds[kind].bytes += responseBodySize + responseHeadersSize
      }),
    )
  })
  const page = await context.newPage()
  page.once('load', () => {
    isLoaded = true
  })
  await page.goto(portal.url + route, { waitUntil: 'networkidle' })
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.waitForTimeout(1_000)
  await Promise.all(counted)

  const { worker, later, ...first } = kinds
  const parts = Object.entries(first).map(
    ([kind, { requests, bytes }]) => `${kind} ${(bytes / 1000).toFixed(1)} KB in ${requests}`,
  )
  const kb = Object.entries(first).reduce((sum, [kind, { bytes }]) => sum + (kind === 'pictures' ? 0 : bytes), 0) / 1000
  const requests = Object.values(first).reduce((sum, part) => sum + part.requests, 0)
  console.log(
    `${route}: ${kb.toFixed(1)} KB without pictures (limit ${LIMIT_KB}), ${requests} requests: ${parts.join(', ')}`,
  )
  report({
    what: `first visit of ${route}, without pictures`,
    figure: kb,
    unit: `KB, ${requests} requests`,
    limit: { atMost: LIMIT_KB },
  })
  for (const [who, part] of Object.entries({ 'after it': later, 'by the worker': worker })) {
    if (part) console.log(`  ${who}: ${(part.bytes / 1000).toFixed(1)} KB in ${part.requests} requests`)
  }
  if (kb > LIMIT_KB) process.exitCode = 1
  await context.close()
}
await browser.close()
await portal.close()
