import { expect, test } from './fixtures.ts'

test('the start page opens without an error', async ({ page }) => {
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
  })
  await page.goto('/')
  await expect(page.locator('#root')).not.toBeEmpty()
  await page.waitForLoadState('networkidle')
  expect(errors).toEqual([])
})

test('a portal killed and started again serves on', async ({ page, portal }) => {
  await portal.restart()
  await page.goto('/faq')
  await expect(page.locator('#root')).not.toBeEmpty()
})
