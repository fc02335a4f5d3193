import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { getOfficeCourse, listOfficeCourses, performAct } from '#contract/office/office.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, type Portal, test, WITHOUT_WORKER } from './fixtures.ts'
import { tokenOf } from './people-steps.ts'
import { DEMO_PASSWORD } from './portal.ts'
import { inDays } from './programme-steps.ts'

test.use({ ...WITHOUT_WORKER, account: 'desk' })

const DESK = { email: 'desk@demo.example', password: DEMO_PASSWORD }

/** The act dialog of the office, with its preview and submit button. */
const dialogOf = (page: Page) => page.getByRole('dialog')
async function confirm(page: Page, name: RegExp): Promise<void> {
  await dialogOf(page).getByRole('button', { name }).and(page.locator('[aria-disabled="false"]')).click()
  await expect(dialogOf(page)).toBeHidden()
}

/** Creates a person without an e-mail address by the office API. @returns the id */
async function createUnreachable(portal: Portal, token: string, familyName: string): Promise<number> {
  const act = {
    actId: randomUUID(),
    kind: 'create-person',
    givenName: 'Otto',
    familyName,
    employeeStatus: 1,
    preview: false,
  } as const
  return Number((await portal.call(performAct, { body: act, token })).result.webUserId)
}

test('a person without an e-mail address is created, booked and gets a letter @extended', async ({ page, portal }) => {
  const familyName = `Anruf ${randomUUID().slice(0, 6)}`
  await page.goto('/office/people')
  await page.getByRole('button', { name: 'Person anlegen' }).click()
  await page.getByLabel('Vorname').fill('Olga')
  await page.getByLabel('Nachname').fill(familyName)
  await dialogOf(page).getByLabel('Status').selectOption({ label: 'Beschäftigt' })
  await expect(dialogOf(page)).toContainText('Niemand wird benachrichtigt')
  await confirm(page, /^Anlegen/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Olga ${familyName}`)
  await expect(page.getByText('bekommt Briefe')).toBeVisible()

  await page.getByRole('button', { name: 'Kurs buchen' }).click()
  const courses = await portal.call(listOfficeCourses, { query: { limit: '500' }, token: await tokenOf(portal, DESK) })
  const free = courses.items.find(
    ({ cancelled, booked, places, end }) => !cancelled && booked < places && end > inDays(14),
  )
  await page.getByLabel('Nummer, Name oder Ort').fill(free?.number ?? '')
  await dialogOf(page).getByRole('radio').first().check()
  await expect(dialogOf(page)).toContainText('1 Brief ist zu drucken')
  await expect(dialogOf(page)).toContainText('1 ist anzurufen')
  await confirm(page, /^Buchen/)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /^PDF: / }).click()
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/)
  await expect(page.getByText(/gedruckt am/)).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])

  await page.getByRole('button', { name: 'Konto sperren' }).click()
  await expect(dialogOf(page)).toContainText('kann sich nicht mehr anmelden. Ihre Buchungen bleiben.')
  await page.keyboard.press('Escape')
  await page.goto('/office/people')
  await page.getByRole('searchbox').fill(`olga ${familyName.slice(0, 9)}`)
  await expect(page.getByRole('link', { name: `Olga ${familyName}` })).toBeVisible()
})

test('a late cancellation is charged', async ({ page, portal }) => {
  const token = await tokenOf(portal, DESK)
  const { items } = await portal.call(listOfficeCourses, { query: { limit: '500' }, token })
  const running = items.find(({ number }) => number === 'H-0901')
  const course = await portal.call(getOfficeCourse, { params: { id: running?.id ?? 0 }, token })
  const late = course.booked.find(({ since }) => since < (course.lessons[0]?.date ?? ''))
  await page.goto(`/office/people/${late?.webUserId}`)
  await page.getByRole('button', { name: `Stornieren: ${course.course.name}` }).click()
  await page.getByLabel('Voller Preis').check()
  await page.getByLabel('Begründung').fill('Zu spät gemeldet')
  await confirm(page, /^Stornieren/)
  await page.getByText(/frühere Buchung/).click()
  await expect(page.getByText(/€ zu zahlen/).first()).toBeVisible()
})

test('two accounts of the same person are merged @extended', async ({ page, portal }) => {
  const token = await tokenOf(portal, DESK)
  const familyName = `Doppelt ${randomUUID().slice(0, 6)}`
  const [into] = [
    await createUnreachable(portal, token, familyName),
    await createUnreachable(portal, token, familyName),
  ]
  await page.goto(`/office/people/${into}`)
  await page.getByRole('button', { name: 'Hierher zusammenführen' }).click()
  await expect(dialogOf(page)).toContainText('nicht rückgängig')
  await confirm(page, /^Zusammenführen/)
  await expect(page.getByRole('heading', { name: 'Vielleicht dieselbe Person' })).toBeHidden()
})

test('a message to a course, in both languages, shows the number of recipients before it is sent', async ({
  page,
  portal,
}) => {
  const token = await tokenOf(portal, DESK)
  const { items } = await portal.call(listOfficeCourses, { query: { limit: '500' }, token })
  const course = items.find(({ cancelled, booked }) => !cancelled && booked > 2)
  await page.goto(`/office/messages?to=course&id=${course?.id}`)
  await page.getByRole('group', { name: 'Deutsch' }).getByLabel('Betreff').fill('Matten mitbringen')
  await page.getByRole('group', { name: 'Englisch' }).getByLabel('Betreff').fill('Bring a mat')
  // Scrolled to the top first: otherwise the footer bar may cover half a line.
  await page.evaluate(() => scrollTo(0, 0))
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Prüfen, wer sie bekommt' }).click()
  await expect(dialogOf(page)).toContainText(`${course?.booked} Personen bekommen eine Nachricht`)
  await confirm(page, new RegExp(`^Senden und ${course?.booked} Personen benachrichtigen`))
  await expect(page.getByText('Erledigt')).toBeVisible()
})

test('a new HR list is validated before it replaces the old one, and lists are shown and exported @extended', async ({
  page,
}, testInfo) => {
  await page.goto('/office/hr-list')
  const choose = (text: string) =>
    page.getByLabel(/Neue Liste/).setInputFiles({ name: 'hr.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose('Personalnummer;Status\r\n4711;Beschäftigt\r\n4711;Beschäftigt\r\n')
  await expect(page.getByText('Zeile 3: 4711 steht zweimal in der Datei.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Liste ersetzen' })).toBeDisabled()
  await choose('Personalnummer;Status\r\n4711;Beschäftigt\r\n4712;\r\n')
  await page.getByRole('button', { name: 'Liste ersetzen' }).click()
  await confirm(page, /^Liste ersetzen/)
  await expect(page.getByRole('rowheader', { name: '4712' })).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])

  // The exported workbook can be parsed again as a list.
  const workbook = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Für Excel' }).click()
  const path = testInfo.outputPath('hr.xlsx')
  await (await workbook).saveAs(path)
  await page.getByLabel(/Neue Liste/).setInputFiles(path)
  await expect(page.getByText('2 Zeilen: 0 neu, 0 nicht mehr dabei, 2 wie bisher.')).toBeVisible()

  await page.goto('/office/lists')
  await expect(page.getByRole('table', { name: /Auslastung/ })).toBeVisible()
  await page.getByLabel('Nach').selectOption('weekday')
  await expect(page.getByRole('rowheader', { name: 'Montag' })).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
  for (const [button, file] of Object.entries({ CSV: 'Teilnehmende.csv', Excel: 'Teilnehmende.xlsx' })) {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: `${button}: Teilnehmende` }).click()
    expect((await download).suggestedFilename()).toBe(file)
  }
})
