import { type Browser, chromium, type Page } from '@playwright/test'
import { findJourneyBrowser } from '../../e2e/browsers.ts'
import { PHONE } from './phone.ts'
import { openLargePortal, percentile } from './programmes.ts'
import { report } from './report.ts'

/**
 * node tools/bench/main-thread.ts [--rounds N] [older=http://127.0.0.1:8081]
 * Thread time of the browser's main thread, which other processes do not change: until the first content of the list, and
 * in the long tasks of a second visit until the list is filtered. Other portals with the same programme are measured
 * alternately.
 */
const COURSES = 2_072
const MAIN_THREAD_MS = 34
const LONG_TASKS_SHARE = 0.5
const FILTER = 'main input[type="search"], main input[placeholder]'
const CARDS = 'main article'

const LONG_TASK_MS = 50

type TraceEvent = { name: string; pid: number; tid: number; ts: number; tdur?: number }

const options = process.argv.slice(2)
const rounds = options.includes('--rounds') ? Number(options[options.indexOf('--rounds') + 1]) : 5
const others = options.filter(option => option.includes('=')).map(option => option.split('=') as [string, string])

/**
 * Traces a visit.
 * @returns thread times in ms of the main thread's tasks: until the first contentful paint, and until the end
 */
async function trace(browser: Browser, page: Page, url: string, use: () => Promise<void>) {
  await browser.startTracing(page, { categories: ['toplevel', 'loading', 'blink.user_timing'] })
  await page.goto(`${url}/courses`)
  await page.locator(CARDS).first().waitFor()
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  await use()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const painted = traceEvents.find(({ name }) => name === 'firstContentfulPaint')
  if (!painted) throw new Error(`the trace of ${url}/courses has no first contentful paint`)
  const started = traceEvents.findLast(
    ({ name, pid, ts }) => name === 'navigationStart' && pid === painted.pid && ts < painted.ts,
  )
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => /RunTask$/.test(name) && pid === painted.pid && tid === painted.tid)
    .filter(({ ts }) => ts >= (started?.ts ?? 0))
    .map(({ ts, tdur = 0 }) => ({ ts, ms: tdur / 1_000 }))
  return { untilPaint: tasks.filter(({ ts }) => ts <= painted.ts).map(({ ms }) => ms), all: tasks.map(({ ms }) => ms) }
}

const sum = (figures: number[]) => figures.reduce((total, figure) => total + figure, 0)

/** Thread time in ms until the first contentful paint of a first visit. */
async function firstContentMs(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' })
  const { untilPaint } = await trace(browser, await context.newPage(), url, async () => {})
  await context.close()
  return sum(untilPaint)
}

/** Thread time in ms of the long tasks of a visit with a service worker and stored data, until the list is filtered. */
async function longTasksMs(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext(PHONE)
  const first = await context.newPage()
  await first.goto(`${url}/courses`)
  await first.locator(CARDS).first().waitFor()
  await first.evaluate(() => navigator.serviceWorker.ready)
  // Everything for offline use is stored by then.
  await first.waitForTimeout(8_000)
  await first.close()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const { all } = await trace(browser, page, url, async () => {
    const [card, filter] = [page.locator(CARDS).first(), page.locator(FILTER).first()]
    const before = await card.innerText()
    // The first view is visible before the app responds.
    for (let tries = 0; tries < 600; tries++) {
      await filter.fill(tries % 2 ? 'yoga' : 'yog')
      await page.waitForTimeout(50)
      if ((await card.innerText().catch(() => before)) !== before) return
    }
  })
  await context.close()
  return sum(all.filter(ms => ms > LONG_TASK_MS))
}

const executablePath = await findJourneyBrowser()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
const { portal } = await openLargePortal(COURSES)
const portals: [string, string][] = [['portal', portal.url], ...others]
const found = new Map(portals.map(([name]) => [name, { content: [] as number[], tasks: [] as number[] }]))
for (const [, url] of portals) await firstContentMs(browser, url)
for (let round = 0; round < rounds; round++) {
  for (const [name, url] of portals) {
    found.get(name)?.content.push(await firstContentMs(browser, url))
    found.get(name)?.tasks.push(await longTasksMs(browser, url))
  }
}
const medianOf = (name: string, key: 'content' | 'tasks') => percentile(found.get(name)?.[key] ?? [], 0.5)
for (const [name, { content, tasks }] of found)
  console.log(`${name}: ${content.map(ms => ms.toFixed(1))} ms; ${tasks.map(ms => ms.toFixed(0))} ms`)
const [older] = others
report({
  what: 'main thread until the first content of /courses',
  figure: medianOf('portal', 'content'),
  unit: 'ms',
  limit: { atMost: MAIN_THREAD_MS },
})
report({
  what: 'long tasks of a second visit until the list is filtered, 4 times slower',
  figure: medianOf('portal', 'tasks'),
  unit: 'ms',
  ...(older && {
    reference: { name: older[0], figure: medianOf(older[0], 'tasks') },
    limit: { atMost: LONG_TASKS_SHARE },
  }),
})
await browser.close()
await portal.close()
