import { readFile } from 'node:fs/promises'
import { getWebUser } from '#contract/endpoints/accounts.ts'
import { login } from '#contract/endpoints/session.ts'
import { completeInput, STATUSES } from '#contract/test/profiles.ts'
import { type BillingType, EMPLOYEE_STATUS, type EmployeeStatus } from '#contract/values.ts'
import { violationsOf, WITH_PRACTICE } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { errorOf, field, fillProfile, linkIn, logIn, newEmail, openAs, submit, tokenOf } from './people-steps.ts'
import { inDays } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

const billingOf = (status: EmployeeStatus, turn: number): BillingType => {
  if (status === EMPLOYEE_STATUS.MunicipalUtilities) return 3
  if (status === EMPLOYEE_STATUS.Pensioner) return turn % 2 ? 1 : 3
  return status === EMPLOYEE_STATUS.Employee || status === EMPLOYEE_STATUS.Apprentice ? 1 : turn % 2 ? 2 : 3
}

test('a user changes to every group, and the profile is saved each time @extended', async ({
  page,
  portal,
  person,
}) => {
  test.slow()
  const token = await openAs(page, portal, person, '/edit')
  for (const [turn, status] of [...STATUSES.slice(1), ...STATUSES.slice(0, 1)].entries()) {
    const billing = billingOf(status, turn)
    await fillProfile(page, { ...completeInput(status, billing), email: person.email, divisionId: 3 }, ['required'])
    await submit(page).click()
    await expect(page).toHaveURL(`${portal.url}/`)
    expect(await portal.call(getWebUser, { token })).toMatchObject({ employeeStatus: status, billingType: billing })
    await page.evaluate(() => history.pushState(null, '', '/edit'))
    await expect(field(page, 'employeeStatus')).toHaveValue(String(status))
  }
})

test('an invalid value in any field is reported, and the profile is saved once corrected @extended', async ({
  page,
  portal,
  person,
}) => {
  const token = await openAs(page, portal, person, '/edit')
  const wrong = {
    email: ['kim', 'gültige E-Mail-Adresse'],
    givenName: [' ', 'Bitte ausfüllen'],
    familyName: ['', 'Bitte ausfüllen'],
    personnelNumber: ['', 'Bitte ausfüllen'],
    department: [' ', 'Bitte ausfüllen'],
    companyAddress: [' ', 'Bitte ausfüllen'],
    location: ['', 'Bitte ausfüllen'],
    mobilePhone: ['0171*392', 'Nummer ist ungültig'],
    privatePhone: ['1', 'Nummer ist ungültig'],
    businessPhone: ['x12', 'Nummer ist ungültig'],
    street: ['x'.repeat(51), 'zu lang: höchstens 50'],
    zip: ['1'.repeat(11), 'zu lang: höchstens 10'],
    city: ['x'.repeat(51), 'zu lang: höchstens 50'],
    yearOfBirth: ['1899', 'ab 1900'],
  }
  for (const [name, [value = '', message = '']] of Object.entries(wrong)) {
    await field(page, name).fill(value)
    await field(page, name).blur()
    await expect(errorOf(page, name)).toContainText(message)
    await expect(submit(page)).toBeDisabled()
  }
  await field(page, 'email').fill(`${'k'.repeat(40)}@demo.example`)
  await expect(errorOf(page, 'email')).toContainText('zu lang: höchstens 50 Zeichen')
  await field(page, 'mobilePhone').fill('0170-123 45')
  await expect(field(page, 'mobilePhone')).toHaveValue('0170 123 45')
  await expect(errorOf(page, 'mobilePhone')).toHaveText('')
  await field(page, 'yearOfBirth').fill('abc')
  await expect(errorOf(page, 'yearOfBirth')).toContainText('Geburtsjahr mit vier Ziffern')
  await field(page, 'yearOfBirth').fill(String(Number(inDays(0).slice(0, 4)) - 9))
  await expect(errorOf(page, 'yearOfBirth')).toContainText('mindestens 10 Jahre')
  await fillProfile(page, { ...completeInput(1, 1), email: person.email, department: 'P-99' })
  await submit(page).click()
  await expect(page.getByText('Ihre Profildaten sind aktualisiert.')).toBeVisible()
  expect(await portal.call(getWebUser, { token })).toMatchObject({ department: 'P-99', yearOfBirth: 1989 })
})

test('changing the e-mail address requires the password and a confirmed link, and can be undone from the old address', async ({
  page,
  portal,
  person,
}) => {
  const email = newEmail()
  await openAs(page, portal, person, '/edit')
  await field(page, 'email').fill(email)
  await submit(page).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(email)
  await dialog.locator('[name="password"]').fill('Falsch-123456')
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Das Passwort stimmt nicht')
  await dialog.locator('[name="password"]').fill(person.password)
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  await dialog.getByRole('link', { name: 'OK' }).click()
  await expect(page).toHaveURL(`${portal.url}/`)
  await tokenOf(portal, person)

  const [mail] = await portal.mailsTo(email)
  await page.goto(linkIn(mail as NonNullable<typeof mail>))
  await page.getByRole('button', { name: 'Ja, Adresse bestätigen' }).click()
  await expect(page.getByText('Ihre neue E-Mail-Adresse gilt ab jetzt.')).toBeVisible()
  await tokenOf(portal, { ...person, email })

  const notices = (await portal.mailsTo(person.email, 3)).filter(({ text }) => text.includes('/undo/'))
  expect(notices).toHaveLength(2)
  await page.goto(linkIn(notices[1] as NonNullable<typeof mail>))
  await page.getByRole('button', { name: 'Das war ich nicht' }).click()
  await expect(page.getByText('Das Konto gehört wieder Ihnen')).toBeVisible()
  const body = { userName: email, password: person.password, keepSession: false }
  expect((await portal.call(login, { body })).status).toBe('WrongPWorUser')
  expect((await portal.mailsTo(person.email, 4)).at(-1)?.subject).toContain('Passwort')
})

