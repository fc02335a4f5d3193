import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'

test.use({ ...WITHOUT_WORKER, account: 'desk' })

test('@desktop a person opens beside the list, and the panel follows j and k', async ({ page }) => {
  await page.goto('/office/people')
  const links = page.locator('main').getByRole('rowheader').getByRole('link')
  const panel = page.getByRole('complementary', { name: 'Daneben geöffnet' })
  const title = panel.getByRole('heading', { level: 2 }).first()
  const [first, second] = [links.nth(0), links.nth(1)]
  const names = [String(await first.textContent()), String(await second.textContent())]
  await first.click()
  await expect(title).toHaveText(names[0] ?? '')
  await expect(page).toHaveURL(/\/office\/people\?open=people-\d+$/)
  await expect(panel).toBeFocused()
  expect(await violationsInBothSchemes(page)).toEqual([])
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/panel.png` })

  await page.keyboard.press('j')
  await expect(title).toHaveText(names[1] ?? '')
  await page.keyboard.press('k')
  await expect(title).toHaveText(names[0] ?? '')
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: 'Angaben ändern' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(first).toBeFocused()
  await expect(page).toHaveURL(/\/office\/people$/)

  await page.keyboard.press('Enter')
  await page.reload()
  await expect(title).toHaveText(names[0] ?? '')
  await panel.getByRole('link', { name: /^Ganze Seite/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[0] ?? '')
})

test('@desktop a course opens beside its season, with tabs of its own', async ({ page }) => {
  await page.goto('/office/season')
  await page.locator('main').getByRole('rowheader').getByRole('link').first().click()
  const panel = page.getByRole('complementary', { name: 'Daneben geöffnet' })
  await panel.getByRole('tab', { name: /^Termine/ }).click()
  await expect(page).toHaveURL(/panel\.tab=lessons/)
  await expect(panel.getByRole('table')).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/panel-course.png` })
})

test('on a phone a person opens as a page', async ({ page }) => {
  await page.goto('/office/people')
  await page.locator('main').getByRole('rowheader').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/office\/people\/\d+$/)
})

test('@desktop filters and columns are saved under a name, chosen, renamed and deleted', async ({ page }) => {
  await page.goto('/office/people')
  await page.getByLabel('Status').selectOption({ label: 'Beschäftigt' })
  await page.getByRole('button', { name: 'Ansicht', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Ansicht' })
  await dialog.getByRole('checkbox', { name: 'E-Mail' }).uncheck()
  await dialog.getByLabel('Als neue Ansicht speichern').fill('Belegschaft')
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  expect(await violationsInBothSchemes(page)).toEqual([])
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/view.png` })
  await dialog.getByLabel('Name der Ansicht').fill('Nur Belegschaft')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'E-Mail' })).toBeHidden()

  await page.goto('/office/people')
  await expect(page.getByRole('columnheader', { name: 'E-Mail' })).toBeVisible()
  await page.getByRole('link', { name: 'Nur Belegschaft' }).click()
  await expect(page.getByLabel('Status')).toHaveValue('1')
  await expect(page.getByRole('columnheader', { name: 'E-Mail' })).toBeHidden()
  await page.getByRole('button', { name: 'Ansicht', exact: true }).click()
  await dialog.getByRole('button', { name: '„Nur Belegschaft“ löschen' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Nur Belegschaft' })).toBeHidden()
})
