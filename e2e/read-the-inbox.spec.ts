import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listMessages } from '#contract/endpoints/inbox.ts'
import { expect, type Portal, test } from './fixtures.ts'
import { newEmail, openAs, PASSWORD, type Person, tokenOf } from './people-steps.ts'
import { listKept } from './programme-steps.ts'

/** Creates a person with two messages, the newer one with a document, by an import while the portal is running. */
async function importReader(portal: Portal): Promise<Person> {
  const email = newEmail()
  const folder = await mkdtemp(join(tmpdir(), 'portal-e2e-import-'))
  const text =
    '"<p>Guten <b>Tag</b></p><img src=x onerror=""window.isHarmed = true""><script>window.isHarmed = true</script>"'
  await mkdir(join(folder, 'files'))
  await writeFile(join(folder, 'files', 'bescheinigung.pdf'), '%PDF-1.4 e2e')
  await writeFile(
    join(folder, 'users.csv'),
    `email,password,formOfAddress,givenName,familyName,employeeStatus,billingType,street,zip,city,yearOfBirth\n${email},${PASSWORD},Frau,Kim,Muster,2,3,Lindenallee 27,38210,Salzstadt,1989\n`,
  )
  await writeFile(
    join(folder, 'messages.csv'),
    `email,created,title,text,documentName\n${email},2026-10-05 09:12,Willkommen,${text},\n${email},2026-11-12 08:00,Bescheinigung,Anbei.,bescheinigung.pdf\n`,
  )
  await promisify(execFile)(process.execPath, ['server/start.mjs', 'import', folder], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DEMO: 'on', DATA_DIR: portal.dataDir },
  })
  await rm(folder, { recursive: true })
  return { email, password: PASSWORD }
}

test('unread messages show a badge until opened, and a document is marked as read once downloaded @extended', async ({
  page,
  portal,
}) => {
  const reader = await importReader(portal)
  const token = await openAs(page, portal, reader, '/')
  await page.getByRole('link', { name: 'Meine Nachrichten' }).click()
  const messages = page.getByRole('article')
  await expect(messages).toHaveCount(2)
  await expect(messages.first()).toContainText('12.11.2026')
  await expect(messages.first()).toContainText('Bescheinigung')
  await expect(messages.filter({ hasText: 'Neu' })).toHaveCount(2)
  await expect(messages.last().locator('b')).toHaveText('Tag')
  expect(await page.evaluate(() => 'isHarmed' in window)).toBe(false)
  await expect(page.getByText('Neue Nachrichten für Sie:')).toBeHidden()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'bescheinigung.pdf' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('bescheinigung.pdf')
  await expect(messages.first().getByText('Neu')).toBeHidden()
  expect(await portal.call(listMessages, { token })).toMatchObject([{ seen: true }, { seen: true }])
})

test('messages are available offline and deleted at logout; downloads require a network connection @extended', async ({
  page,
  portal,
  context,
}) => {
  const reader = await importReader(portal)
  await openAs(page, portal, reader, '/messages')
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(listKept)).toContain('messages')
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByText(/^Stand /)).toBeVisible()
  await page.getByRole('button', { name: 'bescheinigung.pdf' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'brauchen Sie Netz' })).toBeVisible()

  await page.getByRole('button', { name: 'Menü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await expect(page).toHaveURL(/home$/)
  await context.setOffline(false)
  expect(await page.evaluate(listKept)).not.toContain('messages')
})

test('messages are never shown to the next user of the device', async ({ page, portal }) => {
  const [first, second] = [await importReader(portal), await importReader(portal)]
  await openAs(page, portal, first, '/messages')
  await expect(page.getByRole('article')).toHaveCount(2)
  const token = await tokenOf(portal, second)
  await page.evaluate(stored => sessionStorage.setItem('SessionToken', stored), token)
  await page.route('**/api/inboxitem/messages', route => route.abort())
  await page.reload()
  await expect(page.getByText('Ihre Nachrichten konnten nicht geladen werden')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(0)
})
