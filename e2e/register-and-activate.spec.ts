import { getWebUser } from '#contract/endpoints/accounts.ts'
import { login } from '#contract/endpoints/session.ts'
import { normalizeProfile } from '#contract/rules/profile-rules.ts'
import { completeInput } from '#contract/test/profiles.ts'
import type { BillingType, EmployeeStatus } from '#contract/values.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { loseAnswer } from './network-steps.ts'
import {
  errorOf,
  field,
  fillProfile,
  linkIn,
  logIn,
  newEmail,
  PASSWORD,
  registerPerson,
  submit,
  takeFirstTwoSteps,
} from './people-steps.ts'

test.use(WITHOUT_WORKER)

/** Those with the most fields of their own; the form and the server are tested with all groups. */
const GROUPS: [name: string, status: EmployeeStatus, billing: BillingType, tag: string][] = [
  ['employee', 1, 1, ''],
  ['insured', 5, 2, ' @extended'],
]

for (const [name, status, billing, tag] of GROUPS) {
  test(`a new user registers as ${name}, opens the link from the e-mail and logs in${tag}`, async ({
    page,
    portal,
  }) => {
    const email = newEmail()
    const input = { ...completeInput(status, billing), email, divisionId: 2 }
    await page.goto('/register1')
    await takeFirstTwoSteps(page, email)
    await fillProfile(page, input)
    await submit(page).click()
    await expect(page).toHaveURL(/login$/)
    await expect(page.getByRole('dialog')).toContainText(email)
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()

    const [mail] = await portal.mailsTo(email)
    expect(mail?.html).toContain('/activate/')
    await page.goto(linkIn(mail as NonNullable<typeof mail>))
    await expect(page.getByText('K. M.')).toBeVisible()
    await page.getByRole('button', { name: 'Ja, Konto aktivieren' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'aktiviert' })).toBeVisible()
    await page.getByRole('link', { name: 'Zur Anmeldung' }).click()
    await logIn(page, { email, password: PASSWORD })
    await expect(page).toHaveURL(`${portal.url}/`)

    const token = await page.evaluate(() => sessionStorage.getItem('SessionToken') ?? '')
    const { password: _, confirmPassword: __, billingType, divisionId, ...profile } = normalizeProfile(input)
    const stored = { ...profile, billingType: billingType ?? 0, divisionId: divisionId ?? 0 }
    expect(await portal.call(getWebUser, { token })).toMatchObject(stored)
  })
}

test('going back preserves the input, including passwords; the second step requires an e-mail address @extended', async ({
  page,
}) => {
  const email = newEmail()
  await page.goto('/register1')
  await takeFirstTwoSteps(page, email)
  await field(page, 'employeeStatus').selectOption('1')
  await field(page, 'department').fill('P-03')
  await page.getByRole('link', { name: 'Zurück' }).click()
  await expect(field(page, 'familyName')).toHaveValue('Muster')
  await page.getByRole('link', { name: 'Zurück' }).click()
  await expect(field(page, 'email')).toHaveValue(email)
  await expect(field(page, 'confirmPassword')).toHaveValue(PASSWORD)
  await submit(page).click()
  await expect(field(page, 'familyName')).toBeVisible()
  await submit(page).click()
  await expect(field(page, 'department')).toHaveValue('P-03')

  await page.evaluate(() => sessionStorage.clear())
  for (const route of ['/register2', '/register3']) {
    await page.goto(route)
    await expect(page).toHaveURL(/home$/)
  }
})

test('a reload preserves all input except the passwords, and returns to the step that asks for them @extended', async ({
  page,
}) => {
  const email = newEmail()
  await page.goto('/register1')
  await takeFirstTwoSteps(page, email)
  await field(page, 'employeeStatus').selectOption('1')
  await field(page, 'department').fill('P-03')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(PASSWORD)
  await page.reload()
  await expect(page).toHaveURL(/register1$/)
  await expect(page.getByText('Die Seite wurde neu geladen.')).toBeVisible()
  await expect(field(page, 'email')).toHaveValue(email)
  await field(page, 'password').fill(PASSWORD)
  await field(page, 'confirmPassword').fill(PASSWORD)
  await submit(page).click()
  await expect(field(page, 'familyName')).toHaveValue('Muster')
  await submit(page).click()
  await expect(field(page, 'department')).toHaveValue('P-03')

  await page.getByRole('link', { name: 'Zurück' }).click()
  await page.getByRole('link', { name: 'Zurück' }).click()
  await page.getByRole('link', { name: 'Abbrechen' }).click()
  expect(await page.evaluate(() => sessionStorage.getItem('Registration'))).toBeNull()
  await page.goto('/register2')
  await expect(page).toHaveURL(/home$/)
})

