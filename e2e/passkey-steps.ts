import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import type { Portal } from './portal.ts'

/** As an operator with shell access to the server. */
export async function runOffice(portal: Portal, ...args: string[]): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/start.mjs'), 'office', ...args], {
    env: { PATH, HOME, DATA_DIR: portal.dataDir, PORT: '1', DEMO: 'on' },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
}

/** Virtual authenticator that confirms every request, in the page's browser. */
export async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Passkey link of the e-mail sent with the first right. */
export async function passkeyLinkOf(portal: Portal, email: string): Promise<string> {
  const texts = (await portal.mailsTo(email, 2)).map(({ text }) => text).join('\n')
  return /\/office\/passkey\/[\w-]+/.exec(texts)?.[0] ?? ''
}
