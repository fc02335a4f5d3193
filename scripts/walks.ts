import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { chromium, devices, type Page } from 'playwright'
import { createServer, type Plugin } from 'vite'
import { type Course, listCoursesOfSession, listInstructorCourses } from '#contract/courses.ts'
import type { ProfileInput } from '#contract/person.ts'
import { login } from '#contract/session.ts'
import { completeInput } from '#contract/test/profiles.ts'
import { findChromium } from '../e2e/browsers.ts'
import { importRows } from '../e2e/import-steps.ts'
import { DEMO_PASSWORD, type DemoAccount, emailOf, Portal } from '../e2e/portal.ts'
import { findPort } from '../server/http/listen.ts'
import { instrument } from './walks/instrument.ts'

/**
 * Walks through the house as a call does, and prints for each walk the files whose named functions run, in order: on the phone and
 * for each request on the server. A *stay* is a row of functions of one file; a *return* is a stay in a file that was left before.
 * Tools (src/lib, src/components, src/i18n, the frame in src/app; server/app, db, http, texts, traces; contract/values, endpoint and
 * records) are named apart: whoever uses one comes back to it. Run it with `npx node scripts/walks.ts`; `--names` prints the functions too.
 */
const root = join(import.meta.dirname, '..')
const log = join(tmpdir(), `walks-${process.pid}`)
const TOOLS =
  /^(?:src\/(?:lib|components|i18n|app\/(?:theme|shell|pwa|app))|server\/(?:app|db|http|texts|throttle|log|traces)|contract\/(?:values|endpoint|records))[/.]/

type Step = { file: string; name: string }

function tell(title: string, steps: Step[]): void {
  const stays: { file: string; names: string[] }[] = []
  for (const { file, name } of steps.filter(step => !TOOLS.test(step.file))) {
    const last = stays.at(-1)
    if (last?.file === file) last.names.push(name)
    else stays.push({ file, names: [name] })
  }
  const files = new Set(stays.map(({ file }) => file))
  const tools = new Set(steps.filter(step => TOOLS.test(step.file)).map(({ file }) => file))
  const entered = new Set<string>()
  console.log(`\n${title}: ${files.size} files, ${stays.length - files.size} returns, ${tools.size} tools`)
  for (const { file, names } of stays) {
    const isReturn = entered.has(file)
    entered.add(file)
    const shown = process.argv.includes('--names') ? ` ${[...new Set(names)].join(', ')}` : ''
    console.log(`  ${isReturn ? '↩' : ' '} ${file}${shown}`)
  }
  if (process.argv.includes('--names')) console.log(`    tools: ${[...tools].join(' ')}`)
}

const telling: Plugin = {
  name: 'telling',
  enforce: 'pre',
  transform(code, id) {
    const file = relative(root, id.split('?')[0] ?? '').replaceAll('\\', '/')
    return /^(?:src|contract)\/.*\.tsx?$/.test(file) ? { code: instrument(code, file), map: null } : null
  },
}

await writeFile(log, '')
const host = '127.0.0.1'
const port = await findPort(host, 0)
const url = `http://${host}:${port}`
const hook = join(import.meta.dirname, 'walks/server-hook.ts')
const portal = await Portal.open({ PUBLIC_URL: url, WALKS: log, NODE_OPTIONS: `--import ${hook}` })
const proxied = ['/api', '/content', '/photos', '/thumbnails']
// In development React runs each effect twice.
process.env.NODE_ENV = 'production'
const vite = await createServer({
  root,
  mode: 'production',
  configLoader: 'native',
  logLevel: 'error',
  cacheDir: join(tmpdir(), 'walks-vite'),
  plugins: [telling],
  server: { host, port, strictPort: true, hmr: false, proxy: Object.fromEntries(proxied.map(p => [p, portal.url])) },
})
await vite.listen()
const executablePath = await findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })

/** A page of its own, opened as this person. */
async function open(path: string, account?: DemoAccount): Promise<Page> {
  const context = await browser.newContext({ ...devices['Pixel 7'], locale: 'de-DE' })
  const body = { userName: emailOf(account ?? 'employee'), password: DEMO_PASSWORD, keepSession: false }
  const token = account && (await portal.call(login, { body })).id
  await context.addInitScript(`
    ${token ? `sessionStorage.setItem('SessionToken', '${token}');` : ''}
    window.__steps = []; let drawing = 0
    window.__walk = (file, name, isRender) => { if (isRender) drawing++; else if (!drawing) window.__steps.push({ file, name }) }
    window.__drawn = () => { drawing-- }`)
  const page = await context.newPage()
  // The first page waits until everything is compiled.
  await page.goto(`${url}${path}`, { waitUntil: 'networkidle', timeout: 120_000 })
  return page
}

