import type { Locator, Page } from '@playwright/test'
import { bookCourse } from '#contract/endpoints/courses.ts'
import { listOwnProofs } from '#contract/endpoints/money.ts'
import { BILLING_TYPE, EMPLOYEE_STATUS } from '#contract/values.ts'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, type Portal, test } from './fixtures.ts'
import { press } from './keyboard-steps.ts'
import { createPerson, openAs, type Person, tokenOf } from './people-steps.ts'
import { coursesOf, listKept } from './programme-steps.ts'

const PDF = { name: 'krankmeldung.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 e2e') }

/** Books a course with a price, and opens the costs. */
async function openCosts(page: Page, portal: Portal, person: Person, hasCertificate = false) {
  const token = await tokenOf(portal, person)
  const course = (await coursesOf(portal, token)).find(
    ({ directlyBookable, price, centralTestInstitute }) =>
      directlyBookable &&
      (price?.amount ?? 0) > 0 &&
      (hasCertificate ? centralTestInstitute : price?.freeWithAttendance),
  )
  if (!course) throw new Error('the demo programme has no course with a price')
  await portal.call(bookCourse, { token, body: { id: course.id } })
  await openAs(page, portal, person, '/costs')
  return { course, token }
}

const MOST_PROOF_TAPS = 4

/** Opens the file picker and selects a file; the picker itself is part of the operating system. */
async function choose(page: Page, button: string, file: typeof PDF): Promise<void> {
  const picked = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  await (await picked).setFiles(file)
}

test('a sick note is submitted from the costs page in at most four taps @extended', async ({
  page,
  portal,
  person,
}) => {
  const { token } = await openCosts(page, portal, person)
  let taps = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.click()
  }
  const picked = page.waitForEvent('filechooser')
  await tap(page.getByRole('button', { name: 'Krankmeldung hochladen' }))
  // The file picker is part of the operating system.
  await (await picked).setFiles(PDF)
  for (const [label, day] of [
    ['Krank von', '2026-11-02'],
    ['Krank bis', '2026-11-13'],
  ] as const) {
    await tap(page.getByLabel(label))
    await page.getByLabel(label).fill(day)
  }
  await tap(page.getByRole('button', { name: 'Einwilligen und senden' }))
  await expect(page.getByRole('list', { name: 'Ihre Nachweise' })).toContainText('02.11.2026 – 13.11.2026')
  expect(taps).toBeLessThanOrEqual(MOST_PROOF_TAPS)
  expect((await portal.call(listOwnProofs, { token })).items).toMatchObject([{ kind: 'sick', state: 'open' }])
})

test('a member of the health insurer reads what is paid in any case, and how it is refunded', async ({
  page,
  portal,
}) => {
  const insured = await createPerson(portal, EMPLOYEE_STATUS.HealthInsurance, BILLING_TYPE.Invoice)
  const { course } = await openCosts(page, portal, insured, true)
  const cost = page.getByRole('article').filter({ hasText: course.name })
  await expect(cost).toContainText('Offen. Sie zahlen den vereinbarten Preis.')
  await expect(cost).toContainText('erstattungsfähig')
  // Proofs only matter to those whose fee can be waived.
  await expect(page.getByRole('button', { name: 'Krankmeldung hochladen' })).toHaveCount(0)
})

