import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '../browser-fixture.ts'
import { findChromium, findFirefox, findWebKit } from '../browsers.ts'
import { expect } from '../fixtures.ts'
import { chromiumEngine } from './chromium-engine.ts'
import type { Browser, Engine, EngineOptions } from './driver.ts'
import { firefoxEngine } from './firefox-engine.ts'
import { webKitEngine } from './webkit-engine.ts'

type Fixtures = EngineOptions & {
  engine: Engine
  /** Opens the browser of the project's or another engine; the same device always has the same profile. */
  launch: (device?: string, other?: Engine) => Promise<Browser>
}

const ifFound = <T>(found: T | null, make: (found: T) => Engine) => found && make(found)

export const findEngine: Record<Engine['name'], () => Promise<Engine | null>> = {
  chromium: async () => ifFound(await findChromium(), chromiumEngine),
  firefox: async () => ifFound(await findFirefox(), firefoxEngine),
  webkit: async () => ifFound(await findWebKit(), webKitEngine),
}

/** Tests in the project's engine; skipped if it is not installed. */
export const test = base.extend<Fixtures>({
  engineName: ['chromium', { option: true }],
  engine: async ({ engineName }, use) => {
    const engine = await findEngine[engineName]()
    test.skip(!engine, `there is no ${engineName} here`)
    if (engine) await use(engine)
  },
  launch: async ({ engine, gate }, use) => {
    const profiles = await mkdtemp(join(tmpdir(), 'portal-engine-'))
    const opened: Browser[] = []
    await use(async (device = 'phone', { open } = engine) => {
      const profile = join(profiles, device)
      await mkdir(profile, { recursive: true })
      const browser = await open(profile)
      opened.push(browser)
      return browser
    })
    for (const browser of opened) await browser.close()
    expect(gate.faults, 'faults that the app reported').toEqual([])
    await rm(profiles, { recursive: true, force: true, maxRetries: 5 })
  },
})
