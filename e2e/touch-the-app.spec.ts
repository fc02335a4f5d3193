import type { Page } from '@playwright/test'
import { listBookedCourses } from '#contract/endpoints/courses.ts'
import { login } from '#contract/endpoints/session.ts'
import { smallTargetsOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { DEMO_PASSWORD, emailOf, expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { holdBack } from './network-steps.ts'
import { scrollDown } from './programme-steps.ts'

const cardInView = (page: Page) => page.getByRole('main').getByRole('article').getByRole('link')

/**
 * The card in the middle of the window, once it stays in place for a frame: rows that come into view are measured after
 * they are mounted, and the scroll position is corrected by what they differ from their estimates.
 */
async function cardInTheMiddle(page: Page): Promise<{ href: string; name: string; top: number }> {
  const read = () =>
    page.evaluate(async () => {
      const find = () => {
        const middle = innerHeight / 2
        for (const link of document.querySelectorAll('main article h3 a')) {
          const { top, bottom } = link.closest('article')?.getBoundingClientRect() ?? new DOMRect()
          if (top < middle && bottom > middle - 150)
            return { href: link.getAttribute('href') ?? '', name: link.textContent, top }
        }
        return null
      }
      const afterFrame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)))
      await afterFrame()
      const before = find()
      await afterFrame()
      const after = find()
      return before?.href === after?.href && before?.top === after?.top ? after : null
    })
  let found: Awaited<ReturnType<typeof read>> = null
  await expect
    .poll(async () => {
      found = await read()
      return found
    })
    .not.toBeNull()
  return found ?? { href: '', name: '', top: 0 }
}

/**
 * Records each view transition shared by a card and its course's page header, and the header's appearance at its start.
 */
const watchGrowth = (page: Page) =>
  page.addInitScript(() => {
    const { startViewTransition } = Document.prototype
    Document.prototype.startViewTransition = function (act) {
      const transition = startViewTransition.call(this, act)
      transition.ready.then(() => {
        const look = (part: string) => getComputedStyle(document.documentElement, `::view-transition${part}`)
        const words = [look('-new(course)').opacity, look('-old(course)').display, look('').pointerEvents]
        document.documentElement.dataset.looks = words.join(' ')
        const parts = document
          .getAnimations()
          .map(({ effect }) => effect instanceof KeyframeEffect && effect.pseudoElement)
        // A view transition animates only elements that exist on both pages.
        if (parts.includes('::view-transition-group(course)'))
          document.documentElement.dataset.grown = `${Number(document.documentElement.dataset.grown ?? 0) + 1}`
      })
      return transition
    }
  })

test('a card expands into its course and shrinks when going back, and the scroll position is restored @extended', async ({
  page,
}) => {
  await watchGrowth(page)
  await page.goto('/courses')
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
  // The code that handles back navigation is loaded after the first view.
  await page.waitForLoadState('networkidle')
  const html = page.locator('html')
  const backs = [() => page.goBack(), () => page.getByRole('button', { name: 'Zurück' }).first().click()]
  for (const [round, back] of backs.entries()) {
    await scrollDown(page, 1_500)
    const { href, name } = await cardInTheMiddle(page)
    await cardInView(page)
      .and(page.locator(`a:not([tabindex])[href="${href}"]`))
      .click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(html).toHaveAttribute('data-grown', String(2 * round + 1))
    await back()
    await expect(html).toHaveAttribute('data-grown', String(2 * round + 2))
    await expect(page.getByRole('article').filter({ hasText: name }).first()).toBeInViewport()
  }

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await cardInView(page).first().click()
  await expect(page).toHaveURL(/course-details/)
  await page.goBack()
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
  await expect(html).toHaveAttribute('data-grown', '4')
})

test('the header of an opened course is readable from the first frame of the transition, and the page is usable @extended', async ({
  page,
}) => {
  await watchGrowth(page)
  await page.goto('/courses')
  await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
  await cardInView(page).first().click()
  await expect(page.locator('html')).toHaveAttribute('data-looks', '1 none none')
})

for (const [size, text] of [
  ['usual', '100%'],
  ['large', '150%'],
] as const) {
  test(`going back restores the position of a course far down the list, in ${size} text size @extended`, async ({
    page,
  }) => {
    await page.goto('/courses')
    await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
    await page.evaluate(fontSize => {
      document.documentElement.style.fontSize = fontSize
    }, text)
    // Scrolls in small steps as by a finger, so that each card becomes visible.
    while ((await page.evaluate(() => window.scrollY)) < 6_000) {
      await page.evaluate(() => window.scrollBy(0, 400))
      await cardInTheMiddle(page)
    }
    const { href, name, top } = await cardInTheMiddle(page)
    const card = cardInView(page).and(page.locator(`a:not([tabindex])[href="${href}"]`))
    await card.click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await page.goBack()
    await expect(card).toBeInViewport()
    const isAt = async () => (await cardInTheMiddle(page)).top
    await expect.poll(isAt).toBeGreaterThan(top - 8)
    await expect.poll(isAt).toBeLessThan(top + 8)
    expect((await cardInTheMiddle(page)).href).toBe(href)
  })
}