test('a user sees the cost of a course and why it is open, and uploads and deletes a sick note @extended', async ({
  page,
  portal,
  person,
}) => {
  const { course, token } = await openCosts(page, portal, person)
  const cost = page.getByRole('article').filter({ hasText: course.name })
  await expect(cost).toContainText('Kursgebühr')
  await expect(cost).toContainText('Offen. Was Sie zahlen, steht nach dem letzten Termin fest.')
  expect(await violationsInBothSchemes(page)).toEqual([])

  await choose(page, 'Krankmeldung hochladen', PDF)
  const dialog = page.getByRole('dialog', { name: 'Krankmeldung hochladen' })
  await expect(dialog).toContainText('willigen Sie ausdrücklich ein')
  await dialog.getByLabel('Krank von').fill('2026-11-13')
  await dialog.getByLabel('Krank bis').fill('2026-11-02')
  const send = dialog.getByRole('button', { name: 'Einwilligen und senden' })
  await send.focus()
  await expect(dialog.getByText('Das Ende liegt vor dem Beginn.')).toBeVisible()
  expect(await violationsInBothSchemes(page, '[role=dialog]')).toEqual([])
  expect((await portal.call(listOwnProofs, { token })).items).toEqual([])
  await dialog.getByLabel('Krank von').fill('2026-11-02')
  await dialog.getByLabel('Krank bis').fill('2026-11-13')
  await page.screenshot({ path: test.info().outputPath('form.png') })
  await send.click()
  await expect(dialog).toBeHidden()

  const own = page.getByRole('list', { name: 'Ihre Nachweise' }).getByRole('listitem')
  await expect(own).toContainText('Krankmeldung, 02.11.2026 – 13.11.2026')
  await expect(own).toContainText('Wird geprüft')
  await expect(own).toContainText(/Eingewilligt am \d\d\.\d\d\.\d{4} \(Version 2 des Textes\)/)
  expect((await portal.call(listOwnProofs, { token })).items).toMatchObject([{ kind: 'sick', state: 'open' }])
  expect(await violationsInBothSchemes(page)).toEqual([])
  for (const [width, height] of [
    [390, 844],
    [1280, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: test.info().outputPath(`costs-${width}-${colorScheme}.png`), fullPage: true })
    }
    expect(await overflowOf(page)).toBe(0)
  }

  await press(page, own.getByRole('button', { name: 'Nachweis 02.11.2026 – 13.11.2026 löschen' }))
  await page.getByRole('dialog', { name: 'Nachweis löschen?' }).getByRole('button', { name: 'Ja, löschen' }).click()
  await expect(own).toBeHidden()
  expect((await portal.call(listOwnProofs, { token })).items).toEqual([])
})

test('an invalid file is rejected at its field, and another one can be selected @extended', async ({
  page,
  portal,
  person,
}) => {
  await openCosts(page, portal, person)
  await choose(page, 'Schichtnachweis hochladen', { ...PDF, name: 'plan.docx' })
  const dialog = page.getByRole('dialog', { name: 'Schichtnachweis hochladen' })
  await expect(dialog).toContainText('Bitte wählen Sie eine PDF-Datei oder ein Foto')
  // The file's content decides, not its name: the server rejects it with a message.
  await dialog.getByLabel('Datei').setInputFiles({ ...PDF, buffer: Buffer.from('no PDF') })
  await expect(dialog).not.toContainText('Bitte wählen Sie eine PDF-Datei oder ein Foto')
  await dialog.getByLabel('Schichtdienst von').fill('2025-09-01')
  await dialog.getByLabel('Schichtdienst bis').fill('2025-12-31')
  await dialog.getByRole('button', { name: 'Senden' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Ein Nachweis ist eine PDF-Datei oder ein Foto')
  await dialog.getByLabel('Datei').setInputFiles(PDF)
  await dialog.getByRole('button', { name: 'Senden' }).click()
  await expect(page.getByRole('list', { name: 'Ihre Nachweise' })).toContainText(
    'Schichtdienst, 01.09.2025 – 31.12.2025',
  )
})

test('the costs of the last visit are available offline and deleted at logout @extended', async ({
  page,
  portal,
  person,
  context,
}) => {
  const { course } = await openCosts(page, portal, person)
  await expect(page.getByRole('article')).toContainText(course.name)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(listKept)).toContain('costs')
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('article')).toContainText(course.name)
  await expect(page.getByText(/^Stand /)).toBeVisible()
  await page.getByRole('button', { name: 'Menü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await expect(page).toHaveURL(/home$/)
  expect(await page.evaluate(listKept)).not.toContain('costs')
})

test('the attendance dots of a course are below its name @extended', async ({ page, loginAs }) => {
  await loginAs('employee')
  await page.goto('/costs')
  const cost = page
    .getByRole('article')
    .filter({ has: page.getByRole('img') })
    .first()
  const topOf = (part: Locator) => part.evaluate(element => element.getBoundingClientRect().top)
  expect(await topOf(cost.getByRole('img'))).toBeGreaterThan(await topOf(cost.getByRole('heading')))
})
