import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { bookCourse, type Course, listCourses } from '../../contract/endpoints/courses.ts'
import { login } from '../../contract/endpoints/session.ts'
import { findChromium } from '../../e2e/browsers.ts'
import { importFolder } from '../../e2e/import-steps.ts'
import { Portal } from '../../e2e/portal.ts'
import { emailOfPerson, PASSWORD, percentile } from './programmes.ts'
import { report } from './report.ts'

/** Measures the latency from tap to paint in an attendance list of 60 people, with 4× CPU throttling. */
const PEOPLE = Number(process.argv[2] ?? 60)
/**
 * In a long list, only a sample of rows is tapped: the latency depends on the size of the list, not on the number of
 * taps.
 */
const TAPS = Math.min(PEOPLE, 40)
const SLOWDOWN = 4
const LIMIT_MS = 100
const INSTRUCTOR = 'trainer@bench.example'

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Writes an import folder with one current course of twelve weeks, an instructor and all its participants. */
async function writeProgramme(folder: string): Promise<void> {
  const [start, end] = [dayFromNow(-35), dayFromNow(42)]
  const files = {
    'seasons.csv': `id,name,bookableFrom,viewableFrom,startsAt,endsAt\n1,Saison,${start},${start},${start},${end}\n`,
    'categories.csv': 'id,name,icon\n1,Fitness,fitness\n',
    'instructors.csv': `email,familyName,givenName\n${INSTRUCTOR},Trainer,Toni\n`,
    'courses.csv': `number,seasonId,courseCategoryId,name,instructorEmails,start,end,startTime,endTime,participants\nB-1,1,1,Zirkel,${INSTRUCTOR},${start},${end},18:00,19:00,${PEOPLE}\n`,
    'users.csv': [
      'email,password,givenName,familyName,employeeStatus',
      `${INSTRUCTOR},${PASSWORD},Toni,Trainer,1`,
      ...Array.from({ length: PEOPLE }, (_, index) => `${emailOfPerson(index)},${PASSWORD},Kim,Muster-${index},1`),
    ].join('\n'),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

const watchTaps = () => {
  const taps: number[] = []
  Object.assign(window, { taps })
  new PerformanceObserver(list => {
    for (const { name, duration } of list.getEntries()) if (name === 'click') taps.push(duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

/** Taps a sample of rows once each. @returns ms until each tap is painted; anything below one frame counts as 16 */
async function tapAll(page: Page, pauseMs: number): Promise<number[]> {
  // The buttons are located by role only: under throttling, computing all accessible names takes longer than the tap.
  const buttons = page.locator('main [role="switch"]')
  for (let index = 0; index < TAPS; index += 1) {
    await buttons.nth(index).tap()
    await page.waitForTimeout(pauseMs)
  }
  await page.waitForTimeout(1_000)
  const seen = await page.evaluate(() => (window as unknown as { taps: number[] }).taps.splice(0))
  return [...seen, ...Array.from({ length: Math.max(0, TAPS - seen.length) }, () => 16)]
}

const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'))
await writeProgramme(folder)
const portal = await Portal.open({ DEMO: 'off' })
await importFolder(portal, folder, { DEMO: 'off' })
await rm(folder, { recursive: true })
const tokenOf = async (userName: string) =>
  (await portal.call(login, { body: { userName, password: PASSWORD, keepSession: false } })).id
const [course] = (await portal.call(listCourses)) as Course[]
for (let first = 0; first < PEOPLE; first += 10) {
  const people = Array.from({ length: Math.min(10, PEOPLE - first) }, (_, index) => emailOfPerson(first + index))
  const book = async (person: string) =>
    portal.call(bookCourse, { token: await tokenOf(person), body: { id: course?.id ?? 0 } })
  await Promise.all(people.map(book))
}

const executablePath = await findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'de-DE' })
const page = await context.newPage()
const devtools = await context.newCDPSession(page)
await page.addInitScript(token => sessionStorage.setItem('SessionToken', token), await tokenOf(INSTRUCTOR))
await page.addInitScript(watchTaps)
await page.goto(`${portal.url}/course-participation/${course?.id}`, { waitUntil: 'networkidle' })
await page.waitForTimeout(3_000)
// Measures CPU time, which is comparable even on a busy machine.
await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
const processorMs = async () => {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}
await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
await tapAll(page, 0)
for (const [name, pauseMs, isOffline] of [
  ['with network, four taps a second', 250, false],
  ['with network, as fast as can be', 0, false],
  ['without network, four taps a second', 250, true],
] as const) {
  await context.setOffline(isOffline)
  const startedAt = await processorMs()
  const times = await tapAll(page, pauseMs)
  const perTap = ((await processorMs()) - startedAt) / TAPS
  const slowest = Math.max(...times)
  const over = times.filter(time => time > LIMIT_MS).length
  console.log(
    `${name}: ${times.length} taps, median ${percentile(times, 0.5)} ms, slowest ${slowest} ms, ${over} over ${LIMIT_MS} ms; ${perTap.toFixed(0)} ms of processor time per tap (${SLOWDOWN} times throttle)`,
  )
  report({
    what: `tick ${name}, ${PEOPLE} people, 4 times slower: median`,
    figure: percentile(times, 0.5),
    unit: 'ms',
    limit: { atMost: 50 },
  })
  report({ what: `… the slowest`, figure: slowest, unit: 'ms', limit: { atMost: LIMIT_MS } })
  if (over > 0) process.exitCode = 1
}
await context.setOffline(false)
await browser.close()
await portal.close()
