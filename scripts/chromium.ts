import { execFile, spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'msedge']
const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Some systems bring a stand-in that only says how to install the browser: it has to answer. */
const works = (path: string) =>
  promisify(execFile)(path, ['--version', '--no-sandbox'], { timeout: 20_000 }).then(
    ({ stdout }) => /(?:chrom|edge).*\d+\.\d+/i.test(stdout),
    () => false,
  )

/**
 * A Chromium of this machine: CHROMIUM_PATH, the system's, or Playwright's own.
 * @returns its path, or null when there is none
 */
export async function findChromium(): Promise<string | null> {
  const wanted = process.env.CHROMIUM_PATH
  if (wanted) return (await works(wanted)) ? wanted : null
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const candidates = [
    ...names.flatMap(name => folders.map(folder => join(folder, name))),
    ...fixedPlaces,
    chromium.executablePath(),
  ]
  for (const path of candidates) if (await works(path)) return path
  return null
}

const run = (command: string, ...args: string[]) =>
  new Promise<boolean>(resolve => {
    console.log(`$ ${command} ${args.join(' ')}`)
    const child = spawn(command, args, { stdio: 'inherit', timeout: 300_000 })
    child.once('error', () => resolve(false))
    child.once('close', code => resolve(code === 0))
  })

/**
 * Finds a Chromium, or gets one: by Playwright's installer, else by the system's package manager where this user may.
 * @throws Error whose one line says how to get one
 */
export async function provideChromium(): Promise<string> {
  const present = await findChromium()
  if (present) return present
  if (process.env.CHROMIUM_PATH)
    throw new Error(`CHROMIUM_PATH: ${process.env.CHROMIUM_PATH} does not run as a Chromium`)
  const isRoot = process.getuid?.() === 0
  const attempts: (() => Promise<boolean>)[] = [
    () => run('playwright', 'install', 'chromium'),
    ...(isRoot
      ? [
          () => run('playwright', 'install-deps', 'chromium'),
          async () => (await run('apt-get', 'update')) && (await run('apt-get', 'install', '-y', 'chromium')),
        ]
      : []),
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
