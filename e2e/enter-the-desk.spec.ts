import { expect, test } from './desk-fixture.ts'
import { WITHOUT_WORKER } from './fixtures.ts'
import { addAuthenticator, passkeyLinkOf, runOffice } from './passkey-steps.ts'
import { createPerson, logIn } from './people-steps.ts'

test.use(WITHOUT_WORKER)

test('the first right, its link, a passkey, and the desk is open', async ({ portal, page, site, person }) => {
  await runOffice(portal, 'add', person.email, 'owner')
  await addAuthenticator(page)

  // The password alone opens nothing.
  await page.goto(`${site}/login?next=/office`)
  await logIn(page, person)
  await expect(page.getByRole('heading', { name: 'Bitte bestätigen Sie sich mit Ihrem Passkey' })).toBeVisible()

  await page.goto(`${site}${await passkeyLinkOf(portal, person.email)}`)
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
