import { violationsInBothSchemes } from './accessibility-steps.ts'
import { createCourse } from './attendance-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { patience } from './patience.ts'
import { cards, inDays, WHOLE_PROGRAMME } from './programme-steps.ts'
import { listScreens } from './screen-steps.ts'

test.use(WITHOUT_WORKER)

test('the details show all data of a course, and its dates can be expanded', async ({ page, portal }) => {
  const { name } = await createCourse(portal, { dates: Array.from({ length: 20 }, (_, week) => inDays(7 * week + 7)) })
  await page.goto(`/courses?q=${encodeURIComponent(name)}`)
  await cards(page).first().getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: /Termine/ })).toBeVisible()
  await expect(page.getByRole('term').filter({ hasText: 'Zeitraum' })).toBeVisible()
  const months = page
    .locator('section', { has: page.getByRole('heading', { name: /Termine/ }) })
    .locator('li', { has: page.locator('ol') })
  await expect(months).toHaveCount(3)
  await page.getByRole('button', { name: 'mehr Termine' }).click()
  expect(await months.count()).toBeGreaterThan(3)
  await page.getByRole('button', { name: 'weniger Termine' }).click()
  await expect(months).toHaveCount(3)
  await expect(page).toHaveTitle(new RegExp(`^${name}`))
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '')
  expect(data['@graph'].map((item: { '@type': string }) => item['@type'])).toEqual(['Course', 'Event'])
  // Search engines that run no scripts get the same with the page.
  const readSent = async () => {
    const html = await (await page.request.get(new URL(page.url()).pathname)).text()
    return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? 'null')
  }
  const graph = [
    { '@type': 'Course', name },
    { '@type': 'Event', startDate: data['@graph'][1].startDate },
  ]
  await expect.poll(readSent, { timeout: patience * 20_000 }).toMatchObject({ '@graph': graph })
  await expect(page.getByRole('main').getByRole('link', { name: 'Teilnahmebedingungen' })).toHaveAttribute(
    'href',
    '/teilnahmebedingung',
  )
})

test('the course used for screenshots can be booked @extended', async ({ page, portal }) => {
  const screen = (await listScreens(portal)).find(({ name }) => name === 'course-details')
  await page.goto(screen?.path ?? '')
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: /^Anmelden/ })
      .first(),
  ).toBeVisible()
  await expect(page.getByText('Dieser Kurs ist beendet')).toBeHidden()
})

test('the course number fits on one line at any phone width @extended', async ({ page }) => {
  await page.goto('/courses?q=nordic+walking')
  await cards(page).first().getByRole('link').first().click()
  const number = page.getByRole('main').getByText(/^Kurs [A-Z]-\d+$/)
  for (let width = 320; width <= 430; width += 5) {
    await page.setViewportSize({ width, height: 640 })
    expect(await number.evaluate(words => words.getClientRects().length), `${width} px`).toBe(1)
  }
})

test('the URL of a deleted course redirects to the start page @extended', async ({ page }) => {
  await page.goto('/course-details/999999')
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByText('Diesen Kurs gibt es nicht mehr.')).toBeVisible()
})

