import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { patience } from './patience.ts'

test.use(WITHOUT_WORKER)

test.beforeEach(({ page }) => page.addInitScript(() => localStorage.setItem('Language', 'en')))

test('the drawer of visitors and of logged-in users is accessible @extended', async ({ page, loginAs }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Photo gallery' })).toBeVisible()
  expect(await overflowOf(page)).toBe(0)
  expect(await violationsInBothSchemes(page)).toEqual([])
  await loginAs('instructor')
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Log out' })).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
})

test('the selected color scheme is stored and applied in other tabs; the default follows the device @extended', async ({
  page,
  context,
}) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const choose = async (scheme: string) => {
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog').getByRole('button', { name: scheme }).click()
    await expect(page.getByRole('dialog').getByRole('button', { name: scheme, pressed: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/contact')
  await choose('Same as device')
  const light = await paper()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(paper).not.toBe(light)
  const dark = await paper()
  await choose('Light')
  expect(await paper()).toBe(light)
  await page.reload()
  expect(await paper()).toBe(light)
  await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()
  const other = await context.newPage()
  await other.goto('/contact')
  await other.evaluate(() => localStorage.setItem('ColorScheme', 'dark'))
  await expect.poll(paper).toBe(dark)
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await paper()).toBe(dark)
})

test('the menus on wide screens are accessible, and only one is open at a time @desktop @extended', async ({
  page,
  loginAs,
}) => {
  test.slow()
  await page.goto('/contact')
  for (const [group, entry] of Object.entries({ Offers: 'Book courses', Info: 'Flyers', Team: 'Our team' })) {
    await page.getByRole('button', { name: group }).click()
    await expect(page.getByRole('navigation').getByRole('link', { name: entry })).toBeVisible()
    expect(await violationsInBothSchemes(page)).toEqual([])
  }
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByLabel('Password')).toBeVisible()
  await expect(page.getByRole('button', { expanded: true })).toHaveCount(1)
  expect(await violationsInBothSchemes(page)).toEqual([])

  await loginAs('employee')
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Mara' }).click()
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
})

test('the carousel and the install prompt are accessible, and the carousel can be stopped @extended', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/home')
  const carousel = page.getByRole('region', { name: 'News in pictures' })
  await expect(carousel.getByRole('button', { name: 'Stop the slide show' })).toBeVisible()
  await page.evaluate(() => {
    const offer = new Event('beforeinstallprompt')
    window.dispatchEvent(
      Object.assign(offer, { prompt: async () => undefined, userChoice: new Promise(() => undefined) }),
    )
  })
  await expect(page.getByRole('button', { name: 'Not now' })).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
  await expect(carousel.getByText('2 / 4')).toBeVisible({ timeout: patience * 15_000 })
  expect(await violationsInBothSchemes(page)).toEqual([])
  await carousel.getByRole('button', { name: 'Stop the slide show' }).click()
  await expect(carousel.getByRole('button', { name: 'Play the slide show' })).toBeVisible()
})

test('success and error toasts are accessible @extended', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-write', 'clipboard-read'])
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await page.goto('/course-details/7')
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.goto('/course-details/999999')
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
})
