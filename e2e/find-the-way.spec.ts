import { violationsOf } from './accessibility-steps.ts'
import { DEMO_PASSWORD, emailOf, expect, test, WITHOUT_WORKER } from './fixtures.ts'

test.use(WITHOUT_WORKER)

test('the language switch opens the start page in the other language', async ({ page }) => {
  await page.goto('/faq')
  await page.getByRole('button', { name: 'Switch to English' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Sport that fits your day' })).toBeVisible()
  await expect(page.locator('main')).toContainText('What do you feel like?')
  await page.goto('/faq')
  await expect(page.getByRole('link', { name: /Frequently asked questions/ })).toBeVisible()
})

test('the breadcrumb trail grows with each page and is truncated when going back @desktop @extended', async ({
  page,
}) => {
  const trail = page.getByRole('navigation', { name: 'Sie sind hier' })
  await page.goto('/info')
  await page
    .locator('main')
    .getByRole('link', { name: /Häufige Fragen/ })
    .click()
  await expect(trail).toHaveText('StartInfos und FragenHäufige Fragen')
  await trail.getByRole('link', { name: 'Infos und Fragen' }).click()
  await expect(trail).toHaveText('StartInfos und Fragen')
  await trail.getByRole('link', { name: 'Start' }).click()
  await expect(trail).toHaveText('Start')
})

test('the start page links to categories and the search, and shows no register button after login @extended', async ({
  page,
  loginAs,
}) => {
  await page.goto('/home')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Pilates/ })
    .click()
  await expect(page).toHaveURL(/\/courses\?category=13/)
  await page.goto('/home')
  await page.getByRole('searchbox').fill('Yoga')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/courses\?.*q=Yoga|\/courses\?redirect=true/)
  await expect(page.getByRole('searchbox')).toHaveValue('Yoga')
  await page.goto('/home')
  await expect(page.getByRole('link', { name: 'Jetzt registrieren' })).toBeVisible()
  await loginAs('employee')
  await page.goto('/home')
  await expect(page.getByRole('heading', { level: 1, name: /Schön, dass Sie da sind/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Jetzt registrieren' })).toHaveCount(0)
})

test('the header stays visible, shows the title after scrolling, and goes back; the active tab scrolls to the top @extended', async ({
  page,
}) => {
  await page.goto('/courses')
  const bar = page.getByRole('banner')
  const title = bar.locator('[data-titled]')
  await expect(title).toHaveText('Kurse')
  await expect(bar.getByRole('button', { name: 'Zurück' })).toBeHidden()
  // The app replaces the server-rendered bar by its own.
  await page.locator('#root:not([data-first-view]) article').first().waitFor()
  await page.evaluate(() => window.scrollTo(0, 1_500))
  expect((await bar.boundingBox())?.y).toBe(0)
  expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(56)
  await page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name: 'Kurse' }).click()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)

  await page.getByRole('article').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/course-details\//)
  await expect(title).toHaveCount(0)
  const name = await page.getByRole('heading', { level: 1 }).textContent()
  await page.evaluate(() => window.scrollTo(0, 1_500))
  await expect(title).toHaveText(String(name))
  await bar.getByRole('button', { name: 'Zurück' }).click()
  await expect(page).toHaveURL(/\/courses$/)
  // On a page opened by a link, "back" leads to the list.
  const other = await page.context().newPage()
  await other.goto('/course-details/7')
  await other.getByRole('banner').getByRole('button', { name: 'Zurück' }).click()
  await expect(other).toHaveURL(/\/courses$/)
})

test('an unknown URL shows an error page with a link to the courses', async ({ page }) => {
  await page.goto('/gibt-es-nicht')
  await expect(page.getByRole('heading', { level: 1, name: 'Seite nicht gefunden' })).toBeVisible()
  await page.locator('main').getByRole('link', { name: 'Zu den Kursen' }).click()
  await expect(page).toHaveURL(/\/courses/)
})

test('an unknown URL of the desk shows an error page of the desk, with a link to its first page', async ({
  page,
  loginAs,
}) => {
  await loginAs('desk')
  await page.goto('/office/gibt-es-nicht')
  await expect(page.getByRole('heading', { level: 1, name: 'Seite nicht gefunden' })).toBeVisible()
  await page.locator('main').getByRole('link', { name: 'Heute' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Heute' })).toBeVisible()
})

test('a session ended by the server redirects to the start page and shows the reason', async ({ page, loginAs }) => {
  await loginAs('employee')
  // Otherwise the first load would end the session, and the tab below would already lead to the login.
  const loaded = page.waitForResponse('**/api/course/booked')
  await page.goto('/messages')
  await (await loaded).finished()
  await expect(page).toHaveURL(/\/messages$/)
  await page.route('**/api/course/booked', route =>
    route.fulfill({ status: 401, json: { status: 'Failed', message: 'Session ist ungültig. Bitte neu anmelden.' } }),
  )
  await page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name: 'Meine' }).click()
  await expect(page.getByText('Session ist ungültig. Bitte neu anmelden.')).toBeVisible()
  await expect(page).toHaveURL(/\/home$/)
})

