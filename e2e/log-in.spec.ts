import { randomBytes } from 'node:crypto'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { field, logIn, newEmail, PASSWORD, registerPerson, submit } from './people-steps.ts'

test.use(WITHOUT_WORKER)

test('a wrong password and an unknown e-mail address get the same error; correct credentials open the start page', async ({
  page,
  portal,
  person,
}) => {
  await page.goto('/login')
  await expect(submit(page)).toBeDisabled()
  for (const wrong of [
    { ...person, password: 'Tasse-Kaffee-77' },
    { ...person, email: newEmail() },
  ]) {
    await logIn(page, wrong)
    await expect(
      page.getByRole('alert').filter({ hasText: 'E-Mail-Adresse oder Passwort stimmen nicht.' }),
    ).toBeVisible()
    await expect(page.locator('form').getByText('E-Mail-Adresse oder Passwort stimmen nicht.')).toBeVisible()
    await expect(page).toHaveURL(/login$/)
  }
  await logIn(page, person)
  await expect(page).toHaveURL(`${portal.url}/`)
  // Closing the tab ends a session that is not persistent.
  expect(await page.evaluate(() => localStorage.getItem('SessionToken'))).toBeNull()
})

test('a second tab follows the language, so that the server’s messages are in that of its screen @extended', async ({
  page,
  context,
  person,
}) => {
  const other = await context.newPage()
  await other.goto('/login')
  await expect(other.getByRole('heading', { name: 'Anmelden' })).toBeVisible()
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Switch to English' }).click()
  await expect(other.locator('html')).toHaveAttribute('lang', 'en')
  await logIn(other, { ...person, password: randomBytes(8).toString('hex') })
  await expect(other.locator('form').getByText('The e-mail address or the password is not right.')).toBeVisible()
})

test('an account that is not activated is reported, and the activation e-mail can be resent once a minute @extended', async ({
  page,
  portal,
}) => {
  const email = await registerPerson(portal, 2, 3)
  await page.goto('/login')
  const resend = page.getByRole('button', { name: 'Aktivierungsmail noch einmal senden' })
  await expect(resend).toBeDisabled()
  await logIn(page, { email, password: PASSWORD })
  await expect(page.getByRole('alert')).toContainText('noch nicht aktiviert')
  await resend.click()
  await expect(page.getByText('noch einmal gesendet')).toBeVisible()
  expect(await portal.mailsTo(email, 2)).toHaveLength(2)
  await resend.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Bitte warten Sie' })).toBeVisible()
})

test('after five wrong passwords even the correct one is rejected, with the remaining waiting time', async ({
  page,
  person,
}) => {
  await page.goto('/login')
  for (let attempt = 1; attempt <= 5; attempt++) {
    const answer = page.waitForResponse('**/api/session')
    await logIn(page, { ...person, password: randomBytes(8).toString('hex') })
    await answer
    await expect(submit(page)).toBeEnabled()
  }
  await logIn(page, person)
  await expect(page.getByRole('alert').filter({ hasText: /in 1[0-5] Minuten/ })).toBeVisible()
})

test('a permanent login survives closing the browser and ends at logout', async ({
  page,
  portal,
  context,
  browser,
  person,
}) => {
  await page.goto('/login')
  await page.getByLabel('Angemeldet bleiben').check()
  await logIn(page, person)
  await expect(page).toHaveURL(`${portal.url}/`)
  const storageState = await context.storageState()
  await context.close()

  const later = await browser.newContext({ storageState, baseURL: portal.url, locale: 'de-DE' })
  const laterPage = await later.newPage()
  await laterPage.goto('/messages')
  await expect(laterPage.getByRole('heading', { name: 'Meine Nachrichten' })).toBeVisible()
  const token = await laterPage.evaluate(() => localStorage.getItem('SessionToken') ?? '')
  await laterPage.getByRole('button', { name: 'Menü' }).click()
  await laterPage.getByRole('button', { name: 'Abmelden' }).click()
  await expect(laterPage).toHaveURL(/home$/)
  expect(await laterPage.evaluate(() => localStorage.getItem('SessionToken'))).toBeNull()
  await expect
    .poll(async () => (await laterPage.request.get(`/api/session?sessionToken=${token}`)).json())
    .toMatchObject({ status: 'NotFound' })
  await later.close()
})

test('with the keyboard only, missing fields are reported, the password can be shown and hidden, and Enter logs in', async ({
  page,
  portal,
  person,
}) => {
  await page.goto('/login')
  await field(page, 'username').focus()
  await page.keyboard.press('Enter')
  await expect(field(page, 'username')).toBeFocused()
  await expect(field(page, 'username')).toHaveAccessibleDescription('Bitte geben Sie Ihre E-Mail-Adresse ein.')
  await page.keyboard.type(person.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(person.password)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(field(page, 'password')).toHaveAttribute('type', 'text')
  await page.keyboard.press('Space')
  await expect(field(page, 'password')).toHaveAttribute('type', 'password')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${portal.url}/`)
})

test('a user redirected to the login returns to the course @extended', async ({ page, person }) => {
  await page.goto(`/login?next=${encodeURIComponent('/course-details/1')}`)
  await logIn(page, person)
  await expect(page).toHaveURL(/course-details\/1$/)
})
