import { execFile, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright'

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'msedge']
const CHROMIUM_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const HEADLESS_NAMES = ['chromium-headless-shell', 'chrome-headless-shell']
const FIREFOX_NAMES = ['firefox-esr', 'firefox']
const FIREFOX_PLACES = ['/Applications/Firefox.app/Contents/MacOS/firefox']
/** Base folder of browsers; its subfolders differ by system. */
const WEBKIT_PLACES = ['/usr/lib', '/usr/lib64', '/usr/libexec']

/** WebKitGTK: its driver, browser and required display. */
export type WebKit = { driver: string; browser: string; display: string }

/** Some systems have a placeholder that only prints installation instructions: it must run. */
const answers = (path: string, pattern: RegExp) =>
  promisify(execFile)(path, ['--version', '--no-sandbox'], { timeout: 20_000 }).then(
    ({ stdout }) => pattern.test(stdout),
    () => false,
  )

const onPath = (names: string[]) => {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap(name => folders.map(folder => join(folder, name)))
}

async function findFirst(paths: string[], fits: (path: string) => Promise<boolean>): Promise<string | null> {
  for (const path of paths) if (await fits(path)) return path
  return null
}

const findAnswering = (wanted: string | undefined, candidates: string[], pattern: RegExp) =>
  findFirst(wanted ? [wanted] : candidates, path => answers(path, pattern))

/**
 * Chromium on this machine: CHROMIUM_PATH, the system's, or Playwright's.
 * @returns its path, or null if there is none
 */
export const findChromium = (): Promise<string | null> =>
  findAnswering(
    process.env.CHROMIUM_PATH,
    [...onPath(CHROMIUM_NAMES), ...CHROMIUM_PLACES, chromium.executablePath()],
    /(?:chrom|edge).*\d+\.\d+/i,
  )

/** Where Playwright installs its headless shell, next to its Chromium. */
const playwrightShells = (): string[] => {
  const folder = chromium.executablePath().replace(/([\\/]ms-playwright)[\\/].*$/, '$1')
  return globSync('chromium_headless_shell-*/*/{headless_shell,chrome-headless-shell}{,.exe}', { cwd: folder }).map(
    path => join(folder, path),
  )
}
const findHeadlessShell = () =>
  findAnswering(undefined, [...onPath(HEADLESS_NAMES), ...playwrightShells()], /(?:chrom|headless).*\d+\.\d+/i)

/** Browser for e2e tests: CHROMIUM_PATH, or Chromium's headless shell, which takes less CPU time, or full Chromium. */
export const findJourneyBrowser = async (): Promise<string | null> =>
  (process.env.CHROMIUM_PATH ? null : await findHeadlessShell()) ?? findChromium()

/** Firefox with sufficient WebDriver BiDi support (140 or later): FIREFOX_PATH or the system's. */
export const findFirefox = (): Promise<string | null> =>
  findAnswering(
    process.env.FIREFOX_PATH,
    [...onPath(FIREFOX_NAMES), ...FIREFOX_PLACES],
    /Firefox (?:1[4-9]|[2-9]\d)\d\./,
  )

/** The system's WebKit with its driver; WEBKIT_BROWSER_PATH overrides the MiniBrowser. */
export async function findWebKit(): Promise<WebKit | null> {
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    )
  const below = async (folder: string) => (await readdir(folder).catch(() => [])).map(name => join(folder, name))
  const folders = (await Promise.all(WEBKIT_PLACES.map(below))).flat()
  const deeper = (await Promise.all(folders.filter(path => /linux|webkit/.test(path)).map(below))).flat()
  const browsers = [...folders, ...deeper]
    .filter(path => /webkit[\w.-]*$/.test(path))
    .map(path => join(path, 'MiniBrowser'))
  const wanted = process.env.WEBKIT_BROWSER_PATH
  const [driver, browser, display] = await Promise.all([
    findFirst(onPath(['WebKitWebDriver']), exists),
    findFirst(wanted ? [wanted] : browsers, exists),
    findFirst(onPath(['Xvfb']), exists),
  ])
  return driver && browser && display ? { driver, browser, display } : null
}

const run = (command: string, ...args: string[]) =>
  new Promise<boolean>(resolve => {
    console.log(`$ ${command} ${args.join(' ')}`)
    const child = spawn(command, args, { stdio: 'inherit', timeout: 300_000 })
    child.once('error', () => resolve(false))
    child.once('close', code => resolve(code === 0))
  })

const isRoot = () => process.getuid?.() === 0
/**
 * Installs packages by the system's package manager, if this user may.
 * @returns whether they are installed
 */
export const installPackages = async (...names: string[]) =>
  isRoot() && (await run('apt-get', 'update')) && (await run('apt-get', 'install', '-y', ...names))

/**
 * Finds Chromium or installs it by Playwright or the system's package manager.
 * @throws Error whose one line explains how to install it
 */
export async function provideChromium(): Promise<string> {
  const present = await findChromium()
  if (present) return present
  if (process.env.CHROMIUM_PATH)
    throw new Error(`CHROMIUM_PATH: ${process.env.CHROMIUM_PATH} does not run as a Chromium`)
  const attempts: (() => Promise<boolean>)[] = [
    () => run('playwright', 'install', 'chromium'),
    ...(isRoot() ? [() => run('playwright', 'install-deps', 'chromium'), () => installPackages('chromium')] : []),
  ]
  for (const attempt of attempts) {
    await attempt()
    const found = await findChromium()
    if (found) return found
  }
  throw new Error(
    'The browser tests need a Chromium: install one (apt-get install chromium) or name one in CHROMIUM_PATH',
  )
}

const BESIDE = [
  { name: 'Firefox', find: findFirefox, packages: ['firefox-esr'] },
  { name: 'WebKit', find: findWebKit, packages: ['webkit2gtk-driver', 'xvfb'] },
]

/** Installs the browsers other than Chromium if this user may; prints those that are unavailable. */
export async function provideOtherBrowsers(): Promise<void> {
  for (const { name, find, packages } of BESIDE) {
    if (await find()) continue
    await installPackages(...packages)
    if (!(await find()))
      console.log(`There is no ${name} here: its journeys are skipped (apt-get install ${packages.join(' ')})`)
  }
}

/** Installs Chromium's headless shell if this user may, and reports if there is none. */
export async function provideHeadlessShell(): Promise<void> {
  if (process.env.CHROMIUM_PATH) return
  const attempts = [
    () => installPackages('chromium-headless-shell'),
    () => run('playwright', 'install', '--only-shell', 'chromium'),
  ]
  for (const attempt of attempts) {
    if (await findHeadlessShell()) return
    await attempt()
  }
  if (!(await findHeadlessShell()))
    console.log('There is no headless shell of Chromium: the journeys take 1.8 times as much processor time.')
}
