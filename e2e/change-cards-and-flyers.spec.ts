import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'

test.use({ ...WITHOUT_WORKER, account: 'desk' })

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\n%%EOF\n',
)
const dialogOf = (page: Page) => page.getByRole('dialog')
/** Field of the dialog; a star after the label marks it as required. */
const write = (page: Page, label: string, text: string) =>
  dialogOf(page)
    .getByLabel(new RegExp(`^${label.replace(/[()]/g, '\\$&')}(?:\\s*\\*)?$`))
    .fill(text)
async function confirm(page: Page, name = 'Speichern'): Promise<void> {
  await dialogOf(page).getByRole('button', { name }).and(page.locator('[aria-disabled="false"]')).click()
  await expect(dialogOf(page)).toBeHidden()
}
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const newName = (word: string) => `${word} ${randomUUID().slice(0, 6)}`

test('a flyer is created with its file, renamed and removed, and visitors see each change @desktop @extended', async ({
  page,
}) => {
  const [name, later] = [newName('Merkblatt'), newName('Aushang')]
  await page.goto('/office/content')
  await page.getByRole('button', { name: 'Neuer Inhalt' }).click()
  await dialogOf(page).getByLabel('Wo er steht').selectOption('Flyer')
  await write(page, 'Überschrift (deutsch)', name)
  const file = `${name.replace(' ', '-')}.pdf`
  // The upload takes longer than the preview: the dialog can only be confirmed once it has ended.
  await page.route('**/api/office/files', async route => {
    await new Promise(resolve => setTimeout(resolve, 2_000))
    await route.continue()
  })
  await dialogOf(page)
    .getByLabel('Dokument', { exact: true })
    .setInputFiles({ name: file, mimeType: 'application/pdf', buffer: PDF })
  await expect(dialogOf(page).getByRole('status').filter({ hasText: file })).toBeVisible()
  await confirm(page)
  await expect(rowOf(page, name)).toBeVisible()
  await page.goto('/flyers')
  const flyer = (title: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })
  await expect(flyer(name).locator(`a[href*="${file}"]`).first()).toBeVisible()

  await page.goto('/office/content')
  await rowOf(page, name).getByRole('button', { name: 'Ändern' }).click()
  await write(page, 'Überschrift (deutsch)', later)
  await confirm(page)
  await page.goto('/flyers')
  await expect(flyer(later).locator(`a[href*="${file}"]`).first()).toBeVisible()

  await page.goto('/office/content')
  await rowOf(page, later).getByRole('button', { name: 'Entfernen' }).click()
  await confirm(page, 'Entfernen')
  await page.goto('/flyers')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(flyer(later)).toHaveCount(0)
})

test('an instructor is created and edited, and the text of the team page is changed @desktop @extended', async ({
  page,
}) => {
  const [name, team] = [newName('Berg'), newName('Neu im Team')]
  await page.goto('/office/basics')
  await page.getByRole('button', { name: 'Kursleitung anlegen' }).click()
  await write(page, 'E-Mail', `${randomUUID().slice(0, 8)}@e2e.example`)
  await write(page, 'Nachname', name)
  await confirm(page, 'Kursleitung anlegen')
  await page.getByRole('table', { name: 'Kursleitungen' }).waitFor()
  await rowOf(page, name).getByRole('button', { name: 'Ändern' }).click()
  await write(page, 'Hobbys (Deutsch)', 'Segeln bei Sturm')
  await confirm(page, 'Kursleitung ändern')
  await page.goto('/instructor')
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('Segeln bei Sturm')

  const saveTeam = async (german: string, english: string) => {
    await page.goto('/office/content')
    await rowOf(page, 'Team').first().getByRole('button', { name: 'Ändern' }).click()
    await write(page, 'Text (deutsch)', german)
    await write(page, 'Text (englisch)', english)
    await confirm(page)
    await page.goto('/teamsport')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await saveTeam(`<p>${team}</p>`, `<p>${team}</p>`)
  await expect(page.getByText(team)).toBeVisible()
  await saveTeam('', '')
  await expect(page.getByText(team)).toHaveCount(0)
})
