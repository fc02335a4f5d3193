import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test } from './fixtures.ts'

const zipOf = async (files: Record<string, string>) => {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream)
}

test('a programme is looked at, imported and seen; a page gets other words and its own ones back @desktop', async ({
  page,
  loginAs,
}) => {
  await loginAs('desk')
  await page.goto('/office/import')
  const number = `E2E-${Date.now()}`
  const header = 'number,seasonId,courseCategoryId,name,start,end,startTime,endTime,participants'
  const upload = async (row: string) => {
    const zip = await zipOf({ 'courses.csv': `${header}\n${row}\n` })
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'programm.zip', mimeType: 'application/zip', buffer: zip })
  }
  await upload(`${number},2,3,Seiltanz,2027-01-11,2027-03-15,18:00,19:00,viele`)
  await expect(page.getByText('courses.csv:2: participants: "viele" ist keine ganze Zahl')).toBeVisible()
  await upload(`${number},2,3,Seiltanz ${number},2027-01-11,2027-03-15,18:00,19:00,12`)
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
