import { readFile } from 'node:fs/promises'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'

test.use(WITHOUT_WORKER)

const PLOTS = [
  'Auslastung je Kurs',
  'Wann die Nachfrage ist',
  'Wann die Räume belegt sind',
  'Wo am meisten warten',
  'Wie es sich füllt',
  'Anwesenheit nach Termin',
  'Fehlquote',
  'Wann storniert wird',
  'Teilnehmende nach Alter',
  'Teilnehmende nach Status',
  'Teilnehmende nach Gesellschaft',
  'Wohin das Geld ging',
]

test('the report by e-mail is chosen on Today, where the e-mail leads @extended', async ({ page, loginAs }) => {
  await loginAs('desk')
  await page.goto('/office#report-mail')
  const choice = page.getByRole('region', { name: 'Bericht per E-Mail' })
  await expect(choice).toBeInViewport()
  await expect(choice).toBeFocused()
  const weekly = choice.getByRole('checkbox', { name: 'Jeden Freitag' })
  const stored = page.waitForResponse(response => response.request().method() === 'PUT')
  await weekly.check()
  expect((await stored).url()).toMatch(/\/api\/reminders$/)
  await page.reload()
  await expect(weekly).toBeChecked()
  await weekly.uncheck()
  await expect(choice.getByRole('checkbox', { name: 'Am Ersten des Monats' })).not.toBeChecked()
})

test('the season report shows charts with figures, compares seasons, and closes the season with a reason @extended', async ({
  page,
  loginAs,
}) => {
  await loginAs('desk')
  await page.goto('/office/report')
  // The season that is running may be another one since the demo was imported, such as after midnight on a Sunday.
  await page.getByRole('combobox', { name: 'Saison', exact: true }).selectOption({ label: 'Herbst' })
  await expect(page.getByRole('heading', { level: 1, name: 'Bericht Herbst' })).toBeVisible()
  await expect(page.getByText(/^Stand \d/)).toBeVisible()
  const plot = (title: string) => page.getByRole('region', { name: title })
  for (const title of PLOTS) await expect(plot(title)).toBeVisible()
  await plot('Auslastung je Kurs').getByText('Zahlen').click()
  await expect(plot('Auslastung je Kurs').getByRole('row').nth(1)).toContainText('H-0')
  const saved = page.waitForEvent('download')
  await plot('Auslastung je Kurs').getByRole('button', { name: 'Als CSV' }).click()
  const csv = await readFile(await (await saved).path(), 'utf8')
  expect(csv.split('\r\n')[0]).toContain('Kurs;Kategorie;Termine;Plätze;Belegt;Prozent')
  // The control names the season with which figures and plots are compared.
  const against = page.getByLabel('Verglichen mit')
  await expect(against.getByRole('option', { selected: true })).toHaveText('Sommer')
  await plot('Wie es sich füllt').getByText('Zahlen').click()
  const compared = plot('Wie es sich füllt').getByRole('columnheader', { name: 'Sommer' })
  await expect(compared).toBeVisible()
  const figures = page.getByRole('list', { name: 'Auf einen Blick' })
  await expect(figures).toContainText('Sommer')
  await against.selectOption({ label: 'Ohne Vergleich' })
  await expect(compared).toHaveCount(0)
  await expect(figures).not.toContainText('Sommer')
  expect(await violationsInBothSchemes(page, 'main')).toEqual([])
  expect(await overflowOf(page)).toBe(0)

  await page.getByRole('button', { name: 'Saison abschließen' }).click()
  const dialog = page.getByRole('dialog')
  const reason = dialog.getByLabel('Begründung')
  await expect(dialog).toContainText('fehlt die Abrechnung')
  await reason.fill('Die Saison läuft noch; Zahlen für die Sitzung')
  await dialog.locator('button[aria-disabled="false"]').click()
  await expect(page.getByText(/^Festgehalten am \d/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Saison abschließen' })).toHaveCount(0)
})
