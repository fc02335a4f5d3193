import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { bookCourse } from '#contract/endpoints/courses.ts'
import { CLIENT, type CompanyProvider, startCompanyProvider } from '#server/test/company-provider.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { test as base, expect, WITHOUT_WORKER } from './fixtures.ts'
import { patience } from './patience.ts'
import { createPerson, tokenOf } from './people-steps.ts'
import { Portal } from './portal.ts'
import { coursesOf } from './programme-steps.ts'

type Around = { portal: Portal; provider: CompanyProvider; intranet: string; stranger: string; receiver: Receiver }
type Receiver = { url: string; isDown: boolean; close: () => void }

/** A page of another origin that embeds the course list in a frame. */
async function servePage(portal: Portal): Promise<Server> {
  const html = `<!doctype html><title>Intranet</title><iframe src="${portal.url}/embed?lang=de" title="Kurse" width="380" height="600"></iframe>`
  const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Webhook receiver; while it is down, it rejects every request. */
async function serveReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    response.statusCode = receiver.isDown ? 503 : 204
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const receiver = { url: `${originOf(server)}/hook`, isDown: true, close: () => server.close() }
  return receiver
}
const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** A portal with the company's provider, an intranet that may show its list, and a page that may not. */
const test = base.extend<object, Around & { around: Around }>({
  around: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const settings: Record<string, string> = {}
      const portal = await Portal.open(settings)
      const provider = await startCompanyProvider(`${portal.url}/api/session/company/return`)
      const pages = await Promise.all([servePage(portal), servePage(portal)])
      const [intranet = '', stranger = ''] = pages.map(originOf)
      const receiver = await serveReceiver()
      await writeFile(join(portal.dataDir, 'oidc.json'), JSON.stringify({ personnelNumber: 'employee_number' }))
      // Portal and identity provider need each other's address.
      await portal.stop()
      Object.assign(settings, {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.id,
        OIDC_CLIENT_SECRET: CLIENT.secret,
        EMBED_ORIGINS: intranet,
        WEBHOOK_NETWORKS: '127.0.0.0/8',
      })
      await portal.start()
      await use({ portal, provider, intranet, stranger, receiver })
      for (const one of [...pages, receiver]) one.close()
      await portal.close()
      await provider.close()
    },
    { scope: 'worker', timeout: patience * 180_000 },
  ],
  portal: [({ around }, use) => use(around.portal), { scope: 'worker' }],
  provider: [({ around }, use) => use(around.provider), { scope: 'worker' }],
  intranet: [({ around }, use) => use(around.intranet), { scope: 'worker' }],
  stranger: [({ around }, use) => use(around.stranger), { scope: 'worker' }],
  receiver: [({ around }, use) => use(around.receiver), { scope: 'worker' }],
})

test.use(WITHOUT_WORKER)
// All tests run on one worker: a second one would start these servers again, which takes longer than the tests.
test.describe.configure({ mode: 'default' })

