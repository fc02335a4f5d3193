import { existsSync } from 'node:fs'
import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Library folders; Debian adds one per architecture. */
const LIBRARY_FOLDERS = ['/usr/lib', '/usr/lib64', '/usr/local/lib']
const LIBRARY = 'faketime/libfaketimeMT.so.1'
/** Debian package of the library. */
export const FAKETIME_PACKAGE = 'libfaketime'

/** Finds the path of libfaketime; null if it is not installed. */
export async function findFaketime(): Promise<string | null> {
  if (process.platform !== 'linux') return null
  for (const folder of LIBRARY_FOLDERS) {
    const names = await readdir(folder).catch(() => [])
    for (const below of [folder, ...names.filter(name => name.endsWith('-linux-gnu')).map(name => join(folder, name))])
      if (existsSync(join(below, LIBRARY))) return join(below, LIBRARY)
  }
  return null
}

const ZONE = 'Europe/Berlin'
/** Wall-clock time in the portal's time zone, 'YYYY-MM-DD HH:MM'. */
export const wallClockOf = (instant: number): string =>
  new Date(instant).toLocaleString('sv-SE', { timeZone: ZONE }).slice(0, 16)

/**
 * Timestamp of a wall-clock time ('YYYY-MM-DD HH:MM') in the portal's time zone. If an hour occurs twice, the first one
 * is used.
 */
export function instantOf(wallClock: string): number {
  const utc = Date.parse(`${wallClock.replace(' ', 'T')}:00Z`)
  const found = [2, 1].map(hours => utc - hours * 3_600_000).find(instant => wallClockOf(instant) === wallClock)
  if (found === undefined) throw new Error(`${wallClock} does not exist in ${ZONE}`)
  return found
}

export type TestClock = {
  /** environment variables for every program that follows the clock */
  env: Record<string, string>
  /** Milliseconds since 1970. */
  now(): number
  /** Sets the clock, which continues from there in real time. Monotonic clocks are not affected. */
  set(instant: number): Promise<void>
}

/**
 * Creates a clock that several processes share: libfaketime reads the offset from the system clock from a file. See
 * docs/decisions/0146.
 */
export async function createTestClock(library: string, folder: string, instant: number): Promise<TestClock> {
  const file = join(folder, 'clock')
  let aheadMs = 0
  const clock: TestClock = {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    now: () => Date.now() + aheadMs,
    async set(instant) {
      aheadMs = instant - Date.now()
      const sign = aheadMs < 0 ? '' : '+'
      // Replaced atomically.
      await writeFile(`${file}.new`, `${sign}${(aheadMs / 1000).toFixed(3)}\n`, { mode: 0o644 })
      await rename(`${file}.new`, file)
    },
  }
  await clock.set(instant)
  return clock
}
