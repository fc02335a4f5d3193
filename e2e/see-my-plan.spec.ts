import { listBookedCourses } from '#contract/endpoints/courses.ts'
import { followThing } from '#contract/endpoints/reminders.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { holdBack } from './network-steps.ts'
import { patience } from './patience.ts'
import { openAs } from './people-steps.ts'
import { untilKept, WHOLE_PROGRAMME } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

const OPENING = { kind: 'season', id: 4 } as const

test.describe(() => {
  test.use({ serviceWorkers: 'allow' })

  test('the start page shows the plan of the next two weeks, also offline and with a killed server @extended', async ({
    page,
    portal,
    loginAs,
  }) => {
    // A portal is killed and started.
    test.slow()
    const token = await loginAs('employee')
    await portal.call(followThing, { token, body: OPENING })
    const own = await portal.call(listBookedCourses, { token })
    const booked = own.find(
      ({ bookingStatus, attendance }) => bookingStatus === BOOKING_STATUS.Booked && attendance?.held,
    )
    const waiting = own.find(({ bookingStatus }) => bookingStatus === BOOKING_STATUS.Waitinglist)
    if (!booked?.attendance || !waiting) throw new Error('the demo programme has no such courses')
    await page.goto('/home')
    const plan = page.getByRole('region', { name: 'Mein Plan' })
    const expectWhole = async () => {
      await expect(plan.getByRole('link', { name: 'Ihr nächster Termin' })).toBeVisible()
      await expect(plan.getByRole('listitem').filter({ hasText: booked.name }).first()).toContainText('17:30')
      await expect(plan.getByRole('link', { name: `${waiting.name} Nummer` })).toBeVisible()
      const attended = `${booked.attendance?.present} von ${booked.attendance?.held}`
      await expect(plan.getByRole('img', { name: new RegExp(`^${attended}`) }).first()).toBeVisible()
      const opening = plan.getByRole('link', { name: 'Frühjahr' })
      await expect(opening).toContainText(/Mo \d\d\.\d\d\.\d{4}, 08:00\sUhr/)
      await expect(opening).toHaveAttribute('href', '/courses?season=4')
    }
    await expectWhole()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await plan.getByRole('button', { name: 'Plan teilen, ohne Namen' }).click()
    await expect(page.getByText('Der Link ist kopiert.')).toBeVisible()
    const shared = new URL(await page.evaluate(() => navigator.clipboard.readText()))
    const numbers = shared.searchParams.get('q')?.match(/"[^"]+"/g) ?? []
    expect(numbers).toContain(`"${booked.number}"`)
    await page.goto(shared.href)
    await expect(page.getByRole('main').getByRole('article')).toHaveCount(numbers.length)
    await expect(page.getByRole('article').filter({ hasText: waiting.name })).toBeVisible()
    await page.goto('/home')
    await untilKept(page)
    await page.context().setOffline(true)
    await page.reload()
    await expectWhole()
    await expect(plan).toContainText('Stand')
    await plan.getByRole('link', { name: 'Ihr nächster Termin' }).click()
    await expect(page.getByRole('heading', { level: 1, name: booked.name })).toBeVisible()
    await page.context().setOffline(false)
    await portal.kill()
    await page.goto('/home')
    await expectWhole()
    await portal.start()
  })
})

test('a user without bookings sees courses instead of an empty plan', async ({ page, portal, person }) => {
  await openAs(page, portal, person, '/home')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'Noch kein Kurs gebucht' })).toBeVisible()
  await expect(main.getByRole('article').nth(1)).toBeInViewport({ ratio: 0.9 })
  await expect(main.getByRole('link', { name: /^Alle \d+ Kurse$/ }).first()).toBeVisible()
  await expect(main.getByRole('link', { name: 'Jetzt registrieren' })).toHaveCount(0)
  await main.getByRole('article').first().getByRole('link').first().click()
  await page.getByRole('button', { name: /^(?:Jetzt buchen|Auf die Warteliste)/ }).waitFor()
})

