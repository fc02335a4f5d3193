import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { test as base, expectPolicyKept } from './fixtures.ts'
import { Gate } from './gate-fixture.ts'

type Fixtures = {
  gate: Gate
  /** Opens the browser at the proxy with a persistent profile: reopened, it has the same stored data. */
  openBrowser: () => Promise<BrowserContext>
  /** First visit at this page; waits until the service worker has cached the app. */
  installFrom: (path: string) => Promise<{ browser: BrowserContext; page: Page }>
}

export const test = base.extend<Fixtures>({
  gate: async ({ portal }, use) => {
    const gate = await Gate.before(portal)
    await use(gate)
    await gate.close()
  },
  openBrowser: async ({ playwright, launchOptions, viewport, locale, timezoneId, gate }, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'portal-profile-'))
    const opened: BrowserContext[] = []
    const kept: (() => void)[] = []
    await use(async () => {
      const page = { viewport, locale, timezoneId, baseURL: gate.url } as BrowserContextOptions
      const context = await playwright.chromium.launchPersistentContext(profile, { ...launchOptions, ...page })
      opened.push(context)
      kept.push(expectPolicyKept(context))
      return context
    })
    for (const context of opened) await context.close()
    for (const expectKept of kept) expectKept()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  },
  installFrom: async ({ openBrowser }, use) => {
    await use(async path => {
      const browser = await openBrowser()
      const page = await pageOf(browser)
      await page.goto(path)
      await untilInstalled(browser)
      return { browser, page }
    })
  },
})

export const pageOf = async (context: BrowserContext) => context.pages()[0] ?? (await context.newPage())

/** Waits until the service worker has cached the app. */
export const untilInstalled = async (context: BrowserContext): Promise<void> => {
  const page = await pageOf(context)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
}
