import type { Page } from '@playwright/test'
import { violationsInBothSchemes, violationsOf } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { field, openAs, submit } from './people-steps.ts'

test.use(WITHOUT_WORKER)

/** Every state of the screens that visitors see. */
async function visitLoggedOut(page: Page, inspect: (state: string) => Promise<void>): Promise<void> {
  await page.goto('/login')
  await expect(submit(page)).toBeVisible()
  await inspect('login')
  await submit(page).hover()
  await inspect('login with errors')
  await field(page, 'username').fill('nobody@e2e.example')
  await page.getByRole('button', { name: /^(?:Passwort vergessen|Forgot password)$/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await inspect('login with a dialog')
  await page.goto('/register1')
  await field(page, 'email').fill('kim')
  await field(page, 'password').fill('Sommer2026')
  await submit(page).hover()
  await expect(page.locator('progress')).toBeVisible()
  await inspect('first step with errors and strength')
  await page.goto('/activate/unknown')
  await expect(page.locator('main').getByRole('link')).toBeVisible()
  await inspect('link')
}

/** Every state of the screens of a person. */
async function visitAsPerson(page: Page, inspect: (state: string) => Promise<void>): Promise<void> {
  await expect(
    page
      .getByRole('article')
      .or(page.getByRole('heading', { level: 2 }))
      .first(),
  ).toBeVisible()
  await inspect('messages')
  await page.goto('/password-change')
  await submit(page).hover()
  await inspect('password with errors')
  await page.goto('/sessions')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await inspect('sessions')
  await page.goto('/edit')
  await field(page, 'employeeStatus').selectOption('5')
  await submit(page).hover()
  await inspect('profile with errors')
  await page.locator('main section').last().getByRole('button').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await inspect('deletion')
}

for (const language of ['de', 'en'] as const) {
  test(`registration, login, profile and inbox are accessible in both color schemes (${language}) @extended`, async ({
    page,
    portal,
    person,
  }) => {
    test.slow()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.addInitScript(stored => localStorage.setItem('Language', stored), language)
    const found: Record<string, string[]> = {}
    // The colours are the same in both languages.
    const look = language === 'de' ? violationsInBothSchemes : violationsOf
    const inspect = async (state: string) => {
      const violations = await look(page)
      if (violations.length > 0) found[state] = violations
    }
    await visitLoggedOut(page, inspect)
    await openAs(page, portal, person, '/messages')
    await visitAsPerson(page, inspect)
    expect(found).toEqual({})
  })
}
