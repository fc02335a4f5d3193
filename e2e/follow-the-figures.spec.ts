import type { Locator, Page } from '@playwright/test'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { patience } from './patience.ts'

test.use(WITHOUT_WORKER)

/** A figure as a screen shows it, and the number of rows of the list to which it leads. */
type Followed = { figure: string; shown: number; rows: number }

const numberIn = (text: string | null): number => Number(/\d[\d.]*/.exec(text ?? '')?.[0].replaceAll('.', '') ?? 'NaN')

const settled = async (page: Page) => {
  await page.locator('main h1').filter({ visible: true }).first().waitFor()
  await expect(page.locator('[data-waiting], [aria-busy="true"]')).toHaveCount(0)
  await page.waitForLoadState('networkidle')
}

/** Counts the rows of a list after scrolling to its end. */
async function countRows(list: Locator, row: string): Promise<number> {
  const more = list.getByRole('button', { name: /^(?:Mehr anzeigen|Show more)$/ })
  await expect(async () => {
    // Scrolling presses it, too, so that it may be gone before it is pressed here.
    if (await more.isVisible()) await more.click({ timeout: 2_000 }).catch(() => undefined)
    expect(await more.count()).toBe(0)
  }).toPass({ intervals: [100], timeout: patience * 60_000 })
  return list.locator(row).count()
}

/** Opens each link whose text begins with a number, and counts the rows of the table there. */
async function followLinks(page: Page, path: string, links: string): Promise<Followed[]> {
  await page.goto(path)
  await settled(page)
  const found = await page.locator(links).evaluateAll(all =>
    all.map(link => ({
      text: link.querySelector('b')?.firstChild?.textContent ?? link.textContent ?? '',
      figure: link.textContent ?? '',
      href: link.getAttribute('href') ?? '',
    })),
  )
  const followed: Followed[] = []
  // The start of booking is a date, which leads to its season.
  for (const { text, figure, href } of found.filter(link => !link.href.startsWith('/office/season'))) {
    await page.goto(href)
    await settled(page)
    const rows = await countRows(page.locator('main'), href.includes('all=') ? '[data-row]' : 'tbody tr')
    followed.push({ figure: `${path}: ${figure}`, shown: numberIn(text), rows })
  }
  return followed
}

/** Unfolds each group of tasks on *Today*, or opens its whole list, and counts its lines. */
async function followTasks(page: Page): Promise<Followed[]> {
  await page.goto('/office')
  await settled(page)
  const groups = page.locator('section[data-weight]')
  const followed: Followed[] = []
  for (let index = 0; index < (await groups.count()); index++) {
    const group = groups.nth(index)
    const figure = (await group.locator('h3').textContent()) ?? ''
    const shown = numberIn(await group.locator('h3 > span').first().textContent())
    const all = group.getByText(/^Alle [\d.]+ zeigen$/)
    const href = (await all.count()) > 0 ? await all.getAttribute('href') : null
    if (href) await page.goto(href)
    else if ((await all.count()) > 0) await all.click()
    await settled(page)
    followed.push({ figure, shown, rows: await countRows(href ? page.locator('main') : group, '[data-row]') })
    if (href) {
      await page.goto('/office')
      await settled(page)
    }
  }
  return followed
}

/** Opens each tab with a number, and compares the numbers in headings with the rows of the table below. */
async function followHeadings(page: Page, path: string): Promise<Followed[]> {
  await page.goto(path)
  await settled(page)
  const followed: Followed[] = []
  const headings = page.locator('main :is(section, div):has(> h2, > :first-child > h2):has(table)')
  for (let index = 0; index < (await headings.count()); index++) {
    const part = headings.nth(index)
    const figure = (await part.locator('h2').first().textContent()) ?? ''
    const [count] = /^\d[\d.]*(?= )|(?<=\(|: )\d[\d.]*(?=\)$| )/.exec(figure) ?? []
    if (count === undefined) continue
    const shown = numberIn(count)
    const rows = await countRows(part, 'tbody tr:not(:has(th[scope="rowgroup"]))')
    followed.push({ figure: `${path}: ${figure}`, shown, rows })
  }
  return followed
}

/** Presses each filter for what the courses of a season lack, and counts the courses. */
async function followChecks(page: Page): Promise<Followed[]> {
  await page.goto('/office/season?lacks=any')
  await settled(page)
  const filters = page.locator('main fieldset button[aria-pressed]').filter({ hasText: /\d/ })
  const followed: Followed[] = []
  for (const figure of await filters.allTextContents()) {
    const filter = filters.filter({ hasText: figure })
    if ((await filter.getAttribute('aria-pressed')) === 'false') await filter.click()
    await settled(page)
    const table = page.getByRole('region', { name: 'Kurse', exact: true }).last()
    followed.push({
      figure,
      shown: numberIn(/\d[\d.]*$|^\d[\d.]*/.exec(figure)?.[0] ?? ''),
      rows: await countRows(table, 'tbody tr'),
    })
  }
  return followed
}

test('each figure of the desk leads to a list with exactly that many rows @desktop @extended', async ({
  page,
  loginAs,
}) => {
  test.setTimeout(patience * 240_000)
  await loginAs('desk')
  const followed = [
    ...(await followLinks(page, '/office', 'main ul > li > a:has(> b)')),
    ...(await followTasks(page)),
    ...(await followHeadings(page, '/office')),
    ...(await followHeadings(page, '/office/money')),
    ...(await followLinks(page, '/office/season', 'main a[href^="/office/bookings"]')),
    ...(await followChecks(page)),
  ]
  const [course] = await page
    .locator('main table a[data-record]')
    .evaluateAll(all => all.map(link => link.getAttribute('href')))
  followed.push(...(await followHeadings(page, `${course}?tab=people`)))
  test.info().annotations.push({ type: 'figures', description: JSON.stringify(followed) })
  expect(followed.length).toBeGreaterThan(10)
  expect(followed.filter(({ shown, rows }) => shown !== rows)).toEqual([])
})
