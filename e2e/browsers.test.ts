import { afterEach, expect, test, vi } from 'vitest'
import { findChromium, findFirefox, provideChromium } from './browsers.ts'

afterEach(() => vi.unstubAllEnvs())

test.each(['/usr/bin/env', '/nowhere/chromium', import.meta.dirname])(
  'CHROMIUM_PATH=%s is rejected because it does not run as Chromium',
  async path => {
    vi.stubEnv('CHROMIUM_PATH', path)
    expect(await findChromium()).toBeNull()
    await expect(provideChromium()).rejects.toThrow(`CHROMIUM_PATH: ${path} does not run as a Chromium`)
  },
)

test('a FIREFOX_PATH that is not Firefox is ignored', async () => {
  vi.stubEnv('FIREFOX_PATH', '/usr/bin/env')
  expect(await findFirefox()).toBeNull()
})
