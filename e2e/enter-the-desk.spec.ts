import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, type Portal, test } from './desk-fixture.ts'
import { createPerson, logIn, type Person } from './people-steps.ts'

/** As somebody who has the shell of the server. */
async function runOffice(portal: Portal, ...args: string[]): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/start.mjs'), 'office', ...args], {
    env: { PATH, HOME, DATA_DIR: portal.dataDir, PORT: '1', DEMO: 'on' },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
}

async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

const linkOf = async (portal: Portal, { email }: Person) => {
  const texts = (await portal.mailsTo(email, 3)).map(({ text }) => text).join('\n')
  return /\/office\/passkey\/[\w-]+/.exec(texts)?.[0] ?? ''
}

test('the first right, its link, a passkey, and the desk is open', async ({ portal, page, site }) => {
  const person = await createPerson(portal)
  await runOffice(portal, 'add', person.email, 'owner')
  await addAuthenticator(page)

  // The password alone opens nothing.
  await page.goto(`${site}/login?next=/office`)
  await logIn(page, person)
  await expect(page.getByRole('heading', { name: 'Bitte bestätigen Sie sich mit Ihrem Passkey' })).toBeVisible()

  await page.goto(`${site}${await linkOf(portal, person)}`)
  await page.getByRole('button', { name: 'Passkey einrichten' }).click()
  await page.waitForURL(`${site}/office`)
  await page.goto(`${site}/office/rights`)
  await expect(page.getByRole('table').getByText('Rechte vergeben').first()).toBeVisible()

  // Another login has to show it again; what was asked for comes then, without another tap.
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(`${site}/login?next=/office/rights`)
  await logIn(page, person)
  await page.getByRole('button', { name: 'Passkey bestätigen' }).click()
  await expect(page.getByRole('table').getByText('Rechte vergeben').first()).toBeVisible()

  // It logs in, too, and then the desk asks nothing.
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(`${site}/login?next=/office/rights`)
  await page.getByRole('button', { name: 'Mit Passkey anmelden' }).click()
  await expect(page.getByRole('table').getByText('Rechte vergeben').first()).toBeVisible()

  // Who has no right does not even find the desk.
  await page.evaluate(() => sessionStorage.clear())
  const files: string[] = []
  page.on('request', request => files.push(request.url()))
  await page.goto(`${site}/login?next=/office`)
  await logIn(page, await createPerson(portal))
  await expect(page.getByRole('heading', { name: 'Seite nicht gefunden' })).toBeVisible()
  expect(files.filter(url => url.includes('/assets/office/'))).toEqual([])
})
