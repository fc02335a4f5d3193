import type { Page } from '@playwright/test'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'

test.use(WITHOUT_WORKER)

/** Content of the page at the moment when the browser paginates it for printing. */
async function print(page: Page, selector: string): Promise<{ texts: string[]; pages: number }> {
  await page.evaluate(wanted => {
    window.addEventListener('beforeprint', () => {
      const printed = [...document.querySelectorAll(wanted)].map(({ textContent }) => textContent ?? '')
      document.documentElement.dataset.printed = JSON.stringify(printed)
    })
  }, selector)
  const pdf = await page.pdf({ format: 'A4' })
  const texts = JSON.parse((await page.locator('html').getAttribute('data-printed')) ?? '[]')
  return { texts, pages: pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0 }
}

test('the course list is printed as a table of all results, also offline, and the screen is restored @extended', async ({
  page,
  context,
}) => {
  await page.goto('/courses')
  // The server-rendered first view contains no table for printing.
  await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
  const status = page.getByRole('status').filter({ hasText: /^\d+ Kurse$/ })
  await expect(status).toBeVisible()
  const count = Number.parseInt((await status.textContent()) ?? '', 10)
  expect(count).toBeGreaterThan(80)
  // The print table is rendered after the first view and is not visible on the screen.
  await expect.poll(async () => (await print(page, 'tbody tr')).texts.length).toBe(count)
  await context.setOffline(true)
  const { texts, pages } = await print(page, 'tbody tr')
  expect(texts).toHaveLength(count)
  expect(pages).toBeLessThan(12)
  expect(texts.find(text => text.startsWith('H-0301'))).toMatch(
    /Rückenfit am Feierabend.*17:30–18:30.*Salzstadt.*Ines Brandt.*45,00/,
  )
  await expect(page.getByRole('list', { name: 'Kursliste' }).getByRole('listitem').first()).toBeVisible()
  await context.setOffline(false)

  await page.getByRole('searchbox').fill('yoga')
  await expect(status).not.toHaveText(`${count} Kurse`)
  const yoga = await print(page, 'tbody tr')
  expect(yoga.texts).toHaveLength(Number.parseInt((await status.textContent()) ?? '', 10))
})

test('the course list is printed as cards until the table is loaded @extended', async ({ page }) => {
  await page.route('**/assets/printed-courses*.js', () => {})
  await page.goto('/courses')
  await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
  const rows = page
    .getByRole('list', { name: 'Kursliste' })
    .getByRole('listitem')
    .filter({ has: page.locator('h3') })
  // A portal that has just started may serve the page without these rows.
  await rows.first().waitFor()
  const shown = await rows.count()
  const { texts } = await print(page, 'main article h3')
  expect(texts).toHaveLength(Number(await rows.first().getAttribute('aria-setsize')))
  expect(texts.length).toBeGreaterThan(shown)
  // The same number of rows as before, or one more that has come near the viewport.
  await expect.poll(() => rows.count()).toBeLessThan(shown + 3)
})

test('the course details are printed with all dates @extended', async ({ page }) => {
  await page.goto('/courses')
  await page.getByRole('searchbox').fill('H-0301')
  await expect(page.getByRole('status').filter({ hasText: /^1 Kurs$/ })).toBeVisible()
  await page.getByRole('link', { name: /^Rückenfit/ }).click()
  const dates = page.locator('section', { has: page.getByRole('heading', { name: /^\d+ Termine$/ }) })
  const count = Number.parseInt((await dates.getByRole('heading').textContent()) ?? '', 10)
  await expect.poll(() => dates.locator('ol li').count()).toBeLessThan(count)
  const { texts } = await print(page, 'section ol li')
  expect(texts.filter(text => !text.includes('kein Termin'))).toHaveLength(count)
})

test('only the plan of a season is printed, with its days as plain text @desktop @extended', async ({
  page,
  loginAs,
}) => {
  await loginAs('desk')
  await page.goto('/office/season')
  const courses = page.getByRole('heading', { name: 'Kurse', exact: true })
  const plan = page.getByRole('table', { name: 'Plan' })
  await expect(courses).toBeVisible()
  await expect(plan).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(courses).toBeHidden()
  await expect(page.getByRole('button', { name: 'Drucken' })).toBeHidden()
  await expect(plan.locator('thead th').filter({ hasText: /^Mo/ }).locator('span')).toBeVisible()
})

test('a printed day has only the rooms of its lessons, and breaks no word of their names @desktop @extended', async ({
  page,
  loginAs,
}) => {
  await loginAs('desk')
  await page.goto('/office/season')
  const plan = page.getByRole('table', { name: 'Plan' })
  await plan.locator('thead button').first().click()
  const rooms = plan.locator('thead th')
  await expect(plan.locator('tbody [data-state]').first()).toBeVisible()
  const all = await rooms.count()
  await page.emulateMedia({ media: 'print' })
  // A4 without the margins, in CSS px.
  await page.setViewportSize({ width: 718, height: 1047 })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  const columns = await plan.evaluate(table =>
    [...table.querySelectorAll('tbody td')].map(cell => cell.querySelectorAll('[data-state]').length),
  )
  expect(columns.length).toBeLessThan(all)
  expect(columns).not.toContain(0)
  const broken = await rooms.evaluateAll(heads =>
    heads.flatMap(({ firstChild: name }) =>
      [...(name?.textContent ?? '').matchAll(/[^\s-]+/g)].flatMap(({ 0: word, index }) => {
        const range = document.createRange()
        if (!name) return []
        range.setStart(name, index)
        range.setEnd(name, index + word.length)
        return range.getClientRects().length > 1 ? [word] : []
      }),
    ),
  )
  expect(broken).toEqual([])
})