test('leaving the profile with unsaved changes requires confirmation @extended', async ({ page, portal, person }) => {
  await openAs(page, portal, person, '/home')
  await page.evaluate(() => history.pushState(null, '', '/edit'))
  await field(page, 'city').fill('Oderwerk')
  const question = page.getByRole('dialog', { name: 'Änderungen verwerfen?' })
  await page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name: 'Kurse' }).click()
  await question.getByRole('button', { name: 'Weiter bearbeiten' }).click()
  await expect(field(page, 'city')).toHaveValue('Oderwerk')
  await expect(page).toHaveURL(/edit$/)
  await page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name: 'Kurse' }).click()
  await question.getByRole('button', { name: 'Verwerfen' }).click()
  await expect(page).toHaveURL(/courses/)

  await page.goto('/edit')
  await expect(field(page, 'city')).not.toHaveValue('Oderwerk')
  await field(page, 'city').fill('Lindhafen')
  await page.getByRole('button', { name: 'Menü' }).click()
  const menu = page.getByRole('dialog', { name: 'Menü' })
  await menu.getByRole('link', { name: 'Häufige Fragen' }).click()
  await question.getByRole('button', { name: 'Verwerfen' }).click()
  await expect(page).toHaveURL(/faq/)
  await expect(menu).toBeHidden()
  await page.goto('/edit')
  await page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name: 'Kurse' }).click()
  await expect(page).toHaveURL(/courses/)
})

test('the back button of the page asks before it discards unsaved changes @extended', async ({
  page,
  portal,
  person,
  isMobile,
}) => {
  test.skip(!isMobile, 'wide screens have no back button')
  await openAs(page, portal, person, '/faq')
  await page.evaluate(() => history.pushState(null, '', '/edit'))
  await field(page, 'city').fill('Oderwerk')
  const question = page.getByRole('dialog', { name: 'Änderungen verwerfen?' })
  await page.getByRole('button', { name: 'Zurück' }).click()
  await question.getByRole('button', { name: 'Weiter bearbeiten' }).click()
  await expect(field(page, 'city')).toHaveValue('Oderwerk')
  await page.getByRole('button', { name: 'Zurück' }).click()
  await question.getByRole('button', { name: 'Verwerfen' }).click()
  await expect(page).toHaveURL(/faq$/)
})

test('after a failed save, the input is preserved and saving again works @extended', async ({
  page,
  portal,
  person,
}) => {
  const token = await openAs(page, portal, person, '/edit')
  await page.route('**/api/webuser/edit', route => route.abort(), { times: 1 })
  await field(page, 'city').fill('Oderwerk')
  await submit(page).click()
  await expect(page.getByRole('alert')).toContainText('Ihre Eingaben bleiben stehen')
  await submit(page).click()
  await expect(page).toHaveURL(`${portal.url}/`)
  expect(await portal.call(getWebUser, { token })).toMatchObject({ city: 'Oderwerk' })
})

test('a user exports all personal data and deletes the account', async ({ page, portal, person }) => {
  await openAs(page, portal, person, '/edit')
  const [readable] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Als Text herunterladen' }).click(),
  ])
  expect(readable.suggestedFilename()).toBe('meine-daten.txt')
  const text = await readFile(await readable.path(), 'utf8')
  for (const words of ['Vorname: Kim', `E-Mail: ${person.email}`, 'E-Mails an Sie']) expect(text).toContain(words)
  const [json] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Als JSON herunterladen' }).click(),
  ])
  expect(JSON.parse(await readFile(await json.path(), 'utf8'))).toMatchObject({ profile: { email: person.email } })

  await page.getByRole('button', { name: 'Konto löschen …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Passwort', { exact: false }).first().fill('Falsches-Wort-1')
  await dialog.getByRole('button', { name: 'Endgültig löschen' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Ihr Konto besteht weiter')
  await dialog.getByLabel('Passwort', { exact: false }).first().fill(person.password)
  await dialog.getByRole('button', { name: 'Endgültig löschen' }).click()
  await expect(page).toHaveURL(/home$/)
  const report = page.getByRole('dialog', { name: 'Ihr Konto ist gelöscht' })
  await expect(report.getByRole('listitem')).toHaveText(/E-Mail-Adresse.*bis \d\d\.\d\d\.20\d\d$/)
  expect(await violationsOf(page, WITH_PRACTICE, '[role=dialog]')).toEqual([])
  await report.getByRole('button', { name: 'OK' }).click()
  await expect(report).toBeHidden()
  await page.goto('/login')
  await logIn(page, person)
  await expect(page.getByRole('alert').filter({ hasText: 'stimmen nicht' })).toBeVisible()
})