test.describe(() => {
  test.use({ serviceWorkers: 'allow' })

  test('a plan that cannot be loaded shows an error with a link to the courses, and loads once available @extended', async ({
    page,
    portal,
    loginAs,
  }) => {
    // A portal is killed and started.
    test.slow()
    await loginAs('employee')
    await page.goto('/courses')
    await expect(page.getByText(WHOLE_PROGRAMME)).toBeVisible()
    await untilKept(page)
    await portal.kill()
    await page.goto('/home')
    const missing = page.getByRole('alert')
    await expect(missing.getByRole('heading', { name: 'Ihr Plan lässt sich gerade nicht laden' })).toBeVisible()
    await expect(missing).toContainText(/Stand \d\d:\d\d/)
    const again = missing.getByRole('button', { name: 'Noch einmal versuchen' })
    await again.click()
    await expect(again).toBeFocused()
    expect(await violationsInBothSchemes(page)).toEqual([])
    await missing.getByRole('link', { name: /^Alle \d\d Kurse/ }).click()
    await expect(page.getByText(WHOLE_PROGRAMME)).toBeVisible()
    await page.goBack()
    await portal.start()
    await again.click()
    await expect(page.getByRole('region', { name: 'Mein Plan' }).getByRole('listitem').first()).toBeVisible()
    await expect(missing).toBeHidden()
  })

  test('while the server does not respond, the start page shows a loading state, then a notice @extended', async ({
    page,
    loginAs,
  }) => {
    await loginAs('instructor')
    await page.goto('/courses')
    await expect(page.getByText(WHOLE_PROGRAMME)).toBeVisible()
    await untilKept(page)
    const answer = await holdBack(page, '**/api/**')
    await page.goto('/home')
    const main = page.getByRole('main')
    await expect(main.getByRole('status').filter({ hasText: 'Einen Moment' })).toBeInViewport({ ratio: 0.9 })
    // Shows neither the visitors' page nor an empty space while loading.
    await expect(main.getByRole('heading', { name: 'Als Nächstes beginnen' })).toHaveCount(0)
    const missing = page.getByRole('alert').filter({ hasText: 'Ihr Plan lädt noch' })
    await expect(missing.getByRole('link', { name: /^Alle \d\d Kurse/ })).toBeVisible()
    answer()
    await expect(main.getByRole('region', { name: 'Mein Plan' }).getByRole('listitem').first()).toBeVisible()
    await expect(missing).toBeHidden()
  })
})

test('the month view shows days with lessons, can be narrowed to one day, and is accessible @extended', async ({
  page,
  loginAs,
}) => {
  // Longer timeout: axe checks the whole page three times.
  test.slow()
  await loginAs('instructor')
  await page.goto('/home')
  const plan = page.getByRole('region', { name: 'Mein Plan' })
  await expect(plan.getByRole('link').first()).toContainText('Anwesenheit erfassen')
  expect(await violationsInBothSchemes(page)).toEqual([])
  await plan.getByRole('button', { name: 'Monat' }).click()
  await plan.getByRole('button', { name: 'Nächster Monat' }).click()
  const days = plan.getByRole('button', { name: /, \d+ Termine?$/ })
  const day = (await days.first().getAttribute('aria-label')) ?? ''
  const [, count] = /, (\d+) Termin/.exec(day) ?? []
  await days.first().click()
  await expect(plan.getByRole('heading', { level: 3 })).toHaveCount(1)
  await expect(plan.locator('h3 + ul > li')).toHaveCount(Number(count))
  expect(await violationsInBothSchemes(page)).toEqual([])
  await plan.getByRole('button', { name: 'Ganzer Monat' }).click()
  expect(await plan.getByRole('heading', { level: 3 }).count()).toBeGreaterThan(1)
})

test('on the smallest phone, a visitor sees name, price and venue of the first course @extended', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 })
  await page.goto('/home')
  // While the app replaces the server-rendered page, one of the two elements may still belong to the latter.
  await expect(async () => {
    const first = page.getByRole('main').getByRole('article').first()
    const { y: bar = 0 } = (await page.getByRole('navigation', { name: 'Schnellzugriff' }).boundingBox()) ?? {}
    // The place is the third paragraph, after the weekday with time and the first date.
    const place = first.locator('p').nth(2)
    for (const part of [first.getByRole('heading'), first.locator('p', { hasText: '€' }), place]) {
      const { y, height } = (await part.boundingBox()) ?? { y: Number.NaN, height: 0 }
      expect(y + height).toBeLessThanOrEqual(bar)
    }
  }).toPass({ timeout: patience * 10_000 })
})

test('a visitor sees courses without scrolling, and no plan data are fetched @extended', async ({ page }) => {
  const fetched: string[] = []
  page.on('request', request => fetched.push(request.url()))
  await page.goto('/home')
  const cards = page.getByRole('main').getByRole('article')
  await expect(cards.nth(1)).toBeInViewport()
  await page.getByRole('list', { name: 'Woche' }).getByRole('link', { name: 'Dienstag' }).click()
  await expect(page).toHaveURL(/\/courses\?day=2$/)
  expect(fetched.filter(url => /my-plan|plan-month|instructor-plan/.test(url))).toEqual([])
})
