import { checkSession } from '#contract/endpoints/session.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { loseAnswer } from './network-steps.ts'
import { field, findMailedPassword, logIn, newEmail, openAs, submit, tokenOf } from './people-steps.ts'

test.use(WITHOUT_WORKER)

const NEW_PASSWORD = 'Regen-Schirm-42'

test('an insecure password is rejected; a secure one ends the other sessions and is confirmed by e-mail', async ({
  page,
  portal,
  person,
}) => {
  const elsewhere = await tokenOf(portal, person)
  await openAs(page, portal, person, '/password-change')
  await expect(submit(page)).toBeDisabled()
  await field(page, 'password').fill('Sommer2026')
  await expect(page.getByText('Leicht zu erraten.')).toBeVisible()
  await field(page, 'confirmPassword').fill('Sommer2026')
  await submit(page).click()
  await expect(page.getByRole('dialog')).toContainText('Passwort zu unsicher')
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()

  await field(page, 'password').fill(NEW_PASSWORD)
  await expect(page.getByText('Sehr stark.')).toBeVisible()
  await expect(submit(page)).toBeDisabled()
  await field(page, 'confirmPassword').fill(NEW_PASSWORD)
  await submit(page).click()
  await expect(page.getByRole('dialog')).toContainText('Passwort geändert')
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL(`${portal.url}/`)

  expect(await portal.call(checkSession, { query: { sessionToken: elsewhere } })).toMatchObject({ status: 'NotFound' })
  await tokenOf(portal, { ...person, password: NEW_PASSWORD })
  expect((await portal.mailsTo(person.email, 2)).at(-1)?.text).not.toContain(NEW_PASSWORD)
})

test('a password change whose response is lost can be submitted again @extended', async ({ page, portal, person }) => {
  await openAs(page, portal, person, '/password-change')
  await loseAnswer(page, '/api/session/password')
  await field(page, 'password').fill(NEW_PASSWORD)
  await field(page, 'confirmPassword').fill(NEW_PASSWORD)
  await submit(page).click()
  await expect(page.getByRole('alert')).toContainText('noch einmal')
  await submit(page).click()
  await expect(page.getByRole('dialog')).toContainText('Passwort geändert')
  await tokenOf(portal, { ...person, password: NEW_PASSWORD })
})

test('a temporary password sent by e-mail works once and must be replaced; the old password works until then', async ({
  page,
  portal,
  person,
}) => {
  await page.goto('/login')
  const forgot = page.getByRole('button', { name: 'Passwort vergessen' })
  await expect(forgot).toBeDisabled()
  await field(page, 'username').fill(newEmail())
  await forgot.click()
  await expect(page.getByRole('dialog')).toContainText('E-Mail-Adresse unbekannt')
  await page.keyboard.press('Escape')
  await field(page, 'username').fill(person.email)
  await forgot.click()
  await expect(page.getByRole('dialog')).toContainText('Neues Passwort ist unterwegs')
  await page.keyboard.press('Escape')

  const mailed = await findMailedPassword(portal, person)
  await tokenOf(portal, person)
  await logIn(page, { ...person, password: mailed })
  await expect(page).toHaveURL(/password-change$/)
  await field(page, 'password').fill(NEW_PASSWORD)
  await field(page, 'confirmPassword').fill(NEW_PASSWORD)
  await submit(page).click()
  await expect(page.getByRole('dialog')).toContainText('Passwort geändert')

  const again = await page.context().browser()?.newContext({ baseURL: portal.url, locale: 'de-DE' })
  const other = await again?.newPage()
  if (!other) throw new Error('no browser')
  await other.goto('/login')
  for (const password of [mailed, person.password]) {
    await logIn(other, { ...person, password })
    await expect(other.getByRole('alert').filter({ hasText: 'stimmen nicht' })).toBeVisible()
  }
  await logIn(other, { ...person, password: NEW_PASSWORD })
  await expect(other).toHaveURL(`${portal.url}/`)
  await again?.close()
})
