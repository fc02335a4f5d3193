import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../../e2e/browsers.ts'
import { Portal } from '../../e2e/portal.ts'
import { openBaselines } from './baselines.ts'
import { PHONE } from './phone.ts'
import { openLargePortal } from './programmes.ts'
import { report } from './report.ts'

/**
 * Time to the first course on a first visit with a slow phone: 150 ms latency, 1.6 Mbit/s, 4× CPU throttling. Other
 * portals, such as an older release, are measured alternately: `node tools/bench/first-view.ts --rounds 5
 * older=http://127.0.0.1:8081`. Baseline apps with the same courses are always included.
 * --courses N: a generated programme of that size instead of the demo, list only.
 * Another program is compared by the address of its list and, after `#`, the selector of its first entry:
 * `mrbs=http://127.0.0.1:8099/index.php?view=day#td.booked`.
 */
const SCREENS: Record<string, string> = {
  '/courses': 'main article',
  '/home': 'main h2, main h1 + p',
  '/course-details/2': 'main dl',
}

type Figures = { card: number; lcp: number; shift: number; requests: number; js: number; css: number; longest: number }

const options = process.argv.slice(2)
const rounds = Number(options[options.indexOf('--rounds') + 1]) || 5
const courses = options.includes('--courses') ? Number(options[options.indexOf('--courses') + 1]) : 0
const others = options
  .map(option => /^(\w+)=(https?:.+)$/.exec(option))
  .flatMap(match => (match ? [[match[1], match[2]] as [string, string]] : []))
const isPage = (url: string) => url.includes('#')

async function visit(browser: Browser, url: string, selector: string): Promise<Figures> {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const throughput = (1.6 * 1024 * 1024) / 8
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: throughput,
    uploadThroughput: throughput / 2,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(wanted => {
    const seen = { card: 0, lcp: 0, shift: 0, longest: 0 }
    Object.assign(window, { seen })
    const look = () => {
      const element = document.querySelector(wanted)
      if (element && (element as HTMLElement).offsetHeight > 0 && !seen.card) {
        requestAnimationFrame(() => setTimeout(() => (seen.card ||= performance.now())))
      } else if (!seen.card) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    const watch = (type: string, note: (entry: PerformanceEntry & { value: number }) => void) =>
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) note(entry as PerformanceEntry & { value: number })
      }).observe({ type, buffered: true })
    watch('largest-contentful-paint', ({ startTime }) => {
      seen.lcp = startTime
    })
    watch('layout-shift', ({ value }) => {
      seen.shift += value
    })
    watch('longtask', ({ duration }) => {
      seen.longest = Math.max(seen.longest, duration)
    })
  }, selector)
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(3_000)
  const figures = await page.evaluate(() => {
    const { seen } = window as unknown as { seen: { card: number; lcp: number; shift: number; longest: number } }
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const bytes = (end: RegExp) =>
      files
        .filter(({ name, responseEnd }) => end.test(name) && responseEnd <= seen.card)
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    // Inlined resources are transferred with the page.
    const textsOf = (kind: string) => [...document.querySelectorAll(kind)].map(({ textContent }) => textContent)
    const inside = { js: textsOf('script:not([src], [type])'), css: textsOf('style') }
    const requests = 1 + files.filter(({ startTime }) => startTime < seen.lcp).length
    return { ...seen, requests, js: bytes(/\.js$/), css: bytes(/\.css$/), inside }
  })
  await context.close()
  const { inside, ...rest } = figures
  const sizeOf = (texts: string[]) => texts.reduce((sum, text) => sum + brotliCompressSync(text).byteLength, 0)
  return { ...rest, js: rest.js + sizeOf(inside.js), css: rest.css + sizeOf(inside.css) }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const executablePath = await findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
const portal = courses ? (await openLargePortal(courses)).portal : await Portal.open()
const floors = await openBaselines(portal.url)
const portals = [['portal', portal.url] as [string, string], ...others]
const floorOf = { 'bare React': floors.react, 'bare Mantine': floors.mantine }
for (const [path, selector] of Object.entries(SCREENS).slice(0, courses ? 1 : undefined)) {
  const compared = portals.filter(([, url]) => path === '/courses' || !isPage(url))
  const visitListOf = (url: string) => {
    const [page = '', entry = ''] = url.split('#')
    return isPage(url) ? visit(browser, page, entry) : visit(browser, url + path, selector)
  }
  // Warm-up: the first visit fills the server's caches.
  for (const [, url] of compared) await visitListOf(url)
  const found = new Map<string, Figures[]>(compared.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, url] of compared) found.get(name)?.push(await visitListOf(url))
    if (path !== '/courses') continue
    for (const [name, url] of Object.entries(floorOf)) {
      const figures = await visit(browser, `${url}/`, selector)
      found.set(name, [...(found.get(name) ?? []), figures])
    }
  }
  const medianOf = (name: string, key: keyof Figures) => median((found.get(name) ?? []).map(one => one[key]))
  const [react, card] = [medianOf('bare React', 'card'), medianOf('portal', 'card')]
  const what = `first content of ${path}${courses ? `, ${courses.toLocaleString('en')} courses` : ''}, 150 ms, 1.6 Mbit/s, 4 times slower`
  if (react) {
    report({
      what,
      figure: card,
      unit: 'ms',
      reference: { name: 'bare React', figure: react },
      limit: { atMost: 0.6 },
    })
    report({
      what: '… beside Mantine',
      figure: card,
      unit: 'ms',
      reference: { name: 'bare Mantine', figure: medianOf('bare Mantine', 'card') },
    })
  } else report({ what, figure: card, unit: 'ms', limit: { atMost: 1_000 } })
  for (const [name] of compared.filter(([, url]) => isPage(url)))
    report({
      what: `… beside ${name}`,
      figure: card,
      unit: 'ms',
      reference: { name, figure: medianOf(name, 'card') },
      limit: { atMost: 0.5 },
    })
  report({ what: '… layout shift', figure: medianOf('portal', 'shift'), unit: '', limit: { atMost: 0.01 } })
  report({ what: '… JS before it', figure: medianOf('portal', 'js') / 1000, unit: 'KB', limit: { atMost: 120 } })
  report({ what: '… CSS before it', figure: medianOf('portal', 'css') / 1000, unit: 'KB', limit: { atMost: 15 } })
  for (const [name, figures] of found) {
    const of = (key: keyof Figures) => median(figures.map(one => one[key]))
    console.log(
      `${path} ${name}: first content ${of('card').toFixed(0)} ms, LCP ${of('lcp').toFixed(0)} ms, shift ${of('shift').toFixed(3)}, ` +
        `longest task ${of('longest').toFixed(0)} ms, ${of('requests')} requests before the LCP, ` +
        `before the content ${(of('js') / 1000).toFixed(0)} KB JS, ${(of('css') / 1000).toFixed(0)} KB CSS`,
    )
  }
}
await browser.close()
floors.close()
await portal.close()
