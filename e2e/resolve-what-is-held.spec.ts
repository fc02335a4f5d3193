import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { getSettlement, listHeld } from '#contract/office/money.ts'
import { insertRow } from '#server/test/factories.ts'
import { insertOwed, insertPlace } from '#server/test/money-scene.ts'
import { insertPastCourseNamed, type Queryable, unrecordLesson, withPortalDatabase } from '#server/test/past-season.ts'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, type Portal, test, WITHOUT_WORKER } from './fixtures.ts'
import { patience } from './patience.ts'

test.use(WITHOUT_WORKER)

const dialogOf = (page: Page) => page.getByRole('dialog')
/** Confirms the act of the open dialog once its preview is there. */
async function confirm(page: Page): Promise<void> {
  await dialogOf(page).locator('button[aria-disabled="false"]').click()
  await expect(page.getByText('Erledigt:')).toBeVisible({ timeout: patience * 30_000 })
}
const fill = <Result>(portal: Portal, work: (db: Queryable) => Promise<Result>) =>
  withPortalDatabase(portal.dataDir, work)
const nameOf = (what: string) => `${what} ${randomUUID().slice(0, 6)}`

test('an unrecorded lesson that blocks the settlement can be excluded and included again @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const name = nameOf('Kurs mit Lücke')
  const { id } = await fill(portal, async db => {
    const course = await insertPastCourseNamed(db, name)
    await insertPlace(db, course, 3)
    await unrecordLesson(db, course.lessonIds[1])
    return course
  })
  const token = await loginAs('desk')
  const states = async () =>
    (await portal.call(getSettlement, { token, params: { id } })).lessons.map(({ recording }) => recording)
  await page.goto('/office/money')
  await page.getByRole('row').filter({ hasText: name }).getByRole('link', { name: '1 Termin nicht erfasst' }).click()
  await expect(page.getByRole('heading', { name: 'Nicht erfasste Termine' })).toBeVisible()
  expect(await violationsInBothSchemes(page, 'main')).toEqual([])

  await page.getByRole('button', { name: /^Zählt nicht: / }).click()
  await expect(dialogOf(page)).toContainText('weder als besucht noch als versäumt')
  await confirm(page)
  await expect(page.getByRole('heading', { name: 'Nicht erfasste Termine' })).toBeHidden()
  expect(await states()).toEqual(['recorded', 'excluded', 'recorded'])
  await page.getByRole('button', { name: /^Zählt wieder: / }).click()
  await confirm(page)
  expect(await states()).toEqual(['recorded', 'open', 'recorded'])

  await page.goto(`/office/courses/${id}?tab=lessons`)
  await page.getByRole('button', { name: 'Zählt nicht' }).click()
  await confirm(page)
  await expect(page.getByRole('row').filter({ hasText: 'zählt für niemanden' })).toHaveCount(1)
  expect(await violationsInBothSchemes(page, 'main')).toEqual([])
  await page.goto(`/office/money/courses/${id}`)
  await page.getByRole('button', { name: '1 Kurs abrechnen' }).click()
  await expect(dialogOf(page).getByLabel('Begründung')).toHaveCount(0)
  await confirm(page)
  await expect(page.getByText(/^Abgerechnet am/)).toBeVisible()
})

test('a price reduction before the settlement applies to existing bookings @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const { id } = await fill(portal, async db => {
    const course = await insertPastCourseNamed(db, nameOf('Zu teuer'))
    await insertPlace(db, course, 0)
    return course
  })
  const token = await loginAs('desk')
  await page.goto(`/office/courses/${id}`)
  await page.getByRole('button', { name: 'Preis ändern' }).click()
  await dialogOf(page).getByLabel('Kursgebühr (Euro)').fill('60')
  await expect(dialogOf(page)).toContainText('Für niemanden sinkt der vereinbarte Preis.')
  await dialogOf(page).getByLabel('Kursgebühr (Euro)').fill('30,50')
  await expect(dialogOf(page)).toContainText('Für 1 Person sinkt der vereinbarte Preis.')
  expect(await violationsInBothSchemes(page, '[role=dialog]')).toEqual([])
  await confirm(page)
  const { lines, prices } = await portal.call(getSettlement, { token, params: { id } })
  expect([prices.fee, lines[0]?.sum]).toEqual([30.5, 30.5])
  await page.goto(`/office/money/courses/${id}`)
  await expect(page.getByRole('button', { name: 'Preis ändern' })).toBeVisible()
  await expect(page.getByRole('row').last()).toContainText('30,50 €')
})

