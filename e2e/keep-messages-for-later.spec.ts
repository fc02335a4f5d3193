import { randomUUID } from 'node:crypto'
import { listOfficeCourses } from '#contract/office/office.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { tokenOf } from './people-steps.ts'
import { DEMO_PASSWORD } from './portal.ts'

test.use({ ...WITHOUT_WORKER, account: 'desk' })

test('a message is saved as a template and a draft, scheduled, and its e-mails are listed individually @desktop @extended', async ({
  page,
  portal,
}) => {
  const token = await tokenOf(portal, { email: 'desk@demo.example', password: DEMO_PASSWORD })
  const { items } = await portal.call(listOfficeCourses, { query: { limit: '500' }, token })
  const course = items.find(({ cancelled, booked }) => !cancelled && booked > 2)
  const title = `Matten ${randomUUID().slice(0, 6)}`
  const german = page.getByRole('group', { name: 'Deutsch' })
  const dialog = page.getByRole('dialog')
  const confirm = async () => {
    await dialog.locator('button[aria-disabled="false"]').click()
    await expect(dialog).toBeHidden()
  }
  await page.goto('/office/messages')
  await german.getByLabel('Betreff').fill(title)
  await german.getByLabel('Text').fill('Bitte eine Matte mitbringen.')
  await expect(page.getByText('Es fehlt noch: An')).toBeVisible()
  await expect(page.getByRole('article', { name: 'Als E-Mail' })).toContainText('Bitte eine Matte mitbringen.')
  await expect(page.getByRole('article', { name: 'Im Portal auf dem Telefon' })).toContainText(title)
  await page.evaluate(() => scrollTo(0, 0))
  expect(await violationsInBothSchemes(page)).toEqual([])
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/message.png`, fullPage: true })
  await page.getByRole('button', { name: 'Als Vorlage speichern' }).click()
  await confirm()

  await page.goto(`/office/messages?to=course&id=${course?.id}`)
  await page.getByRole('button', { name: `Übernehmen: ${title}` }).click()
  await expect(german.getByLabel('Betreff')).toHaveValue(title)
  // Searching for recipients sends nothing.
  await page.getByRole('searchbox').first().press('Enter')
  await page.getByLabel('Später senden am').fill('24.12.2099, 08:00')
  await page.getByRole('button', { name: 'Zu dieser Zeit senden' }).click()
  await confirm()
  const waiting = page.getByRole('region', { name: 'Werden später gesendet' })
  await expect(waiting.getByRole('row').filter({ hasText: title })).toContainText('24.12.2099, 08:00')

  await waiting.getByRole('button', { name: `Übernehmen: ${title}` }).click()
  await page.getByRole('button', { name: 'Prüfen, wer sie bekommt' }).click()
  await confirm()
  const sent = page.getByRole('row').filter({ has: page.getByRole('button', { name: `Wer?: ${title}` }) })
  await expect(sent).toContainText(String(course?.booked))
  await expect(waiting).toBeHidden()
  await sent.getByRole('button', { name: `Wer?: ${title}` }).click()
  await expect(dialog.getByRole('row')).toHaveCount(1 + (course?.booked ?? 0))
  expect(await violationsInBothSchemes(page)).toEqual([])
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/deliveries.png` })
})
