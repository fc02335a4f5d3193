import { test as base } from './fixtures.ts'
import { Portal } from './portal.ts'

export { expect } from './fixtures.ts'
export { Portal } from './portal.ts'

/** Tests of the office screens with required passkeys. `site`: host name; passkeys do not work with IP addresses. */
export const test = base.extend<{ site: string }, { portal: Portal }>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const portal = await Portal.open({ OFFICE_PASSKEY: 'required' })
      await use(portal)
      await portal.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  site: ({ portal }, use) => use(portal.url.replace('127.0.0.1', 'localhost')),
})
