import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { quickLink, untilOpen, untilSettled } from './history-steps.ts'
import { field, openAs } from './people-steps.ts'
import { coursesOf } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

test('going back closes the menu, and a page opened from it adds one history entry @extended', async ({ page }) => {
  await page.goto('/faq')
  const menu = page.getByRole('dialog', { name: 'Menü' })
  await page.getByRole('button', { name: 'Menü' }).click()
  await expect(menu).toBeVisible()
  await untilOpen(page)
  await page.goBack()
  await expect(menu).toBeHidden()
  await expect(page).toHaveURL(/faq$/)

  await page.getByRole('button', { name: 'Menü' }).click()
  await untilOpen(page)
  await menu.getByRole('link', { name: 'Flyer' }).click()
  await expect(page).toHaveURL(/flyers$/)
  await expect(menu).toBeHidden()
  await untilSettled(page)
  await page.goBack()
  await expect(page).toHaveURL(/faq$/)
  await expect(menu).toBeHidden()
})

test('a reload with an open menu leaves no extra history entry @extended', async ({ page }) => {
  await page.goto('/home')
  await quickLink(page, 'Kurse').click()
  await page.getByRole('button', { name: 'Menü' }).click()
  await untilOpen(page)
  await page.reload()
  await untilSettled(page)
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
})

test('going back closes the booking and cancellation dialogs without booking or cancelling anything', async ({
  page,
  portal,
  loginAs,
}) => {
  const token = await loginAs('external')
  const course = (await coursesOf(portal, token)).find(
    c => c.directlyBookable && c.cancelUntil && (c.price?.amount ?? 0) > 0,
  )
  await page.goto('/home')
  await page.evaluate(path => history.pushState(null, '', path), `/course-details/${course?.id}`)
  const step = page.getByRole('dialog', { name: 'Verbindlich buchen' })
  const book = page.getByRole('button', { name: /^Jetzt buchen · / })
  await book.click()
  await untilOpen(page)
  await page.goBack()
  await expect(step).toBeHidden()
  await expect(page).toHaveURL(/course-details/)

  await book.click()
  await step.getByRole('button', { name: /^Verbindlich buchen für/ }).click()
  const outcome = page.getByRole('dialog', { name: 'Gebucht' })
  await expect(outcome).toBeVisible()
  await untilOpen(page)
  await page.goBack()
  await expect(outcome).toBeHidden()
  await expect(page).toHaveURL(/course-details/)

  await page.getByRole('button', { name: 'Stornieren' }).click()
  const cancelled = page.getByRole('dialog', { name: 'Storniert' })
  await expect(cancelled).toBeVisible()
  await untilOpen(page)
  await page.goBack()
  await expect(cancelled).toBeHidden()
  await expect(book).toBeEnabled()
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
})

test('answering a dialog and changing the language leave no extra history entry @extended', async ({ page }) => {
  await page.goto('/home')
  await page.goto('/offline')
  const question = page.getByRole('dialog')
  const open = page.getByRole('button', { name: 'Alles von diesem Gerät löschen' })
  await open.click()
  await untilOpen(page)
  await page.goBack()
  await expect(question).toBeHidden()
  await expect(page).toHaveURL(/offline$/)
  await open.click()
  await untilOpen(page)
  await question.getByRole('button', { name: 'Behalten' }).click()
  await expect(question).toBeHidden()
  await untilSettled(page)
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page).toHaveURL(/\/$/)
  await page.goBack()
  await expect(page).toHaveURL(/offline$/)
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
})

test('going back from a changed profile asks for confirmation once, then stays or leaves @extended', async ({
  page,
  portal,
  person,
}) => {
  await openAs(page, portal, person, '/home')
  await quickLink(page, 'Kurse').click()
  await page.evaluate(() => history.pushState(null, '', '/edit'))
  await field(page, 'city').fill('Oderwerk')
  await untilOpen(page)
  const question = page.getByRole('dialog', { name: 'Änderungen verwerfen?' })
  await page.goBack()
  await expect(question).toBeVisible()
  await untilOpen(page)
  await question.getByRole('button', { name: 'Weiter bearbeiten' }).click()
  await expect(question).toBeHidden()
  await untilSettled(page)
  await untilOpen(page)
  await expect(page).toHaveURL(/edit$/)
  await expect(field(page, 'city')).toHaveValue('Oderwerk')
  await page.goBack()
  await untilOpen(page)
  await question.getByRole('button', { name: 'Verwerfen' }).click()
  await expect(page).toHaveURL(/courses$/)
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
  await expect(question).toBeHidden()
})

test('going back closes the menus on wide screens @desktop @extended', async ({ page }) => {
  await page.goto('/home')
  await page.evaluate(() => history.pushState(null, '', '/contact'))
  // Navigating to a new page closes open overlays.
  await expect(page.getByRole('heading', { level: 1, name: 'Kontakt' })).toBeVisible()
  const menu = page.getByRole('navigation', { name: 'Hauptmenü' })
  await menu.getByRole('button', { name: 'Infos' }).click()
  await expect(menu.getByRole('link', { name: 'Flyer' })).toBeVisible()
  await untilOpen(page)
  await page.goBack()
  await expect(menu.getByRole('link', { name: 'Flyer' })).toBeHidden()
  await expect(page).toHaveURL(/contact$/)
  await menu.getByRole('button', { name: 'Infos' }).click()
  await untilOpen(page)
  await menu.getByRole('link', { name: 'Flyer' }).click()
  await expect(page).toHaveURL(/flyers$/)
  await untilSettled(page)
  await page.goBack()
  await expect(page).toHaveURL(/contact$/)
  await page.goBack()
  await expect(page).toHaveURL(/home$/)
})