test('list, filters, empty results and details have no accessibility violation in any color scheme @extended', async ({
  page,
}) => {
  // Longer timeout: axe checks four screens in two color schemes.
  test.slow()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const check = async () => expect(await violationsInBothSchemes(page)).toEqual([])
  await page.goto('/courses?day=1')
  await expect(cards(page).first()).toBeVisible()
  await check()
  await page.getByRole('button', { name: 'Filter · 1' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await check()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Filter · 1' })).toBeFocused()
  await page.getByRole('searchbox').fill('nichts von alledem')
  await expect(page.getByRole('heading', { name: /Kein Kurs/ })).toBeVisible()
  await check()
  await page.goto('/course-details/7')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await check()
})

test('nothing overflows at a width of 320 px @extended', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/courses?day=1&free=1', '/courses?q=nichts', '/course-details/7', '/course-details/77']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  }
})

test('four courses are visible without scrolling on a phone, and eleven on a wide screen @extended', async ({
  page,
}) => {
  await page.goto('/courses')
  await expect(cards(page).first()).toBeVisible()
  // Reads bar and cards in the same task, because the app may just be replacing the server-rendered page.
  const readBoxes = () =>
    page.evaluate(() => {
      const boxesOf = (selector: string) =>
        [...document.querySelectorAll(selector)].map(element => {
          const { top, bottom, height } = element.getBoundingClientRect()
          return { top, bottom, height }
        })
      return { cards: boxesOf('main article'), bars: boxesOf('nav[aria-label="Schnellzugriff"]') }
    })
  const onPhone = await readBoxes()
  expect(onPhone.bars).toHaveLength(1)
  // Which cards are first depends on the day, and a start of booking takes another line, on most cards in the weeks before
  // a season: the lower quartile is a card without it.
  const [first] = onPhone.cards
  const heights = onPhone.cards.map(({ height }) => height).sort((a, b) => a - b)
  const usual = heights[Math.floor(heights.length / 4)] ?? Number.NaN
  const gap = (onPhone.cards[1]?.top ?? 0) - (first?.bottom ?? 0)
  expect((first?.top ?? 0) + 4 * usual + 3 * gap).toBeLessThanOrEqual(onPhone.bars[0]?.top ?? 0)
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect
    .poll(async () => (await readBoxes()).cards.filter(({ bottom }) => bottom <= 900).length)
    .toBeGreaterThanOrEqual(11)
})

test('the offline list shows the number of courses, their age and the sort order on one line @extended', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/courses', { waitUntil: 'networkidle' })
  const order = page.getByRole('combobox', { name: 'Reihenfolge' })
  await context.setOffline(true)
  const asOf = page.getByRole('main').getByText(/^Stand \d\d:\d\d$/)
  await expect(asOf).toBeVisible()
  const count = page.getByRole('heading', { name: WHOLE_PROGRAMME })
  const middles = await Promise.all(
    [count, asOf, order].map(async part => {
      const { y = 0, height = 0 } = (await part.boundingBox()) ?? {}
      return y + height / 2
    }),
  )
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(10)
})

test('a card of an upcoming season shows the first date and the start of booking @extended', async ({ page }) => {
  for (const [width, language, begins] of [
    [390, 'de', /^ab \d\d\.\d\d\.$/],
    [320, 'en', /^from \d\d\.\d\d\.$/],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.addInitScript(chosen => localStorage.setItem('Language', chosen), language)
    await page.goto('/courses?season=4')
    const card = page.getByRole('article').filter({ hasText: /Buchbar ab|Booking opens/ })
    await expect(card.first().locator('p', { hasText: begins })).toBeInViewport()
    await expect(
      card
        .first()
        .getByRole('listitem')
        .filter({ hasText: /Buchbar ab|Booking opens/ }),
    ).toBeInViewport()
  }
})

test('a card is labelled with a time conflict; expanded, and on the course page, it names the other course', async ({
  page,
  loginAs,
}) => {
  await loginAs('employee')
  await page.goto('/courses')
  const card = page.getByRole('article').filter({ hasText: 'Überschneidung' }).first()
  const name = await card.getByRole('heading').textContent()
  await card.getByRole('button', { name: `Mehr zu ${name}` }).click()
  const clash = card.getByRole('listitem').filter({ hasText: 'Zur selben Zeit' })
  await expect(clash).toBeVisible()
  const text = await clash.textContent()
  await card.getByRole('heading').getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: String(name) })).toBeVisible()
  await expect(
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: text ?? '' }),
  ).toBeVisible()
})

for (const [language, more, words] of [
  ['de', 'Mehr zu', ['Zeitraum', 'Termine', 'Saison', 'Kategorie', 'Externe', 'Details', 'Nr. ']],
  ['en', 'More about', ['Period', 'Season', 'Category', 'External', 'Details', 'No. ']],
] as const) {
  test(`a card expands in place to show all details, in ${language} @extended`, async ({ page }) => {
    await page.addInitScript(chosen => localStorage.setItem('Language', chosen), language)
    // Courses that other journeys create have fewer details.
    await page.goto('/courses?q=pilates')
    const card = page.locator('#root:not([data-first-view])').getByRole('article').first()
    const before = await card.boundingBox()
    await card.getByRole('button', { name: more }).click()
    for (const word of words) await expect(card).toContainText(word)
    await expect(page).toHaveURL(/\/courses\?q=pilates$/)
    expect((await card.boundingBox())?.y).toBe(before?.y)
    expect(await violationsInBothSchemes(page)).toEqual([])
    await card.getByRole('button', { name: more }).click()
    await expect(card).not.toContainText(words[0])
  })
}
