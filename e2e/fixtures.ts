import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { login } from '#contract/endpoints/session.ts'
import { patience } from './patience.ts'
import { createPerson, type Person } from './people-steps.ts'
import { DEMO_PASSWORD, type DemoAccount, emailOf, Portal } from './portal.ts'
import { recordSharing } from './sharing-fixture.ts'

export { DEMO_PASSWORD, emailOf, type Portal } from './portal.ts'
export { expect }

/**
 * Disables the service worker for tests that do not need it: precaching takes a quarter of the CPU time of a first
 * visit, and each test is one.
 */
export const WITHOUT_WORKER = { serviceWorkers: 'block' } as const

type Fixtures = {
  /** The user of all tests in a file. */
  account: DemoAccount | undefined
  /** Logs in as a demo account without the form. Must be called before the page is opened. */
  loginAs: (account: DemoAccount, page?: Page) => Promise<string>
  /** A newly registered and activated user for this test only. */
  person: Person
  /** The test itself violates the page's CSP. */
  mayBeRefused: boolean
  /** Demo accounts as which the test has logged in. */
  usedAccounts: Set<DemoAccount>
}

/**
 * Sets a session before the page loads.
 * @returns its token
 */
async function enter(page: Page, portal: Portal, account: DemoAccount): Promise<string> {
  const body = { userName: emailOf(account), password: DEMO_PASSWORD, keepSession: false }
  const session = await portal.call(login, { body })
  await page.addInitScript(token => {
    // The page continues the last session only with its own token.
    if (sessionStorage.getItem('SessionToken') !== token) sessionStorage.removeItem('LastSession')
    sessionStorage.setItem('SessionToken', token)
  }, session.id)
  return session.id
}

/**
 * Collects CSP violations.
 * @returns function that fails if there were any
 */
export function expectPolicyKept(context: BrowserContext): () => void {
  const refused: string[] = []
  context.on('console', message => {
    if (/Content Security Policy|Trusted(?:HTML|Script)/.test(message.text())) refused.push(message.text())
  })
  return () => expect(refused).toEqual([])
}

type WorkerPortal = [
  (fixtures: object, use: (portal: Portal) => Promise<void>) => Promise<void>,
  { scope: 'worker'; timeout: number },
]

/** A portal for each worker. Files whose fixtures call this themselves share it with no other file. */
export const portalWith = (settings: Record<string, string> = {}): WorkerPortal => [
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  async ({}, use) => {
    const portal = await Portal.open(settings)
    await use(portal)
    await portal.close()
  },
  { scope: 'worker', timeout: patience * 120_000 },
]

/** Tests against a running portal with the demo programme, one per worker. */
export const test = base.extend<Fixtures, { portal: Portal }>({
  portal: portalWith(),
  baseURL: ({ portal }, use) => use(portal.url),
  account: [undefined, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  usedAccounts: ({}, use) => use(new Set<DemoAccount>()),
  page: async ({ page, portal, account, usedAccounts }, use) => {
    if (account) {
      usedAccounts.add(account)
      await enter(page, portal, account)
    }
    await use(page)
  },
  mayBeRefused: [false, { option: true }],
  context: async ({ context, mayBeRefused, usedAccounts }, use, info) => {
    const expectKept = expectPolicyKept(context)
    recordSharing(context, info, usedAccounts)
    await use(context)
    if (!mayBeRefused) expectKept()
  },
  person: async ({ portal }, use) => use(await createPerson(portal)),
  loginAs: async ({ portal, page: defaultPage, usedAccounts }, use) => {
    await use((account, page = defaultPage) => {
      usedAccounts.add(account)
      return enter(page, portal, account)
    })
  },
})
