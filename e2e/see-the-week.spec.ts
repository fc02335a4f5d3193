import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { coursesOf, inDays, untilKept } from './programme-steps.ts'

const WEEK_MS = 7 * 86_400_000
/** Number of the week that contains this day; 1 January 1970 was a Thursday. */
const weekOf = (ms: number) => Math.floor((ms + (3 * WEEK_MS) / 7) / WEEK_MS)

test.describe(() => {
  test.use(WITHOUT_WORKER)

  test('@desktop the week view shows the lessons of a calendar week, with the user’s own highlighted @extended', async ({
    page,
    portal,
    loginAs,
  }) => {
    const token = await loginAs('employee')
    // Holidays may last for weeks.
    const [next] = (await coursesOf(portal, token))
      .filter(({ bookingStatus, running }) => bookingStatus === 1 && running)
      .flatMap(own =>
        own.dates.map(({ year, month, day }) => ({
          own,
          weeks: weekOf(Date.UTC(year, month - 1, day)) - weekOf(Date.parse(inDays(0))),
        })),
      )
      .filter(({ weeks }) => weeks > 0)
      .sort((a, b) => a.weeks - b.weeks)
    const { own, weeks } = next ?? { weeks: 0 }
    expect(weeks).toBeGreaterThan(0)
    await page.goto('/courses')
    await page.getByRole('button', { name: 'Woche', exact: true }).click()
    const week = page.getByRole('region', { name: /^KW \d+ · \d\d\.\d\d\.–\d\d\.\d\d\.$/ })
    await expect(week).toBeVisible()
    for (let passed = 0; passed < weeks; passed += 1) {
      const title = await week.getByRole('heading', { level: 3 }).textContent()
      await week.getByRole('button', { name: 'Nächste Woche' }).click()
      await expect(week.getByRole('heading', { level: 3 })).not.toHaveText(String(title))
    }
    const mine = week.getByRole('link', { name: own?.name }).filter({ hasText: 'Gebucht' })
    await expect(mine).toBeVisible()
    const lengths = await week.locator('li a').evaluateAll(blocks =>
      blocks.map(block => {
        const [, hour = 0, minute = 0, endHour = 0, endMinute = 0] =
          /(\d\d):(\d\d)–(\d\d):(\d\d)/.exec(block.textContent ?? '')?.map(Number) ?? []
        const { height } = block.getBoundingClientRect()
        const isCut = block.scrollHeight > block.clientHeight + 1 || block.scrollWidth > block.clientWidth + 1
        return { minutes: endHour * 60 + endMinute - hour * 60 - minute, height, isCut }
      }),
    )
    expect(lengths.length).toBeGreaterThan(10)
    expect(lengths.filter(({ isCut }) => isCut)).toEqual([])
    for (const { minutes, height } of lengths) expect(height).toBeGreaterThanOrEqual(minutes * 0.8 - 1)
    // Hours are to scale: a minute has the same height everywhere.
    const perMinute = lengths.map(({ minutes, height }) => height / minutes)
    expect(Math.max(...perMinute) - Math.min(...perMinute)).toBeLessThan(0.05)
    const shown = await week.getByRole('heading', { level: 3 }).textContent()
    await page.reload()
    await expect(week.getByRole('heading', { level: 3 })).toHaveText(String(shown))
    expect(await violationsInBothSchemes(page)).toEqual([])
    await mine.click()
    await expect(page.getByRole('complementary')).toContainText(String(own?.name))
  })

  test('on a phone, the day view can be changed with arrows and by swiping @extended', async ({ page }) => {
    await page.goto('/courses')
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    const title = page.getByRole('heading', { level: 3 }).filter({ hasText: 'KW' })
    const today = await title.textContent()
    await page.getByRole('button', { name: 'Nächster Tag' }).click()
    await expect(title).not.toHaveText(String(today))
    const tomorrow = await title.textContent()
    await page.getByRole('main').evaluate(main => {
      const target = main.querySelector('section[aria-label*="KW"] > :last-child')
      const touch = (x: number) => new Touch({ identifier: 1, target: target ?? main, clientX: x, clientY: 500 })
      const fire = (type: string, x: number) =>
        target?.dispatchEvent(
          new TouchEvent(type, {
            bubbles: true,
            touches: type === 'touchend' ? [] : [touch(x)],
            changedTouches: [touch(x)],
          }),
        )
      fire('touchstart', 60)
      fire('touchend', 260)
    })
    await expect(title).toHaveText(String(today))
    await page.getByRole('button', { name: 'Nächster Tag' }).click()
    await expect(title).toHaveText(String(tomorrow))
    await page.getByRole('button', { name: 'Heute' }).click()
    await expect(title).toHaveText(String(today))
    // The weekdays select the day instead of filtering, and the address has it.
    await page.getByRole('list', { name: 'Woche' }).getByRole('button', { name: /^Do/ }).click()
    await expect(title).toContainText('Donnerstag')
    await expect(page).toHaveURL(/\?view=week&date=\d{4}-\d\d-\d\d$/)
    await page.reload()
    await expect(title).toContainText('Donnerstag')
    expect(await violationsInBothSchemes(page)).toEqual([])
  })
})

test('the week is available offline, and restored after visiting a course', async ({ page, context }) => {
  await page.goto('/courses')
  await untilKept(page)
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  const lesson = page.getByRole('region', { name: 'Termine' }).getByRole('link')
  const next = page.getByRole('button', { name: 'Nächster Tag' })
  await expect(async () => {
    if ((await lesson.count()) === 0) await next.click()
    await expect(lesson.first()).toBeVisible({ timeout: 500 })
  }).toPass()
  const title = await page.getByRole('heading', { level: 3 }).filter({ hasText: 'KW' }).textContent()
  await lesson.first().click()
  await expect(page).toHaveURL(/course-details/)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 3 }).filter({ hasText: 'KW' })).toHaveText(String(title))
})
