import type { Locator, Page } from '@playwright/test'
import { getBatch, getOfficeMoney, listInvoices } from '#contract/office/money.ts'
import { insertProof } from '#server/test/money-scene.ts'
import { insertPastCourses, insertPayers, type Queryable, withPortalDatabase } from '#server/test/past-season.ts'
import { buildCamt } from '#server/test/statements.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { test as base, expect, type Portal, portalWith, WITHOUT_WORKER } from './fixtures.ts'
import { press } from './keyboard-steps.ts'
import { patience } from './patience.ts'

/** The courses created here would change the number of courses that other test files expect. */
const test = base.extend<object, { portal: Portal }>({ portal: portalWith() })

test.use(WITHOUT_WORKER)

const MOST_TAPS = 12
const COURSES = 60

const dialogOf = (page: Page) => page.getByRole('dialog')
const confirmIn = (page: Page) => dialogOf(page).locator('button[aria-disabled="false"]')
const moneyLink = (page: Page) => page.getByRole('link', { name: /^Geld/ }).filter({ visible: true }).first()

/** Confirms an act once its preview is there. */
async function confirm(page: Page, title: string | RegExp): Promise<void> {
  await expect(dialogOf(page).getByRole('heading', { name: title })).toBeVisible()
  await confirmIn(page).click()
}

const fill = <Result>(portal: Portal, work: (db: Queryable) => Promise<Result>) =>
  withPortalDatabase(portal.dataDir, work)

test('a season of 60 courses is settled, with payroll and invoices issued, in at most 12 taps @desktop @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  test.slow()
  await fill(portal, async db => insertPastCourses(db, COURSES, await insertPayers(db, [1, 1, 3])))
  const token = await loginAs('desk')
  let taps = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.click()
  }
  const confirmed = async (title: string | RegExp) => {
    await expect(dialogOf(page).getByRole('heading', { name: title })).toBeVisible()
    await tap(confirmIn(page))
  }
  await page.goto('/office')
  await tap(moneyLink(page))
  await tap(page.getByRole('button', { name: /^\d+ Kurse abrechnen/ }))
  await expect(dialogOf(page)).toContainText('Kursgebühr')
  await confirmed(/Kurse abrechnen/)
  await expect(page.getByText('Erledigt').first()).toBeVisible({ timeout: patience * 60_000 })
  await tap(page.getByRole('button', { name: 'Gehaltslauf anlegen' }))
  await confirmed('Gehaltslauf anlegen')
  await confirmed('Gehaltslauf abschließen')
  const payroll = page.waitForEvent('download')
  await tap(page.getByRole('button', { name: /^CSV: Gehaltslauf/ }).first())
  expect((await payroll).suggestedFilename()).toMatch(/^payroll-\d+\.csv$/)
  await tap(page.getByRole('button', { name: 'Rechnungslauf anlegen' }))
  await confirmed('Rechnungslauf anlegen')
  await confirmed('Rechnungen stellen')
  const invoices = page.waitForEvent('download')
  await tap(page.getByRole('button', { name: /^PDF-Dateien: Rechnungslauf/ }).first())
  expect((await invoices).suggestedFilename()).toMatch(/^invoices-\d+\.zip$/)
  expect(taps).toBeLessThanOrEqual(MOST_TAPS)
  const { toSettle, totals } = await portal.call(getOfficeMoney, { token })
  expect(toSettle).toEqual([])
  expect(totals.payroll).toBeGreaterThanOrEqual(2 * COURSES * 45)
  expect(totals.invoiced).toBeGreaterThanOrEqual(COURSES * 45)
  expect(await violationsInBothSchemes(page, 'main')).toEqual([])
})

