import type { Page } from '@playwright/test'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { tabTo } from './keyboard-steps.ts'
import { holdBack } from './network-steps.ts'
import { cards, WHOLE_PROGRAMME } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

/** Day in the week strip, with its number of hits. */
const day = (page: Page, name: string) => page.getByRole('list', { name: 'Woche' }).getByRole('button', { name })
const hits = (page: Page) => page.getByRole('status').filter({ hasText: /^\d+ (Kurse?|courses?)$/ })

test('courses are found in any spelling, narrowed by filters, and the search can be shared by its URL', async ({
  page,
  context,
}) => {
  await page.goto('/courses')
  await expect(hits(page)).toHaveText(WHOLE_PROGRAMME)
  await page.getByRole('searchbox').fill('rueckenfit')
  await expect(hits(page)).toHaveText(/^[1-9] Kurse?$/)
  const found = await hits(page).textContent()
  for (const spelling of ['ruckenfit', 'Rückenfit', 'RÜCKENFIT']) {
    await page.getByRole('searchbox').fill(spelling)
    await expect(hits(page)).toHaveText(String(found))
  }

  await page.getByRole('searchbox').fill('rücken')
  await expect(hits(page)).not.toHaveText(String(found))
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter' })
  const monday = sheet.getByRole('checkbox', { name: /^Montag/ })
  const count = Number(
    (await sheet.locator('label', { has: page.getByRole('checkbox', { name: /^Montag/ }) }).textContent())?.match(
      /\d+$/,
    )?.[0],
  )
  await monday.check()
  await sheet.getByRole('button', { name: new RegExp(`^${count} Kurse? anzeigen$`) }).click()
  await expect(sheet).toBeHidden()
  await expect(hits(page)).toHaveText(new RegExp(`^${count} Kurse?$`))
  await expect(day(page, 'Mo')).toHaveAttribute('aria-pressed', 'true')

  await expect(page).toHaveURL(/day=1/)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(hits(other)).toHaveText(new RegExp(`^${count} Kurse?$`))
  await expect(other.getByRole('searchbox')).toHaveValue('rücken')
  await other.close()

  await cards(page).first().getByRole('link').first().click()
  await expect(page).toHaveURL(/course-details\/\d+$/)
  await page.goBack()
  await expect(hits(page)).toHaveText(new RegExp(`^${count} Kurse?$`))
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).click()
  await expect(hits(page)).toHaveText(WHOLE_PROGRAMME)
  await expect(page).toHaveURL(/\/courses$/)
})

test('filters are restored on returning to the list, and replaced by a link with other criteria', async ({ page }) => {
  await page.goto('/courses?day=1')
  await expect(day(page, 'Mo')).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name: 'Start' }).click()
  await page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name: 'Kurse' }).click()
  await expect(day(page, 'Mo')).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/\?day=1$/)

  await page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name: 'Start' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Mittwoch' }).click()
  await expect(day(page, 'Mi')).toHaveAttribute('aria-pressed', 'true')
  await expect(day(page, 'Mo')).toHaveAttribute('aria-pressed', 'false')
  await expect(page).toHaveURL(/\?day=3$/)
})

test('a filter changed just before leaving the list is applied after going back @extended', async ({ page }) => {
  await page.goto('/courses?day=1&sort=name')
  const monday = day(page, 'Mo')
  await expect(monday).toHaveAttribute('aria-pressed', 'true')
  await monday.evaluate((chip: HTMLElement) => {
    chip.click()
    setTimeout(() => document.querySelector<HTMLElement>('main article a')?.click(), 30)
  })
  await expect(page).toHaveURL(/course-details\/\d+$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/courses\?sort=name$/)
  await expect(monday).toHaveAttribute('aria-pressed', 'false')
})

test('without results, the list suggests which filter to remove', async ({ page }) => {
  await page.goto('/courses?q=pilates&category=5')
  await expect(page.getByRole('heading', { name: 'Kein Kurs gefunden' })).toBeVisible()
  await page.getByRole('button', { name: /^Ohne „Aqua“/ }).click()
  await expect(hits(page)).toHaveText(/^\d+ Kurse$/)
  await expect(page.getByRole('searchbox')).toHaveValue('pilates')
})

