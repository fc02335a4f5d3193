import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from '../../e2e/browsers.ts'
import { Portal } from '../../e2e/portal.ts'
import { openBaselines } from './baselines.ts'
import { percentile } from './programmes.ts'
import { report } from './report.ts'

/**
 * Time from opening the app offline, after a browser restart, to the list; measured alternately with a minimal list.
 */
const ROUNDS = 11
const SETTLE_MS = 4_000
/** Settling time: a freshly started desktop browser loads pages of its own, unlike a phone's. */
const BROWSER_REST_MS = 2_000

const executablePath = await findChromium()
const options = {
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox'],
  locale: 'de-DE',
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
}

/** First visit while online, which fills the device's caches. */
async function install(folder: string, url: string): Promise<void> {
  const context = await chromium.launchPersistentContext(folder, options)
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.waitForTimeout(SETTLE_MS)
  await context.close()
}

async function start(folder: string, url: string, slowdown: number): Promise<number> {
  const context = await chromium.launchPersistentContext(folder, { ...options, offline: true })
  const page = await context.newPage()
  await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(() => {
    // Element timing: a card's name is marked in the frame that paints it first, and the browser reports its paint
    // time.
    const mark = () => {
      const name = document.querySelector('main article :is(h2, h3)')
      if (name) name.setAttribute('elementtiming', 'card')
      else requestAnimationFrame(mark)
    }
    requestAnimationFrame(mark)
    new PerformanceObserver(list => {
      for (const entry of list.getEntries())
        Object.assign(window, { shownAt: (entry as PerformanceEntry & { renderTime: number }).renderTime })
    }).observe({ type: 'element' })
  })
  await page.waitForTimeout(BROWSER_REST_MS)
  await page.goto(url, { waitUntil: 'commit' })
  const shown = await page.waitForFunction(() => (window as unknown as { shownAt?: number }).shownAt)
  const ms = (await shown.jsonValue()) as number
  await context.close()
  return ms
}

const portal = await Portal.open()
const floors = await openBaselines(portal.url)
const places = { portal: `${portal.url}/courses`, mantine: `${floors.mantine}/` }
const folders = new Map<string, string>()
for (const [name, url] of Object.entries(places)) {
  const folder = await mkdtemp(join(tmpdir(), 'offline-'))
  folders.set(name, folder)
  await install(folder, url)
}
for (const slowdown of [1, 4]) {
  const times: Record<string, number[]> = { portal: [], mantine: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, url] of Object.entries(places))
      times[name]?.push(await start(folders.get(name) ?? '', url, slowdown))
  report({
    what: `offline start to the list, ${slowdown} times slower`,
    figure: percentile(times.portal ?? [], 0.5),
    unit: 'ms',
    reference: { name: 'bare Mantine list', figure: percentile(times.mantine ?? [], 0.5) },
    limit: { atMost: 1 },
  })
}
for (const folder of folders.values()) await rm(folder, { recursive: true, force: true })
floors.close()
await portal.close()