test('an employee logs in with the company account without a form, and logging out ends both sessions', async ({
  page,
  provider,
  portal,
}) => {
  provider.person = {
    sub: 'ida',
    employee_number: '90017',
    given_name: 'Ida',
    family_name: 'Ernst',
    email: 'ida.ernst@firma.example',
    email_verified: true,
  }
  await page.goto('/login?next=/edit')
  const button = page.getByRole('link', { name: 'Mit dem Konto der Firma anmelden' })
  await expect(button).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
  await button.click()
  await page.waitForURL(url => url.origin === portal.url && url.pathname === '/edit')
  await expect(page.getByLabel('E-Mail', { exact: false }).first()).toHaveValue('ida.ernst@firma.example')
  expect(page.url()).not.toMatch(/code=|token/i)

  // Also ends the session at the identity provider, so that the next login requires credentials again.
  const ended = page.waitForRequest(request => request.url().startsWith(`${provider.issuer}/session/end`))
  await page.getByRole('button', { name: 'Menü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await ended
})

test('cancelling the company login shows a message and the password form @extended', async ({ page, provider }) => {
  provider.person = null
  await page.goto('/login')
  await page.getByRole('link', { name: 'Mit dem Konto der Firma anmelden' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('Passwort').first()).toBeVisible()
})

test('the course list can be embedded in a page of the intranet @extended', async ({ page, intranet, portal }) => {
  await page.goto(intranet)
  const frame = page.frameLocator('iframe')
  const course = frame.getByRole('link').first()
  await expect(course).toHaveAttribute('href', new RegExp(`^${portal.url}/course-details/\\d+$`))
  await expect(course).toHaveAttribute('target', '_blank')
  expect(await page.context().cookies(portal.url)).toEqual([])
})

test.describe('pages that may not embed the portal', () => {
  test.use({ mayBeRefused: true })
  test('a page of another origin shows an empty frame @extended', async ({ page, stranger }) => {
    const refused = page.waitForEvent('console', message => message.text().includes('frame-ancestors'))
    await page.goto(stranger)
    await refused
    await expect(page.frameLocator('iframe').getByRole('link')).toHaveCount(0)
  })
})

const fieldOf = (page: Page, name: RegExp) => page.getByRole('dialog').getByRole('textbox', { name })

test('an API client gets a token that is shown only once and can be revoked @desktop', async ({
  page,
  portal,
  loginAs,
}) => {
  await loginAs('desk')
  await page.goto('/office/connections')
  await page.getByRole('button', { name: 'Zugang anlegen' }).click()
  const dialog = page.getByRole('dialog')
  await fieldOf(page, /^Anwendung/).fill('Lohnabrechnung')
  const inHalfAYear = new Date(Date.now() + 180 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('Listen, Personen und Buchungen lesen').check()
  await dialog.getByLabel('Letzter Tag').fill(inHalfAYear)
  expect(await violationsInBothSchemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Zugang anlegen' }).click()
  await expect(dialog).toBeHidden()
  const token = (await page.locator('code').textContent()) ?? ''
  const read = () =>
    fetch(`${portal.url}/api/office/lists/bookings.csv`, { headers: { Authorization: `Bearer ${token}` } })
  expect((await read()).status).toBe(200)
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Notiert' }).click()
  await page.reload()
  const row = page.getByRole('row', { name: /Lohnabrechnung/ })
  await expect(row).toBeVisible()
  expect(await page.content()).not.toContain(token)
  await row.getByRole('button', { name: 'Zugang beenden' }).click()
  await dialog.getByRole('button', { name: 'Zugang beenden' }).click()
  await expect(row).toContainText('beendet')
  expect((await read()).status).toBe(401)
})

test('webhook calls are listed with the receiver’s response until they are accepted @desktop @extended', async ({
  page,
  portal,
  loginAs,
  receiver,
}) => {
  await loginAs('desk')
  await page.goto('/office/connections')
  await page.getByRole('button', { name: 'Empfänger hinzufügen' }).click()
  const dialog = page.getByRole('dialog')
  await fieldOf(page, /^Anwendung/).fill('Räume')
  await fieldOf(page, /^Adresse/).fill(receiver.url)
  await dialog.getByRole('button', { name: 'Empfänger hinzufügen' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Notiert' }).click()
  const row = page.getByRole('row', { name: /Räume/ })
  await expect(row).toContainText('nimmt an, 0 warten')

  // On this portal, employees log in with their company account.
  const token = await tokenOf(portal, await createPerson(portal, 2, 3))
  const course = (await coursesOf(portal, token)).find(one => one.directlyBookable && !one.running)
  await portal.call(bookCourse, { token, body: { id: course?.id ?? 0 } })
  await row.getByRole('button', { name: 'Aufrufe' }).click()
  const calls = page.getByRole('table', { name: 'Aufrufe an Räume' })
  const booking = calls.getByRole('row', { name: /eine Buchung/ })
  await expect(async () => {
    await page.reload()
    await expect(booking).toContainText('noch nicht angenommen: 503', { timeout: 2_000 })
  }).toPass({ timeout: patience * 30_000 })
  expect(await violationsInBothSchemes(page)).toEqual([])
  receiver.isDown = false
  await expect(async () => {
    await page.reload()
    await expect(booking).toContainText('angenommen', { timeout: 2_000 })
    await expect(booking).not.toContainText('noch nicht', { timeout: 1_000 })
  }).toPass({ timeout: patience * 60_000 })

  await row.getByRole('button', { name: 'Empfänger entfernen' }).click()
  await dialog.getByRole('button', { name: 'Empfänger entfernen' }).click()
  await expect(row).toHaveCount(0)
})
