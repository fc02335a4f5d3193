import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import sharp from 'sharp'
import type { Course } from '#contract/courses.ts'
import { listCourses, listInstructorCourses } from '#contract/courses.ts'
import { login } from '#contract/session.ts'
import { DEMO_PASSWORD, type DemoAccount, emailOf, Portal } from '../e2e/portal.ts'
import { findChromium } from './chromium.ts'

/** Takes docs/screens: every route on a phone and a wide screen, German and English, light and dark. */
const folder = join(import.meta.dirname, '../docs/screens')
const SIZES = { phone: { width: 390, height: 844 }, wide: { width: 1280, height: 900 } }
const LANGUAGES = ['de', 'en'] as const
const SCHEMES = ['light', 'dark'] as const

type Screen = { name: string; path: string; account?: DemoAccount }

async function screensOf(portal: Portal): Promise<Screen[]> {
  const courses = (await portal.call(listCourses)) as Course[]
  const body = { userName: emailOf('instructor'), password: DEMO_PASSWORD, keepSession: false }
  const { id: token } = await portal.call(login, { body })
  const taught = (await portal.call(listInstructorCourses, { token })) as Course[]
  const open = courses.find(course => course.seasonBookable && (course.currentBooked ?? 0) < course.participants)
  const coming = courses.find(course => !course.seasonBookable)
  const running = taught.find(course => course.running) ?? taught[0]
  const visitors = [
    'home',
    'courses',
    'courseprogram',
    'flyers',
    'instructor',
    'teamsport',
    'photo-album',
    'photo-album/1',
  ]
  const texts = ['inprint', 'privacy', 'faq', 'contact', 'teilnahmebedingung', 'info', 'offline']
  const people = ['login', 'register1', 'no-such-page']
  const own = ['courses/booked', 'messages', 'edit', 'password-change']
  return [
    ...[...visitors, ...texts, ...people].map(path => ({ name: path.replaceAll('/', '-'), path })),
    { name: 'course-details', path: `course-details/${open?.id}` },
    { name: 'course-details-countdown', path: `course-details/${coming?.id}`, account: 'employee' },
    ...own.map(path => ({ name: path.replaceAll('/', '-'), path, account: 'employee' as const })),
    { name: 'courses-instructor', path: 'courses/instructor', account: 'instructor' },
    { name: 'course-participation', path: `course-participation/${running?.id}`, account: 'instructor' },
  ]
}

async function take(page: Page, url: string, file: string): Promise<void> {
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(300)
  await sharp(await page.screenshot({ animations: 'disabled' }))
    .webp({ quality: 72 })
    .toFile(file)
}

async function takeAll(browser: Browser, portal: Portal, screens: Screen[], account?: DemoAccount): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const language of LANGUAGES) {
      for (const scheme of SCHEMES) {
        const context = await browser.newContext({ viewport, colorScheme: scheme, locale: 'de-DE' })
        const token =
          account &&
          (await portal.call(login, {
            body: { userName: emailOf(account), password: DEMO_PASSWORD, keepSession: false },
          }))
        await context.addInitScript(
          `localStorage.setItem('Language', '${language}');
          if ('${token?.id ?? ''}') sessionStorage.setItem('SessionToken', '${token?.id ?? ''}')`,
        )
        const page = await context.newPage()
        for (const { name, path } of screens) {
          await take(page, `${portal.url}/${path}`, join(folder, `${name}-${size}-${language}-${scheme}.webp`))
        }
        await context.close()
        console.log(`${account ?? 'visitor'}: ${size}, ${language}, ${scheme}`)
      }
    }
  }
}

await mkdir(folder, { recursive: true })
const portal = await Portal.open()
const executablePath = await findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
const screens = await screensOf(portal)
for (const account of [undefined, 'employee', 'instructor'] as const) {
  await takeAll(
    browser,
    portal,
    screens.filter(screen => screen.account === account),
    account,
  )
}
await browser.close()
await portal.close()
