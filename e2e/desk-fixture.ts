import { test as base, portalWith } from './fixtures.ts'
import type { Portal } from './portal.ts'

export { expect } from './fixtures.ts'
export { Portal } from './portal.ts'

/** Tests of the office screens with required passkeys. `site`: host name; passkeys do not work with IP addresses. */
export const test = base.extend<{ site: string }, { portal: Portal }>({
  portal: portalWith({ OFFICE_PASSKEY: 'required' }),
  site: ({ portal }, use) => use(portal.url.replace('127.0.0.1', 'localhost')),
})