test('a course page that is still loading already shows the course name in its final position @extended', async ({
  browser,
  portal,
}) => {
  const context = await browser.newContext({
    ...WITHOUT_WORKER,
    baseURL: portal.url,
    viewport: { width: 390, height: 844 },
  })
  const page = await context.newPage()
  const letThrough = await holdBack(page, '**/assets/course-details-screen*.js')
  // Courses that other journeys create have other lines above their name.
  await page.goto('/courses?q=pilates')
  // Wait for the app: a link of the server-rendered view causes a full page load.
  await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
  const chosen = cardInView(page).and(page.locator('a:not([tabindex])')).nth(1)
  const name = (await chosen.textContent()) ?? ''
  await chosen.click()
  const heading = page.locator('main h1').filter({ visible: true })
  await expect(heading).toHaveText(name)
  await expect(page.getByRole('status').filter({ hasText: 'Einen Moment' })).toBeVisible()
  await expect(page).toHaveTitle(`${name} · Werksport`)
  const before = await heading.boundingBox()
  letThrough()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  expect(await heading.boundingBox()).toEqual(before)
  await context.close()
})

test('with reduced motion, a color scheme change applies without a transition @extended', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
  await page.goto('/courses')
  await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
  // The observer must be running before the color scheme changes; a call started afterwards could miss the change.
  const look = await page.evaluateHandle(() => {
    const seen = new Promise<string[]>(resolve => {
      const colours: string[] = []
      const note = () => {
        colours.push(getComputedStyle(document.querySelector('main article h3 a') ?? document.body).color)
        if (colours.length < 30) requestAnimationFrame(note)
        else resolve([...new Set(colours)])
      }
      const scheme = new MutationObserver(() => {
        // The app sets the color scheme again when it starts following the device setting.
        if (document.documentElement.dataset.mantineColorScheme !== 'dark') return
        scheme.disconnect()
        note()
      })
      scheme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    })
    return { seen }
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await look.evaluate(({ seen }) => seen)).toHaveLength(1)
})

test('pull-to-refresh works in the installed app, and is left to the browser in a tab @extended', async ({
  page,
  context,
}) => {
  const devices = await context.newCDPSession(page)
  const pull = async (distance: number) => {
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      devices.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 195, y }] })
    await touch('touchStart', 300)
    for (const step of [0.25, 0.5, 0.75, 1]) await touch('touchMove', 300 + distance * step)
    await touch('touchEnd')
  }
  const refreshed = page.getByText('Auf dem neuesten Stand')
  let asked = 0
  page.on('request', request => {
    if (request.url().includes('/api/course?view=index')) asked += 1
  })
  const open = async () => {
    await page.goto('/courses')
    await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    asked = 0
  }
  const scrolling = () => page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY)

  await open()
  await pull(240)
  expect(await scrolling()).toBe('auto')

  // Simulates `navigator.standalone`, by which an iPhone indicates a start from the home screen.
  await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
  await open()
  await expect.poll(scrolling).toBe('contain')
  await pull(60)
  expect(asked).toBe(0)
  await pull(240)
  await expect(refreshed).toBeVisible()
  expect(asked).toBe(1)
  expect(await violationsInBothSchemes(page)).toEqual([])
  await expect(refreshed).toBeHidden()
  await context.setOffline(true)
  await pull(240)
  await expect(page.getByText('Das Portal antwortet gerade nicht')).toBeVisible()
})

test('links and controls of the pages of a participant have touch areas of 44 px @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  test.slow()
  await loginAs('employee')
  const body = { userName: emailOf('employee'), password: DEMO_PASSWORD, keepSession: false }
  const { id: token } = await portal.call(login, { body })
  const own = await portal.call(listBookedCourses, { token })
  const courses = [1, 2].map(status => `/course-details/${own.find(one => one.bookingStatus === status)?.id}`)
  for (const path of ['/home', '/courses', '/courses/booked', '/costs', '/messages', '/reminders', ...courses]) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => smallTargetsOf(page), { message: path }).toEqual([])
  }
  const skip = page.getByRole('link', { name: 'Zum Inhalt' })
  await skip.focus()
  expect((await skip.boundingBox())?.height).toBeGreaterThanOrEqual(44)
})
