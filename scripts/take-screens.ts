import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { login } from '#contract/endpoints/session.ts'
import { findChromium } from '../e2e/browsers.ts'
import { DEMO_PASSWORD, type DemoAccount, emailOf, Portal } from '../e2e/portal.ts'
import { listScreens, type Screen } from '../e2e/screen-steps.ts'

/**
 * Takes screenshots of every route on a phone and a wide screen, in German and English, light and dark, and writes them
 * into `screens/` (ignored by git). Those that docs/screens contains are updated there as well. Arguments: names of the
 * screens to take; `film` records the journeys of e2e/count-taps.spec.ts tap by tap into `screens/film`.
 */
const root = join(import.meta.dirname, '..')
const folder = join(root, 'screens')
const shownFolder = join(root, 'docs/screens')
const SIZES = { phone: { width: 390, height: 844 }, wide: { width: 1280, height: 900 } }
const LANGUAGES = ['de', 'en'] as const
const SCHEMES = ['light', 'dark'] as const

async function take(page: Page, url: string, { path, prepare }: Screen, file: string): Promise<void> {
  await page.goto(`${url}${path}`, { waitUntil: 'networkidle' })
  await prepare?.(page)
  await page.locator('[data-waiting]').first().waitFor({ state: 'detached' })
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
        for (const screen of screens) {
          await take(page, portal.url, screen, join(folder, `${screen.name}-${size}-${language}-${scheme}.webp`))
        }
        await context.close()
        console.log(`${account ?? 'visitor'}: ${size}, ${language}, ${scheme}`)
      }
    }
  }
}

const wanted = process.argv.slice(2)
if (wanted[0] === 'film') {
  const FILM = join(folder, 'film')
  await mkdir(FILM, { recursive: true })
  const journeys = ['node_modules/@playwright/test/cli.js', 'test', 'e2e/count-taps.spec.ts', '--project=phone']
  const { status } = spawnSync(process.execPath, journeys, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FILM },
  })
  process.exit(status ?? 1)
}

await mkdir(folder, { recursive: true })
const portal = await Portal.open()
const executablePath = await findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
const screens = (await listScreens(portal)).filter(({ name }) => wanted.length === 0 || wanted.includes(name))
for (const account of new Set(screens.map(screen => screen.account))) {
  await takeAll(
    browser,
    portal,
    screens.filter(screen => screen.account === account),
    account,
  )
}
await browser.close()
await portal.close()
for (const name of await readdir(shownFolder)) {
  // Skipped if the screenshot does not exist because only some screens were taken.
  await copyFile(join(folder, name), join(shownFolder, name)).catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
}
