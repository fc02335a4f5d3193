import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../scripts/chromium.ts'
import { hasRealProgrammes, openRealPortal } from './programmes.ts'

/** A phone four times slower than this machine, 2,072 courses: how long until a keystroke or a filter tap is on the screen. */
const SLOWDOWN = 4
const LIMIT_MS = 100

const watchEvents = () => {
  const durations: Record<string, number[]> = {}
  Object.assign(window, { durations })
  new PerformanceObserver(list => {
    for (const { name, duration } of list.getEntries()) {
      durations[name] ??= []
      durations[name].push(duration)
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

const slowest = (page: Page, name: string) =>
  page.evaluate(
    event => Math.max(0, ...((window as unknown as { durations: Record<string, number[]> }).durations[event] ?? [])),
    name,
  )

if (!hasRealProgrammes) console.log('skipped: ../shared is missing')
else {
  const portal = await openRealPortal('rwth')
  const executablePath = await findChromium()
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'de-DE' })
  const devtools = await page.context().newCDPSession(page)
  await page.addInitScript(watchEvents)
  await page.goto(`${portal.url}/courses`)
  await page.getByRole('searchbox').waitFor()
  await page.waitForTimeout(3_000)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })

  await page.getByRole('searchbox').click()
  await page.keyboard.type('schwimmen anfänger', { delay: 150 })
  for (let letter = 0; letter < 18; letter += 1) await page.keyboard.press('Backspace', { delay: 60 })
  await page.waitForTimeout(1_000)
  const key = await slowest(page, 'keydown')

  await page
    .getByRole('button', { name: /Filter/ })
    .first()
    .click()
  const boxes = page.getByRole('dialog').getByRole('checkbox')
  await boxes.first().waitFor()
  await page.evaluate(() => {
    for (const list of Object.values((window as unknown as { durations: Record<string, number[]> }).durations))
      list.length = 0
  })
  for (let place = 0; place < Math.min(8, await boxes.count()); place += 1) {
    await boxes.nth(place).click({ force: true })
    await page.waitForTimeout(400)
  }
  const tap = Math.max(await slowest(page, 'pointerup'), await slowest(page, 'click'))

  console.log(
    `slowest keystroke ${key} ms, slowest filter tap ${tap} ms at ${SLOWDOWN} times throttle (limit ${LIMIT_MS})`,
  )
  if (Math.max(key, tap) > LIMIT_MS) process.exitCode = 1
  await browser.close()
  await portal.close()
}