test('the first step reports an invalid e-mail address, weak passwords, and an address already registered @extended', async ({
  page,
  person,
}) => {
  await page.goto('/register1')
  await expect(submit(page)).toBeDisabled()
  await field(page, 'email').fill('kim@nowhere')
  await expect(errorOf(page, 'email')).toBeEmpty()
  await field(page, 'password').fill('Passwort1')
  await field(page, 'confirmPassword').fill('Passwort2')
  await field(page, 'email').focus()
  await expect(errorOf(page, 'email')).toContainText('gültige E-Mail-Adresse')
  await expect(errorOf(page, 'confirmPassword')).toContainText('verschieden')
  await expect(submit(page)).toBeDisabled()

  await field(page, 'email').fill(newEmail())
  await field(page, 'confirmPassword').fill('Passwort1')
  await submit(page).click()
  await expect(page.getByRole('alert')).toContainText('nicht sicher genug')

  await field(page, 'email').fill(person.email)
  await field(page, 'password').fill(PASSWORD)
  await field(page, 'confirmPassword').fill(PASSWORD)
  await submit(page).click()
  await expect(page.getByRole('alert')).toContainText('schon registriert')
  await expect(page).toHaveURL(/register1$/)
})

test('a mistyped e-mail provider is asked about, and one tap corrects it @extended', async ({ page }) => {
  await page.goto('/register1')
  await field(page, 'email').fill('kim@gmial.com')
  await page.getByRole('button', { name: 'Meinten Sie kim@gmail.com?' }).click()
  await expect(field(page, 'email')).toHaveValue('kim@gmail.com')
  await expect(page.getByText('Meinten Sie')).toBeHidden()
})

test('showing the password strength shifts no layout @extended', async ({ page }) => {
  await page.goto('/register1')
  await field(page, 'password').fill(PASSWORD)
  const before = await field(page, 'confirmPassword').boundingBox()
  await expect(page.getByText('Sehr stark')).toBeVisible()
  expect(await field(page, 'confirmPassword').boundingBox()).toEqual(before)
})

test('a registration whose response is lost can be submitted again and is made once', async ({ page, portal }) => {
  const email = newEmail()
  await page.goto('/register1')
  await takeFirstTwoSteps(page, email)
  await fillProfile(page, { ...completeInput(2, 3), email })
  await loseAnswer(page, '/api/webuser/register')
  await submit(page).click()
  await expect(page.getByRole('alert')).toContainText('Ihre Eingaben bleiben stehen')
  await expect(field(page, 'street')).toHaveValue('Lindenallee 27')
  await submit(page).click()
  await expect(page.getByRole('dialog')).toContainText(email)
  expect(await portal.mailsTo(email)).toHaveLength(1)
})

test('an invalid link and an unreachable portal are reported', async ({ page }) => {
  await page.goto('/activate/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
  await expect(page.getByText('nicht mehr gültig')).toBeVisible()
  await page.route('**/api/webuser/link', route => route.abort())
  await page.goto('/activate/BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
  const again = page.getByRole('button', { name: 'Noch einmal versuchen' })
  await expect(again).toBeVisible()
  await page.unroute('**/api/webuser/link')
  // The page also retries automatically after any response of the portal; the button is then removed.
  await again.click({ timeout: 3_000 }).catch(() => undefined)
  await expect(page.getByText('nicht mehr gültig')).toBeVisible()
})

test('merely opening the activation link changes nothing, and a recipient who did not register can cancel it', async ({
  page,
  portal,
}) => {
  const email = await registerPerson(portal, 1, 1)
  const [mail] = await portal.mailsTo(email)
  const link = linkIn(mail as NonNullable<typeof mail>)
  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Ja, Konto aktivieren' })).toBeVisible()
  const session = await portal.call(login, { body: { userName: email, password: PASSWORD, keepSession: false } })
  expect(session.status).toBe('NotActive')
  await page.getByRole('button', { name: 'Nein, das war ich nicht' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'nichts daraus geworden' })).toBeVisible()
  await page.goto(link)
  await expect(page.getByText('nicht mehr gültig')).toBeVisible()
})

test('a user can register with the keyboard only @extended', async ({ page, portal }) => {
  const email = newEmail()
  const type = async (...texts: string[]) => {
    for (const text of texts) {
      await page.keyboard.press('Tab')
      if (text) await page.keyboard.type(text)
    }
  }
  await page.goto('/register1')
  await expect(field(page, 'email')).toBeVisible()
  await page.locator('main').focus()
  // The unnamed button is the one that shows the password.
  await type(email, PASSWORD, '', PASSWORD)
  await page.keyboard.press('Enter')
  await expect(field(page, 'familyName')).toBeVisible()
  await type('D', '', 'Kim', 'Muster')
  await page.keyboard.press('Enter')
  await expect(field(page, 'employeeStatus')).toBeVisible()
  await type('Ex', 'Re', '', '', '', 'Lindenallee 27', '38210', 'Salzstadt', '1989')
  await expect(field(page, 'billingType')).toHaveValue('3')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText(email)
  await page.keyboard.press('Escape')
  await expect(field(page, 'username')).toHaveValue(email)
  expect(await portal.mailsTo(email)).toHaveLength(1)
})