test('with the keyboard only, a course is settled and payroll finalized; a rejected payroll line is put on hold again @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  test.slow()
  const [payer] = await fill(portal, async db => {
    const people = await insertPayers(db, [1])
    await insertPastCourses(db, 1, people, { name: 'Kurs mit Rückläufer' })
    return people
  })
  const token = await loginAs('desk')
  await page.goto('/office/money')
  await press(page, page.getByRole('button', { name: /Kurse? abrechnen/ }))
  await expect(confirmIn(page)).toBeVisible()
  await press(page, confirmIn(page))
  await expect(page.getByText('Erledigt').first()).toBeVisible({ timeout: patience * 30_000 })
  await press(page, page.getByRole('button', { name: 'Gehaltslauf anlegen' }))
  await expect(confirmIn(page)).toBeVisible()
  await press(page, confirmIn(page))
  await expect(dialogOf(page).getByRole('heading', { name: 'Gehaltslauf abschließen' })).toBeVisible()
  await press(page, confirmIn(page))
  const batch = page.getByRole('link', { name: /^Gehaltslauf/ }).first()
  await expect(page.getByRole('button', { name: /^Abgelehnte Zeilen einlesen/ }).first()).toBeVisible()
  await press(page, batch)
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="/office/people/${payer?.id}"]`) })
  await expect(row).toBeVisible()
  const batchId = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0])
  const { lines } = await portal.call(getBatch, { token, params: { id: batchId } })
  const reference = lines.find(({ webUserId }) => webUserId === payer?.id)?.reference
  await page.getByRole('button', { name: /^Abgelehnte Zeilen einlesen/ }).click()
  await dialogOf(page)
    .locator('input[type="file"]')
    .setInputFiles({
      name: 'refused.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`reference;reason\r\n${reference};Ausgeschieden\r\n`),
    })
  await expect(dialogOf(page)).toContainText('1 zurückgekommen')
  await confirm(page, 'Abgelehnte Zeilen einlesen')
  await expect(row).toContainText('zurückgekommen')
  await page.goto('/office/money')
  await page.locator('summary').filter({ hasText: 'Zurückgekommen' }).click()
  await expect(page.getByRole('button', { name: /^Anders abrechnen: Kim Muster/ }).first()).toBeVisible()
  expect(await violationsInBothSchemes(page, 'main')).toEqual([])
})

test('a payment from a bank statement is applied to its invoice only once @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  test.slow()
  const [payer] = await fill(portal, async db => {
    const people = await insertPayers(db, [3])
    await insertPastCourses(db, 1, people, { name: 'Kurs auf Rechnung' })
    return people
  })
  const token = await loginAs('desk')
  await page.goto('/office/money')
  await page.getByRole('button', { name: /Kurse? abrechnen/ }).click()
  const sent = Promise.withResolvers<void>()
  await page.route('**/api/office/acts', async route => {
    if (!route.request().postDataJSON().preview) await sent.promise
    await route.continue()
  })
  await confirm(page, /abrechnen/)
  await expect(dialogOf(page)).toContainText(/Wird ausgeführt … \(\d+ s\)/)
  sent.resolve()
  await expect(page.getByText('Erledigt').first()).toBeVisible({ timeout: patience * 30_000 })
  await page.unroute('**/api/office/acts')
  await page.getByRole('button', { name: 'Rechnungslauf anlegen' }).click()
  await confirm(page, 'Rechnungslauf anlegen')
  await confirm(page, 'Rechnungen stellen')
  await expect(page.getByRole('button', { name: /^PDF-Dateien/ }).first()).toBeVisible()
  const invoiceOf = async () =>
    (await portal.call(listInvoices, { token, query: { limit: '500' } })).items.find(
      ({ webUserId }) => webUserId === payer?.id,
    )
  const invoice = await invoiceOf()
  expect(invoice).toMatchObject({ state: 'open', amount: 45 })
  const read = async () => {
    await page.getByRole('button', { name: 'Kontoauszug einlesen' }).click()
    await dialogOf(page)
      .locator('input[type="file"]')
      .setInputFiles({
        name: 'auszug.xml',
        mimeType: 'text/xml',
        buffer: Buffer.from(
          buildCamt([
            { cents: 4500, text: `Rechnung ${invoice?.number} Muster` },
            { cents: 1234, text: 'Spende' },
          ]),
        ),
      })
  }
  await read()
  await expect(dialogOf(page)).toContainText('1 Zahlung, zusammen 45,00 €')
  await expect(dialogOf(page)).toContainText('keine Rechnungsnummer im Text')
  await confirm(page, 'Kontoauszug einlesen')
  await expect.poll(async () => (await invoiceOf())?.state).toBe('paid')
  await expect(page.getByRole('row').filter({ hasText: invoice?.number ?? '' })).toHaveCount(0)
  await read()
  await expect(dialogOf(page)).toContainText('1 Zahlung war schon eingelesen.')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Buchungsstapel anlegen' }).click()
  await expect(dialogOf(page)).toContainText(/\d+ Buchungssätze/)
  expect(await violationsInBothSchemes(page, '[role=dialog]')).toEqual([])
  await confirm(page, 'Buchungsstapel anlegen')
  await confirm(page, 'Buchungsstapel abschließen')
  const file = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^CSV: Buchungsstapel/ })
    .first()
    .click()
  expect((await file).suggestedFilename()).toMatch(/^EXTF_Buchungsstapel-\d+\.csv$/)
  await page.getByRole('link', { name: /^Buchungsstapel \d/ }).click()
  await expect(page.getByRole('row').filter({ hasText: invoice?.number ?? '' })).toHaveCount(2)
})

test('the columns of an unknown CSV file are assigned once and can be changed @extended', async ({ page, loginAs }) => {
  await loginAs('desk')
  await page.goto('/office/money')
  const read = async (text: string) => {
    await page.getByRole('button', { name: 'Kontoauszug einlesen' }).click()
    const buffer = Buffer.from(`Wann;Wieviel;Saldo;Wofür;Wer\n24.11.2026;45,00;300,00;${text};Kim Muster\n`)
    await dialogOf(page).locator('input[type="file"]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
  }
  const choose = (label: RegExp, column: string) => dialogOf(page).getByLabel(label).selectOption(column)
  await read('Miete')
  await expect(dialogOf(page)).toContainText('Bitte ordnen Sie die Spalten einmal zu.')
  expect(await violationsInBothSchemes(page, '[role=dialog]')).toEqual([])
  await choose(/Buchungstag/, 'Wann')
  await choose(/Betrag/, 'Saldo')
  await choose(/Verwendungszweck/, 'Wofür')
  await expect(dialogOf(page)).toContainText('300,00 €')
  // The column of the name is chosen later, and that of the amount was wrong.
  await choose(/Namen/, 'Wer')
  await choose(/Betrag/, 'Wieviel')
  await expect(dialogOf(page)).toContainText('45,00 €')
  await expect(dialogOf(page)).toContainText('Kim Muster · Miete')
  await confirm(page, 'Kontoauszug einlesen')
  await expect(page.getByText('Erledigt').first()).toBeVisible()
  await read('Strom')
  await expect(dialogOf(page)).toContainText('Kim Muster · Strom')
  await dialogOf(page).getByText('Spalten der Datei').click()
  await choose(/Betrag/, 'Saldo')
  await expect(dialogOf(page)).toContainText('300,00 €')
})

test('an absence proof is viewed and accepted @extended', async ({ page, portal, loginAs }) => {
  await fill(portal, async db => {
    const [person] = await insertPayers(db, [1])
    await insertProof(db, person?.id ?? 0, { kind: 'sick', fileName: 'krankmeldung.pdf' })
  })
  await loginAs('desk')
  await page.goto('/office')
  await page.getByRole('link', { name: 'Prüfen' }).click()
  await page.getByRole('button', { name: /^Ansehen: Kim Muster/ }).click()
  const link = dialogOf(page).getByRole('link', { name: 'krankmeldung.pdf öffnen' })
  await expect(link).toHaveAttribute('href', /^blob:/)
  expect(await violationsInBothSchemes(page, '[role=dialog]')).toEqual([])
  await dialogOf(page).getByRole('button', { name: 'Anerkennen' }).click()
  await expect(dialogOf(page)).toContainText('1 Person bekommt eine Nachricht')
  await confirm(page, 'Anerkennen')
  await expect(page.getByRole('button', { name: /^Ansehen: Kim Muster/ })).toHaveCount(0)
})
