import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { login } from '#contract/session.ts'
import { createPerson, type Person } from './people-steps.ts'
import { DEMO_PASSWORD, type DemoAccount, emailOf, Portal } from './portal.ts'

export { DEMO_PASSWORD, type DemoAccount, emailOf, type Portal } from './portal.ts'
export { expect }

/**
 * For journeys that the worker has no part in: its start, which keeps the whole app, takes a quarter of the processor time of a
 * first visit, and each journey is one.
 */
export const WITHOUT_WORKER = { serviceWorkers: 'block' } as const

type Fixtures = {
  /** Who looks, where all journeys of a file are of one person. */
  account: DemoAccount | undefined
  /** Logs the browser in as a demo account, without the form. To be called before the page is opened. */
  loginAs: (account: DemoAccount, page?: Page) => Promise<string>
  /** Somebody registered and activated, of this journey alone. */
  person: Person
  /** The test makes the page do what its policy forbids. */
  mayBeRefused: boolean
}

/** A session that the page begins with. @returns its token */
async function enter(page: Page, portal: Portal, account: DemoAccount): Promise<string> {
  const body = { userName: emailOf(account), password: DEMO_PASSWORD, keepSession: false }
  const session = await portal.call(login, { body })
  await page.addInitScript(token => sessionStorage.setItem('SessionToken', token), session.id)
  return session.id
}

/** Listens for what the browser refuses by the page's security policy. @returns what fails when there was any */
export function expectPolicyKept(context: BrowserContext): () => void {
  const refused: string[] = []
  context.on('console', message => {
    if (/Content Security Policy|Trusted(?:HTML|Script)/.test(message.text())) refused.push(message.text())
  })
  return () => expect(refused).toEqual([])
}

/** Tests of the running portal. Each worker has one of its own, with the demo programme. */
export const test = base.extend<Fixtures, { portal: Portal }>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const portal = await Portal.open()
      await use(portal)
      await portal.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ portal }, use) => use(portal.url),
  account: [undefined, { option: true }],
  page: async ({ page, portal, account }, use) => {
    if (account) await enter(page, portal, account)
    await use(page)
  },
  mayBeRefused: [false, { option: true }],
  context: async ({ context, mayBeRefused }, use) => {
    const expectKept = expectPolicyKept(context)
    await use(context)
    if (!mayBeRefused) expectKept()
  },
  person: async ({ portal }, use) => use(await createPerson(portal)),
  loginAs: async ({ portal, page: defaultPage }, use) => {
    await use((account, page = defaultPage) => enter(page, portal, account))
  },
})
