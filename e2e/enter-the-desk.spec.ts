import { expect, test } from './desk-fixture.ts'
import { WITHOUT_WORKER } from './fixtures.ts'
import { addAuthenticator, passkeyLinkOf, runOffice } from './passkey-steps.ts'
import { createPerson, logIn } from './people-steps.ts'

test.use(WITHOUT_WORKER)

test('the first office user registers a passkey with the link from the e-mail and enters the office UI @extended', async ({
  portal,
  page,
  site,
  person,
}) => {
  await runOffice(portal, 'add', person.email, 'owner')
  await addAuthenticator(page)

  // A password alone does not give access to the office.
  await page.goto(`${site}/login?next=/office`)
  await logIn(page, person)
  await expect(page.getByRole('heading', { name: 'Bitte bestätigen Sie sich mit Ihrem Passkey' })).toBeVisible()

  await page.goto(`${site}${await passkeyLinkOf(portal, person.email)}`)
  await page.getByRole('button', { name: 'Passkey einrichten' }).click()
  await page.waitForURL(`${site}/office`)
  await page.goto(`${site}/office/rights`)
  await expect(page.getByRole('table').getByText('Rechte vergeben').filter({ visible: true }).first()).toBeVisible()

  // After another login the passkey is required again; the requested screen then opens without a further tap.
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(`${site}/login?next=/office/rights`)
  await logIn(page, person)
  await page.getByRole('button', { name: 'Passkey bestätigen' }).click()
  await expect(page.getByRole('table').getByText('Rechte vergeben').filter({ visible: true }).first()).toBeVisible()

  // The passkey can also be used to log in; the office then requires no further confirmation.
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(`${site}/login?next=/office/rights`)
  await page.getByRole('button', { name: 'Mit Passkey anmelden' }).click()
  await expect(page.getByRole('table').getByText('Rechte vergeben').filter({ visible: true }).first()).toBeVisible()

  // Users without office rights see that the page does not exist.
  await page.evaluate(() => sessionStorage.clear())
  const files: string[] = []
  page.on('request', request => files.push(request.url()))
  await page.goto(`${site}/login?next=/office`)
  await logIn(page, await createPerson(portal))
  await expect(page.getByRole('heading', { name: 'Seite nicht gefunden' })).toBeVisible()
  expect(files.filter(url => url.includes('/assets/office/'))).toEqual([])
})
