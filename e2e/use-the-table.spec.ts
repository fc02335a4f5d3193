import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'

test.use(WITHOUT_WORKER)

test('@desktop the table headers sort, and reverse the order on a second click @extended', async ({ page }) => {
  await page.goto('/courses')
  const table = page.getByRole('table', { name: 'Kursliste' })
  const head = (name: string) => table.getByRole('columnheader', { name })
  await expect(head('Beginn')).toHaveAttribute('aria-sort', 'ascending')
  await expect(table.getByRole('columnheader')).toHaveText([
    'Zeit',
    'Kurs',
    'Beginn',
    'Ort',
    'Kursleitung',
    'Plätze',
    'Preis',
  ])
  const cellsOf = (column: number) =>
    table
      .getByRole('row')
      .evaluateAll(
        (rows, at) => rows.slice(1, 9).map(row => row.querySelectorAll('[role="cell"]')[at]?.textContent?.trim() ?? ''),
        column,
      )
  const isSorted = (texts: string[], by: 1 | -1) =>
    texts.every((text, index) => by * new Intl.Collator('de').compare(texts[index - 1] ?? text, text) <= 0)
  for (const [name, column] of [
    ['Kurs', 1],
    ['Kursleitung', 4],
  ] as const) {
    const button = head(name).first().getByRole('button')
    await button.click()
    await expect(head(name).first()).toHaveAttribute('aria-sort', 'ascending')
    await expect.poll(async () => isSorted(await cellsOf(column), 1)).toBe(true)
    await button.click()
    await expect(head(name).first()).toHaveAttribute('aria-sort', 'descending')
    await expect.poll(async () => isSorted(await cellsOf(column), -1)).toBe(true)
  }
  await expect(page).toHaveURL(/sort=instructor&reversed=1/)
  await head('Plätze').getByRole('button').click()
  await expect(head('Plätze')).toHaveAttribute('aria-sort', 'descending')
  expect(await violationsInBothSchemes(page)).toEqual([])
})

test('@desktop a row opens its course in a panel, by mouse and keyboard; the URL opens the course page @extended', async ({
  page,
}) => {
  await page.goto('/courses')
  // The column headers are rendered after the first rows.
  await expect(page.getByRole('columnheader').first()).toBeVisible()
  const rows = page.getByRole('row')
  const panel = page.getByRole('complementary')
  const second = rows.nth(2).getByRole('link')
  const name = String(await second.textContent())
  await second.click()
  await expect(panel.getByRole('heading', { level: 2, name })).toBeVisible()
  await expect(page).toHaveURL(/\/courses$/)
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(second).toBeFocused()

  // The page header must not cover the panel's buttons, neither at the top of the page nor below.
  for (const top of [0, 200]) {
    await page.evaluate(at => window.scrollTo(0, at), top)
    await second.press('Enter')
    await panel.getByRole('button', { name: 'Kurs schließen' }).click()
    await expect(panel).toBeHidden()
  }

  await page.keyboard.press('ArrowDown')
  const third = rows.nth(3).getByRole('link')
  await expect(third).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('heading', { level: 2, name: String(await third.textContent()) })).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(panel.getByRole('heading', { level: 2, name })).toBeVisible()
  await page.goBack()
  await expect(panel).toBeHidden()
  await expect(page).toHaveURL(/\/courses$/)

  await page.goto(String(await second.getAttribute('href')))
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('@desktop single-key shortcuts work until they are turned off @extended', async ({ page }) => {
  await page.goto('/courses')
  await expect(page.getByRole('table')).toBeVisible()
  const search = page.getByRole('searchbox')
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(search).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.type('a/b?')
  await expect(search).toHaveValue('a/b?')
  await search.fill('')
  await search.blur()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Tasten in der Kursliste' })
  await expect(sheet).toContainText('nächster oder voriger Kurs')
  expect(await violationsInBothSchemes(page)).toEqual([])
  await sheet.getByRole('checkbox').uncheck()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await page.keyboard.press('/')
  await expect(search).not.toBeFocused()
})

test('@desktop at most 20 tab stops lead to the first course, and the frame is the same on every page @extended', async ({
  page,
}) => {
  const logos: (number | undefined)[] = []
  for (const path of ['/home', '/faq', '/course-details/2', '/courses']) {
    await page.goto(path)
    await expect(page.locator('#root:not([data-first-view])').getByRole('heading', { level: 1 })).toBeVisible()
    logos.push((await page.locator('header img[src="/icons/icon.svg"]').first().boundingBox())?.x)
  }
  expect(new Set(logos).size).toBe(1)
  const first = page.locator('[role="row"] h3 a').first()
  await expect(first).toBeVisible()
  const weekdays = page.getByRole('list', { name: 'Woche' }).getByRole('button')
  // The groups become one tab stop each only after the app has started.
  await expect(weekdays.nth(1)).toHaveAttribute('tabindex', '-1')
  const isFirst = () => first.evaluate(link => link === document.activeElement)
  let stops = 0
  while (stops < 40 && !(await isFirst())) {
    await page.keyboard.press('Tab')
    stops += 1
  }
  expect(stops).toBeLessThanOrEqual(20)
  // The arrow keys reach what Tab passes over.
  await weekdays.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(weekdays.nth(1)).toBeFocused()
})