test('a missing permission is reported only once @extended', async ({ page, loginAs }) => {
  await loginAs('employee')
  const refusal = { status: 403, json: { status: 'Failed', message: 'Für diese Funktion sind Sie nicht zugelassen.' } }
  await page.route('**/api/course/booked', route => route.fulfill(refusal))
  await page.goto('/courses/booked')
  await expect(page.getByRole('alert').getByText('Für diese Funktion sind Sie nicht zugelassen.')).toHaveCount(1)
  await expect(page).toHaveURL(/\/courses\/booked$/)
})

test('the menu opens and closes by keyboard @desktop @extended', async ({ page }) => {
  await page.goto('/contact')
  const group = page.getByRole('button', { name: 'Angebote' })
  await group.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Kurse buchen' })).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Kurse buchen' })).toBeHidden()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/courses$/)
})

test('the drawer contains the whole menu and returns the focus when closed', async ({ page }) => {
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Menü' }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('link', { name: 'Fotogalerie' })).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('button', { name: 'Menü' })).toBeFocused()
})

test('a category tile opens the course list at its top, at any scroll position of the start page @extended', async ({
  page,
}) => {
  await page.goto('/home')
  // The other screens are cached by then, so that the list is shown immediately.
  await page.waitForLoadState('networkidle')
  const tile = page.getByRole('main').getByRole('link', { name: /^Pilates/ })
  await tile.scrollIntoViewIfNeeded()
  await tile.click()
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.waitForTimeout(1_000)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

test('a link from an e-mail to my courses redirects to the login and back', async ({ page }) => {
  await page.goto('/courses/booked')
  await expect(page).toHaveURL(/\/login\?next=%2Fcourses%2Fbooked$/)
  await page.getByLabel('E-Mail').fill(emailOf('employee'))
  await page.locator('main input[type=password]').fill(DEMO_PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page).toHaveURL(/\/courses\/booked$/)
  await expect(page.getByRole('heading', { name: 'Meine Kurse' })).toBeVisible()
})

test('the name of an instructor links to the profile @extended', async ({ page }) => {
  await page.goto('/courses')
  await page.getByRole('article').first().getByRole('link').first().click()
  const instructor = page.locator('dl a[href^="/instructor#"]')
  const name = (await instructor.locator('b').textContent()) ?? ''
  await instructor.click()
  await expect(page).toHaveURL(/\/instructor#/)
  await expect(page.getByRole('heading', { level: 2, name })).toBeInViewport()
})

test('a user with bookings sees courses that fit their week, and the rest of the start page on request @extended', async ({
  page,
  loginAs,
}) => {
  await loginAs('employee')
  await page.goto('/home')
  const fitting = page.locator('section', { has: page.getByRole('heading', { name: 'Passt in Ihre Woche' }) })
  await expect(fitting.getByRole('article')).toHaveCount(3)
  await expect(fitting).not.toContainText('Überschneidung')
  await expect(page.getByRole('heading', { name: 'Worauf haben Sie Lust?' })).toHaveCount(0)
  await page.getByText('Neuigkeiten, Kategorien und mehr').click()
  await expect(page.getByRole('heading', { name: 'Worauf haben Sie Lust?' })).toBeVisible()
})

test('the hall of a course is highlighted on the site plan, next to a link to a map @extended', async ({ page }) => {
  await page.goto('/courses?q=W-0101')
  await page
    .getByRole('link', { name: /^Basketball/ })
    .first()
    .click()
  const drawing = page.getByRole('img', { name: /^Plan Werk Salzstadt, hervorgehoben: Halle 1 am Tor 4/ })
  await expect(drawing).toBeVisible()
  await expect(drawing.locator('[data-lit] text')).toHaveText('Halle 1')
  await expect(page.locator('#way').getByRole('link')).toHaveAttribute('href', /openstreetmap/)
  await page.getByRole('link', { name: 'auf der Karte zeigen' }).first().click()
  await expect(drawing).toBeInViewport()
  await expect(page).toHaveURL(/course-details\/\d+#way$/)
  expect(await violationsOf(page)).toEqual([])
})