test('a participant without a counted lesson requires a decision with a reason, and is then billed', async ({
  page,
  portal,
  loginAs,
}) => {
  const course = nameOf('Spät gekommen')
  await fill(portal, async db => {
    const past = await insertPastCourseNamed(db, course)
    await insertPlace(db, past, 3)
    await insertPlace(db, past, 0, {
      bookedAt: new Date(),
      promisedLessons: 0,
      person: { givenName: 'Mia', familyName: 'Spät' },
    })
  })
  await loginAs('desk')
  await page.goto('/office/money')
  await page.getByRole('link', { name: course }).first().click()
  await page.getByRole('button', { name: '1 Kurs abrechnen' }).click()
  await expect(dialogOf(page)).toContainText('Zu entscheiden, weil kein Termin zählt: Mia Spät')
  await confirm(page)
  await page.goto('/office')
  await page.getByRole('link', { name: 'Entscheiden' }).click()
  await page
    .getByRole('region', { name: /^Zu entscheiden/ })
    .getByRole('link', { name: course })
    .click()
  // The table is not cut off, neither on a phone nor in a desktop window.
  const frame = page.locator('table', { hasText: 'Mia Spät' }).locator('xpath=..')
  const seen = page.viewportSize()
  for (const size of [
    { width: 390, height: 844 },
    { width: 1280, height: 900 },
  ]) {
    await page.setViewportSize(size)
    expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  }
  if (seen) await page.setViewportSize(seen)
  await page.getByRole('button', { name: 'Nicht regelmäßig: Mia Spät' }).click()
  await dialogOf(page).getByLabel('Begründung').fill('Kam nie')
  await confirm(page)
  const line = page.getByRole('row').filter({ hasText: 'Mia Spät' })
  await expect(line).toContainText('nicht regelmäßig')
  await expect(line).toContainText('45,00 €')
  await expect(page.getByRole('button', { name: /Mia Spät$/ })).toHaveCount(0)
})

test('each reason for an amount on hold links to the action that resolves it @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  test.slow()
  const family = nameOf('Offen')
  await fill(portal, async db => {
    const person = (givenName: string, values: object) => insertOwed(db, { givenName, familyName: family, ...values })
    await person('Vera', { billingType: 1, personnelNumber: '0815', knownAt: null })
    await person('Klaus', { billingType: 2, personnelNumber: '0816', ownerPersonnelNumber: 'Eva Muster' })
    await person('Anna', { billingType: 3, street: '', formOfAddress: 'Frau', yearOfBirth: 1980 })
  })
  const token = await loginAs('desk')
  const isHeld = async (givenName: string) =>
    (await portal.call(listHeld, { token, query: { limit: '500' } })).items.some(
      ({ name }) => name === `${givenName} ${family}`,
    )
  await page.goto('/office/money')
  const open = (cause: string) => page.locator('summary').filter({ hasText: cause }).click()
  const resolve = (act: string, givenName: string) =>
    page.getByRole('button', { name: `${act}: ${givenName} ${family}` }).click()

  await open('Nicht bestätigt')
  await resolve('Bestätigen', 'Vera')
  await confirm(page)
  await expect.poll(() => isHeld('Vera')).toBe(false)

  await open('Ohne Zustimmung')
  await resolve('Zustimmung eintragen', 'Klaus')
  // The act requires a reason if no file is given.
  await expect(dialogOf(page).getByLabel('Begründung')).toBeVisible()
  await dialogOf(page)
    .locator('input[type="file"]')
    .setInputFiles({ name: 'zustimmung.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 consent') })
  expect(await violationsInBothSchemes(page, '[role=dialog]')).toEqual([])
  await confirm(page)
  await expect.poll(() => isHeld('Klaus')).toBe(false)

  await open('Ohne vollständige Anschrift')
  await resolve('Anschrift eintragen', 'Anna')
  await dialogOf(page).getByLabel('Straße und Hausnummer').fill('Weg 1')
  await confirm(page)
  await expect.poll(() => isHeld('Anna')).toBe(false)
})

test('for a refund, the user is asked for an IBAN, which is validated and deleted with the payment order @extended', async ({
  page,
  browser,
  baseURL,
  portal,
  loginAs,
}) => {
  test.slow()
  const familyName = nameOf('Guthaben')
  const person = await fill(portal, async db => {
    const owed = await insertOwed(db, { billingType: 3, givenName: 'Gero', familyName })
    await insertRow(db, 'ledger_entries', { accountId: owed.accountId, kind: 'goodwill', cents: -5750 })
    return owed
  })
  await loginAs('desk')
  await page.goto('/office/money')
  await page.locator('summary').filter({ hasText: 'Ohne IBAN' }).click()
  await page.getByRole('button', { name: `Um die IBAN bitten: Gero ${familyName}` }).click()
  await expect(dialogOf(page)).toContainText('bekommt eine Nachricht')
  await confirm(page)

  const own = await (await browser.newContext({ baseURL: baseURL ?? '', serviceWorkers: 'block' })).newPage()
  await own.addInitScript(token => sessionStorage.setItem('SessionToken', token), person.token)
  await own.goto('/costs')
  const form = own.getByRole('region', { name: 'Sie bekommen Geld zurück' })
  const field = form.getByLabel(/^IBAN/)
  await field.fill('DE75 5121 0800 1245 1261 98')
  await form.getByRole('button', { name: 'IBAN speichern' }).focus()
  await expect(form).toContainText('Diese IBAN stimmt nicht.')
  expect(await violationsInBothSchemes(own, 'main')).toEqual([])
  await field.fill('DE75 5121 0800 1245 1261 99')
  await form.getByRole('button', { name: 'IBAN speichern' }).click()
  await expect(form).toContainText('Wir überweisen auf DE75 … 6199.')
  for (const width of [390, 1280]) {
    await own.setViewportSize({ width, height: 900 })
    expect(await overflowOf(own)).toBe(0)
  }

  await page.reload()
  await page
    .getByRole('button', { name: /^Erstattungen ausführen: / })
    .first()
    .click()
  await confirm(page)
  const download = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^Überweisungen: / })
    .first()
    .click()
  expect((await download).suggestedFilename()).toMatch(/^refunds-\d+\.xml$/)
  await own.reload()
  await expect(own.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(form).toBeHidden()
})