/** Until nothing has run for two seconds. */
async function calm(page: Page): Promise<void> {
  for (let before = -1, now = 0; before !== now; ) {
    before = now
    await page.waitForTimeout(2_000)
    now = Number(await page.evaluate('window.__steps.length')) + (await stat(log)).size
  }
}

/** What runs from an act on until everything is calm. */
async function walk(title: string, page: Page, act: () => Promise<unknown>): Promise<void> {
  await calm(page)
  await page.evaluate('window.__steps.length = 0')
  await truncate(log)
  await act()
  await calm(page)
  tell(`${title}, on the phone`, await page.evaluate('window.__steps'))
  const requests = new Map<string, Step[]>()
  for (const line of (await readFile(log, 'utf8')).split('\n').filter(Boolean)) {
    const [request = '', file = '', name = ''] = line.split('\t')
    requests.set(request, [...(requests.get(request) ?? []), { file, name }])
  }
  for (const [request, steps] of requests) tell(`${title}, ${request}`, steps)
}

const submit = (page: Page) => page.locator('form [type="submit"]')
const field = (page: Page, name: string) => page.locator(`main [name="${name}"]:visible`)

/** Fills in what the form shows; the status comes first, since it decides on the others. */
async function fill(page: Page, input: ProfileInput): Promise<void> {
  const values = Object.entries({ employeeStatus: input.employeeStatus, ...input })
  for (const [name, value] of values) {
    const shown = field(page, name)
    if ((await shown.count()) === 0) continue
    if (await shown.and(page.locator('select')).count()) await shown.selectOption(String(value))
    else await shown.fill(String(value))
  }
}

/** Ready to give a tick, a place, a person: what the walks need of the demo. */
async function choose(): Promise<{ taught: number; bookable: number; example: Course }> {
  const tokenOf = async (account: DemoAccount) =>
    (await portal.call(login, { body: { userName: emailOf(account), password: DEMO_PASSWORD, keepSession: false } })).id
  const taught = await portal.call(listInstructorCourses, { token: await tokenOf('instructor') })
  const seen = await portal.call(listCoursesOfSession, { token: await tokenOf('employee') })
  const running = taught.find(course => course.running && course.participation >= 10)
  const free = seen.find(course => course.directlyBookable && course.price?.kind === 'free')
  if (!running || !free) throw new Error('the demo programme has no such course')
  return { taught: running.id, bookable: free.id, example: running }
}

try {
  const { taught, bookable, example } = await choose()

  const list = await open(`/course-participation/${taught}`, 'instructor')
  const tick = list.getByRole('switch', { name: /: (?:fehlt|nicht erfasst)$/ }).first()
  await walk('A tick', list, () => tick.click())

  const course = await open(`/course-details/${bookable}`, 'employee')
  await walk('A booking', course, () => course.getByRole('button', { name: 'Jetzt buchen' }).click())

  const form = await open('/register1')
  const person = { ...completeInput(1, 1), email: 'kim.weg@demo.example' }
  await field(form, 'email').fill(person.email)
  await field(form, 'password').fill(String(person.password))
  await field(form, 'confirmPassword').fill(String(person.password))
  await walk('A registration, first step', form, () => submit(form).click())
  await field(form, 'familyName').waitFor()
  await fill(form, person)
  await walk('A registration, second step', form, () => submit(form).click())
  await field(form, 'employeeStatus').waitFor()
  await fill(form, person)
  await walk('A registration, last step', form, () => submit(form).click())

  // From the file to the card: what the answer with the new course sets off on the phone, in the middle of its start.
  const row = {
    number: 'W-9999',
    name: 'Laufen im Park',
    seasonId: String(example.seasonId),
    courseCategoryId: String(example.courseCategoryId),
    start: '2099-01-05',
    startTime: '18:00',
    endTime: '19:00',
    participants: '10',
  }
  const command = { WALKS: log, WALK: 'npm run import', NODE_OPTIONS: `--import ${hook}` }
  const visitor = await open('/faq')
  await visitor.route('**/api/course?view=index', async route => {
    const response = await route.fetch()
    await visitor.evaluate('window.__steps.length = 0')
    await route.fulfill({ response })
  })
  await walk('A course of courses.csv', visitor, async () => {
    await importRows(portal, 'courses.csv', [row], command)
    await visitor.goto(`${url}/courses?q=W-9999`)
    await visitor.getByRole('article').first().waitFor()
  })
} finally {
  await browser.close()
  await vite.close()
  await portal.close()
  await rm(log)
}
