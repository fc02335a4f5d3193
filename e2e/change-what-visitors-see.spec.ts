import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { ZipFile } from 'yazl'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { inDays } from './programme-steps.ts'

test.use({ ...WITHOUT_WORKER, account: 'desk' })

const zipOf = async (files: Record<string, string>) => {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream)
}

test('a programme is previewed, imported and shown; the text of a page is changed and reset @desktop @extended', async ({
  page,
}) => {
  await page.goto('/office/import')
  const number = `E2E-${Date.now()}`
  const header = 'number,seasonId,courseCategoryId,name,start,end,startTime,endTime,participants'
  const upload = async (row: string) => {
    const zip = await zipOf({ 'courses.csv': `${header}\n${row}\n` })
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'programm.zip', mimeType: 'application/zip', buffer: zip })
  }
  await upload(`${number},2,3,Seiltanz,${inDays(30)},${inDays(100)},18:00,19:00,viele`)
  await expect(page.getByText('courses.csv:2: participants: "viele" ist keine ganze Zahl')).toBeVisible()
  await upload(`${number},2,3,Seiltanz ${number},${inDays(30)},${inDays(100)},18:00,19:00,12`)
  await expect(page.getByRole('row', { name: /courses\.csv/ })).toContainText('1')
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Importieren' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Importieren' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goto(`/courses`)
  await page.getByRole('searchbox').first().fill(number)
  await expect(page.getByText(`Seiltanz ${number}`).first()).toBeVisible()

  const saveFaq = async (german: string, english: string) => {
    await page.goto('/office/content')
    await page
      .getByRole('row', { name: /Häufige Fragen/ })
      .first()
      .getByRole('button', { name: 'Ändern' })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Text (deutsch)', { exact: true }).fill(german)
    await dialog.getByLabel('Text (englisch)', { exact: true }).fill(english)
    expect(await violationsInBothSchemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await expect(dialog).toBeHidden()
    await page.goto('/faq')
  }
  await saveFaq('<h3>Neu</h3><p>Fragen Sie <strong>uns</strong>.</p>', '<p>Ask us.</p>')
  await expect(page.getByRole('heading', { name: 'Neu' })).toBeVisible()
  await saveFaq('', '')
  await expect(page.getByRole('button', { name: /Wer/ }).first()).toBeVisible()
})

/** A picture that is wider than high. */
const PICTURE = sharp({ create: { width: 320, height: 180, channels: 3, background: '#2a7' } })

test('a content item, an album and its photos are created, ordered, cropped, edited and removed @desktop @extended', async ({
  page,
}) => {
  const own = `Neu ${Date.now()}`
  const dialog = page.getByRole('dialog')
  const save = async (name = 'Speichern') => {
    await dialog.getByRole('button', { name }).and(page.locator('[aria-disabled="false"]')).click()
    await expect(dialog).toBeHidden()
  }
  const choose = async (label: string, name: string) => {
    const buffer = await PICTURE.clone().jpeg().toBuffer()
    await dialog.getByLabel(label, { exact: true }).setInputFiles({ name, mimeType: 'image/jpeg', buffer })
    await expect(dialog.getByRole('status')).toContainText([`${name} ist hochgeladen.`])
  }
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
  await page.goto('/office/content')
  await page.getByRole('button', { name: 'Neuer Inhalt' }).click()
  await dialog.getByLabel('Überschrift (deutsch)', { exact: true }).fill(own)
  await choose('Bild', 'platz.jpg')
  await dialog.getByLabel('Ausschnitt', { exact: true }).selectOption('square')
  await dialog.getByRole('slider').press('End')
  expect(await violationsInBothSchemes(page)).toEqual([])
  const again = page.waitForResponse(/office\/acts/)
  await dialog.getByRole('button', { name: 'Diesen Ausschnitt verwenden' }).click()
  await again
  await save()
  // A new item is the last one in its list until it is moved before another.
  await expect(rowOf(own)).toBeVisible()
  const places = () =>
    page.getByRole('row').filter({ hasText: 'Startseite, oben' }).getByRole('rowheader').allInnerTexts()
  const last = (await places()).length - 1
  expect((await places()).indexOf(own)).toBe(last)
  await rowOf(own).getByRole('button', { name: 'Weiter nach vorn' }).click()
  await save('Weiter nach vorn')
  await expect.poll(async () => (await places()).indexOf(own)).toBe(last - 1)
  await page.goto('/home')
  const seen = page.locator('main img[src*="platz"]').first()
  await expect(page.getByText(own).first()).toBeVisible()
  await seen.scrollIntoViewIfNeeded()
  await expect
    .poll(() => seen.evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight))
    .toBeCloseTo(1, 1)

  await page.goto('/office/content')
  await page.getByRole('button', { name: 'Neues Album' }).click()
  await dialog.getByLabel('Name (deutsch)', { exact: true }).fill(own)
  await save()
  for (const name of ['erstes.jpg', 'zweites.jpg']) {
    await rowOf(own).getByRole('button', { name: 'Foto hinzufügen' }).click()
    await choose('Datei', name)
    await save()
  }
  const photoRows = page.getByRole('table', { name: 'Fotos', exact: true }).getByRole('row').filter({ hasText: own })
  const photos = () => photoRows.getByRole('rowheader').allInnerTexts()
  await expect.poll(photos).toEqual(['erstes.jpg', 'zweites.jpg'])
  await page.getByRole('button', { name: 'Weiter nach vorn: zweites.jpg' }).click()
  await save('Weiter nach vorn')
  await expect.poll(photos).toEqual(['zweites.jpg', 'erstes.jpg'])
  for (const name of ['erstes.jpg', 'zweites.jpg']) {
    await photoRows.filter({ hasText: name }).getByRole('button', { name: 'Entfernen' }).click()
    await save('Entfernen')
  }
  for (const row of [1, 0]) {
    await rowOf(own).nth(row).getByRole('button', { name: 'Entfernen' }).click()
    await save('Entfernen')
  }
  await expect(rowOf(own)).toHaveCount(0)
})