test('in English, course names are English, sorting works, and prices use the German format @extended', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('Language', 'en'))
  await page.goto('/courses')
  await page.getByRole('combobox', { name: 'Order' }).selectOption('by price')
  await expect(cards(page).first()).toContainText('free')
  await page.getByRole('combobox', { name: 'Order' }).selectOption('by name')
  await expect(page).toHaveURL(/sort=name/)
  await page.getByRole('searchbox').fill('after-work back')
  await expect(cards(page).first()).toContainText('After-work back fitness')
  await expect(cards(page).first()).toContainText(/\d+,\d\d\s€/)
})

test('@desktop search, filters and courses can be used with the keyboard only', async ({ page }) => {
  await page.goto('/courses')
  await expect(hits(page)).toHaveText(WHOLE_PROGRAMME)
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('yoga')
  // View, filter and chips are one tab stop; the arrow keys move within it.
  const view = page.getByRole('button', { name: 'Woche', exact: true })
  await expect(view).toHaveAttribute('tabindex', '0')
  await tabTo(page, view)
  for (const key of ['ArrowRight', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  await expect(page).toHaveURL(/q=yoga&free=1/)
  await expect(page.getByRole('columnheader').first()).toBeVisible()
  const link = page.getByRole('row').nth(1).getByRole('link')
  while (!(await link.evaluate(element => element === document.activeElement))) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('complementary').getByRole('heading', { name: /yoga/i, level: 2 })).toBeVisible()
})

test('a free seat on a Tuesday evening in a city is found in four taps, and the URL contains the filters @extended', async ({
  page,
}) => {
  await page.goto('/courses')
  await expect(hits(page)).toBeVisible()
  let taps = 0
  const tap = async (name: string | RegExp) => {
    await page.getByRole('main').getByRole('button', { name }).first().click()
    taps++
  }
  await tap(/^Di \d/)
  await tap('Abends')
  await tap('Salzstadt')
  await tap('Freie Plätze')
  expect(taps).toBeLessThanOrEqual(4)
  await expect(page).toHaveURL(/free=1&day=2&part=evening&city=Salzstadt/)
  const first = cards(page).first()
  await expect(first).toContainText(/Dienstag, (?:1[7-9]|2\d):\d\d/)
  await expect(first).toContainText('Salzstadt')
  await expect(first).toContainText(/frei|Noch/)
})

test('the search recognizes days, times and misspelt words, shows what it recognized, and offers near matches @extended', async ({
  page,
}) => {
  await page.goto('/courses')
  const box = page.getByRole('searchbox')
  await box.fill('di abend salzstadt')
  for (const word of ['di', 'abend', 'salzstadt'])
    await expect(page.getByRole('button', { name: `${word} entfernen` })).toBeVisible()
  await expect(cards(page).first()).toContainText(/Dienstag, (?:1[7-9]|2\d):\d\d/)
  await page.getByRole('button', { name: 'di entfernen' }).click()
  await expect(box).toHaveValue('abend salzstadt')

  await box.fill('pilatis')
  await expect(cards(page).first()).toContainText('Pilates')
  await page.getByRole('button', { name: 'pilates', exact: true }).click()
  await expect(box).toHaveValue('pilates')

  await box.fill('yog')
  await page.getByRole('list', { name: 'Vorschläge' }).getByRole('button', { name: 'Yoga' }).first().click()
  await expect(box).toHaveValue(/Yoga/)
  await expect(cards(page).first()).toContainText('Yoga')

  await box.fill('di abend salzstadt kostenlos')
  await expect(page.getByRole('heading', { name: 'Das kommt dem am nächsten' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('article').nth(1)).toBeInViewport({ ratio: 0.9 })
  expect(await violationsInBothSchemes(page)).toEqual([])
})

test('recent searches are offered after a restart until the user deletes them @extended', async ({ page }) => {
  await page.goto('/courses')
  // The code that stores recent searches is loaded after the first view.
  await page.waitForLoadState('networkidle')
  const search = page.getByRole('searchbox')
  await expect(page.getByRole('button', { name: 'Suchtext löschen' })).toBeHidden()
  await search.fill('rücken')
  await search.press('Enter')
  await page.goto('/courses')
  await search.focus()
  const recent = page.getByRole('list', { name: 'Zuletzt gesucht' })
  await recent.getByRole('button', { name: 'rücken' }).click()
  await expect(search).toHaveValue('rücken')
  await expect(page).toHaveURL(/q=r/)
  await page.reload()
  await page.getByRole('button', { name: 'Suchtext löschen' }).click()
  await recent.getByRole('button', { name: 'Suchen vergessen' }).click()
  await expect(recent).toBeHidden()
  expect(await page.evaluate(() => localStorage.getItem('Searches'))).toBeNull()
})

test('the button that resets the filters is visible with any number of filters @extended', async ({ page }) => {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/courses?day=1&free=1&part=evening')
    await expect(page.getByRole('button', { name: 'Abends' })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('button', { name: 'Filter zurücksetzen' })).toBeInViewport({ ratio: 1 })
  }
})

test('filters selected in the day bar or a chip are not repeated in the list of active filters @extended', async ({
  page,
}) => {
  await page.goto('/courses?day=2&part=evening&city=Salzstadt&category=3')
  const chosen = page.getByRole('list', { name: 'Gewählte Filter' }).getByRole('button')
  await expect(chosen).toHaveCount(2)
  await expect(chosen.first()).toHaveText('Filter zurücksetzen')
  await expect(chosen.last()).toHaveAccessibleName('Fitness entfernen')
  await chosen.first().click()
  await page.getByRole('searchbox').fill('yoga')
  await expect(chosen).toHaveText(['Filter zurücksetzen'])
})

test('certified courses have a label and a filter; members of the insurer see that the fee is refundable @extended', async ({
  page,
  loginAs,
}) => {
  await page.goto('/courses')
  await page.getByRole('button', { name: 'Zertifiziert' }).click()
  await expect(page).toHaveURL(/certified=1/)
  await expect(hits(page)).toHaveText('7 Kurse')
  await expect(page.getByRole('article')).toHaveCount(7)
  for (const card of await page.getByRole('article').all()) await expect(card).toContainText('zertifiziert')
  await loginAs('insured')
  await page.reload()
  await expect(cards(page).first()).toContainText('erstattungsfähig')
})

test('a course is opened by its course number, both from the search and as a URL', async ({ page }) => {
  const heading = page.getByRole('heading', { level: 1, name: 'Basketball nach der Spätschicht' })
  for (const path of ['/courses', '/home']) {
    await page.goto(path)
    await page.getByRole('searchbox').fill('w0101')
    await page.getByRole('searchbox').press('Enter')
    await expect(heading).toBeVisible()
  }
  await page.goto('/courses')
  await page.getByRole('searchbox').fill('W-0101')
  await expect(hits(page)).toHaveText('1 Kurs')
  expect((await page.goto('/course-details/W-0101'))?.status()).toBe(200)
  await expect(heading).toBeVisible()
  await expect(page).toHaveURL(/course-details\/\d+$/)
})

test('a course number submitted before the programme is loaded opens the course once it is @extended', async ({
  page,
}) => {
  const letThrough = await holdBack(page, '**/api/course?view=index')
  // The server renders no first view for a URL with search criteria.
  await page.goto('/courses?sort=weekday')
  await page.getByRole('searchbox').fill('W-0101')
  await page.getByRole('searchbox').press('Enter')
  letThrough()
  await expect(page.getByRole('heading', { level: 1, name: 'Basketball nach der Spätschicht' })).toBeVisible()
})

test('a search for two letters lists names beginning with them first @extended', async ({ page }) => {
  await page.goto('/courses')
  await page.getByRole('searchbox').fill('rü')
  await expect(cards(page).first()).toContainText('Rückenfit')
  await expect.poll(async () => Number(((await hits(page).textContent()) ?? '').match(/^\d+/)?.[0])).toBeLessThan(20)
})

test('search suggestions do not cut off a filter chip below them @extended', async ({ page }) => {
  for (const width of [320, 390, 820]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/courses')
    await page.waitForLoadState('networkidle')
    await page.getByRole('searchbox').fill('yog')
    const list = page.getByRole('list', { name: 'Vorschläge' })
    await expect(list).toBeVisible()
    const { y = 0, height = 0 } = (await list.boundingBox()) ?? {}
    const chip = await page.getByRole('button', { name: 'Freie Plätze', exact: true }).boundingBox()
    const isBelow = (chip?.y ?? 0) >= y + height
    const isCovered = (chip?.y ?? 0) >= y && (chip?.y ?? 0) + (chip?.height ?? 0) <= y + height
    expect([width, isBelow || isCovered]).toEqual([width, true])
  }
})
