import { brotliCompressSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { PUBLIC_PAGES } from '#contract/endpoints/public-pages.ts'
import { login } from '#contract/endpoints/session.ts'
import { DEMO_PASSWORD, emailOf, expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { holdBack } from './network-steps.ts'
import { patience } from './patience.ts'

test.use(WITHOUT_WORKER)

const PATHS = ['/home', '/courses', '/course-details/2']
const SCRIPTS = '**/assets/*.js'

/** The first visitor of all may come before the view is made. */
async function open(page: Page, path: string): Promise<void> {
  await expect(async () => {
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.locator('#root[data-first-view]')).toBeAttached({ timeout: 2_000 })
  }).toPass()
}

test.describe('with JavaScript disabled', () => {
  test.use({ javaScriptEnabled: false })

  test('the server-rendered page shows its content @extended', async ({ page }) => {
    await open(page, '/courses')
    await expect(page.locator('main h1')).toHaveText('Kurse')
    expect(await page.locator('main article').count()).toBeGreaterThanOrEqual(4)
    await page.locator('main article').first().getByRole('link').first().click()
    await expect(page).toHaveURL(/course-details\/\d+$/)
    await open(page, '/course-details/2')
    await expect(page.locator('main h1')).not.toBeEmpty()
    await expect(page.locator('main dl').first()).toBeVisible()
    await open(page, '/home')
    await expect(page.locator('main article').first()).toBeVisible()
    await page.getByRole('searchbox').pressSequentially('yoga')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/courses\?q=yoga$/)
  })
})

for (const path of PATHS) {
  test(`the app replaces the server-rendered ${path} with the same text at the same position @extended`, async ({
    page,
  }) => {
    const letThrough = await holdBack(page, SCRIPTS)
    await open(page, path)
    const heading = page.getByRole('heading', { level: 1 })
    const first = page.locator('main article, main section').first()
    await expect(heading).toBeVisible()
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    const before = { words: await first.innerText(), box: await first.boundingBox(), head: await heading.boundingBox() }
    letThrough()
    await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
    expect(await heading.boundingBox()).toEqual(before.head)
    expect((await first.boundingBox())?.y).toBe(before.box?.y)
    expect((await first.innerText()).slice(0, 60)).toBe(before.words.slice(0, 60))
  })
}

for (const path of PATHS) {
  test(`the first view of ${path} needs at most 120 KB of scripts, 15 KB of styles and 12 files`, async ({
    portal,
  }) => {
    const readPage = async () => (await fetch(portal.url + path)).text()
    // If the first view is being regenerated, the next page request includes it.
    await expect.poll(readPage).toContain('data-first-view')
    const page = await readPage()
    const tags = [...page.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="([^"]+)"[^>]*>/g)]
      .filter(([tag]) => /<script|rel="(?:stylesheet|modulepreload|preload)"/.test(tag))
      .map(([, address = '']) => address)
    // The app's script is referenced twice, for preloading and for execution. Inlined stylesheets are referenced but
    // not fetched.
    const named = [...new Set(tags)].filter(address => !page.includes(`href="${address}" disabled`))
    const inside = (kind: RegExp) =>
      [...page.matchAll(kind)].map(([, text = '']) => brotliCompressSync(text).byteLength)
    const sum = (sizes: number[]) => sizes.reduce((all, size) => all + size, 0)
    const bytes = { js: sum(inside(/<script>(.*?)<\/script>/gs)), css: sum(inside(/<style>(.*?)<\/style>/gs)) }
    expect(bytes.css).toBeGreaterThan(5_000)
    for (const address of named) {
      const [, kind] = /\.(js|css)$/.exec(address) ?? []
      if (kind !== 'js' && kind !== 'css') continue
      const answer = await fetch(portal.url + address, { headers: { 'Accept-Encoding': 'br' } })
      expect(answer.ok).toBe(true)
      bytes[kind] += Number(answer.headers.get('Content-Length'))
    }
    expect(bytes.js).toBeGreaterThan(50_000)
    expect(bytes.js).toBeLessThanOrEqual(120_000)
    expect(bytes.css).toBeLessThanOrEqual(15_000)
    // The only requests are the page itself and the icon in its header.
    expect(named.length + 2).toBeLessThanOrEqual(12)
  })
}

for (const [path, language, account, tag = ''] of [
  ['/courses', 'en', null],
  ['/faq', 'de', null],
  ['/course-details/2', 'en', null, '@extended'],
  ['/home', 'de', 'employee', '@extended'],
  ['/login?next=%2Fedit', 'de', null, '@extended'],
] as const) {
  test(`${path} shows content or its outline before any script runs, in ${language} as ${account ?? 'a visitor'} ${tag}`, async ({
    page,
    loginAs,
  }) => {
    if (account) await loginAs(account)
    await page.addInitScript(stored => localStorage.setItem('Language', stored), language)
    const letThrough = await holdBack(page, SCRIPTS)
    await open(page, path)
    const heading = page.locator('main h1')
    await expect(heading).toBeVisible()
    // Words of another language, or those for a visitor, are only an outline and cannot be used.
    const isOutline = language === 'en' || account !== null
    const colors = await heading.evaluate(one => [getComputedStyle(one).color, one.closest('[inert]') !== null])
    expect(colors).toEqual(isOutline ? ['rgba(0, 0, 0, 0)', true] : [expect.not.stringMatching(/, 0\)$/), false])
    letThrough()
    await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
    await expect(page.locator('main h1:visible')).not.toHaveCSS('color', 'rgba(0, 0, 0, 0)')
    await expect(page.locator('#root')).not.toHaveAttribute('inert')
  })
}

/** At 30 KB/s with a latency of 800 ms, content after two seconds. */
const MAX_PAGE_BYTES = 36_000
const VISITOR_PATHS = [
  '/',
  '/course-details/2',
  '/courses?q=yoga',
  '/login',
  '/register1',
  '/photo-album/1',
  '/offline',
]

for (const language of ['de', 'en']) {
  test(`on a slow connection each public page shows its content or outline from its HTML alone, in ${language} @extended`, async ({
    page,
  }) => {
    test.slow()
    await page.addInitScript(stored => localStorage.setItem('Language', stored), language)
    await page.route('**/*', route => (route.request().resourceType() === 'document' ? route.continue() : undefined))
    const found: Record<string, unknown> = {}
    for (const path of new Set([...Object.keys(PUBLIC_PAGES), ...VISITOR_PATHS])) {
      await open(page, path)
      const isVisible = await page
        .locator('main h1')
        .waitFor()
        .then(
          () => true,
          () => false,
        )
      const sizes = await page.evaluate(() =>
        performance
          .getEntriesByType('navigation')
          .map(of => ('encodedBodySize' in of ? Number(of.encodedBodySize) : 0)),
      )
      found[path] = [isVisible, Math.max(...sizes) < MAX_PAGE_BYTES]
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map(path => [path, [true, true]])))
  })
}

/** HTML that the service worker serves for a path before any script runs; '' if there is none. */
const keptView = (page: Page, view: string) =>
  page.evaluate(async at => {
    const kept = await caches.match(at, { cacheName: 'views' })
    return kept ? kept.text() : ''
  }, view)

test.describe(() => {
  test.use({ serviceWorkers: 'allow' })

  test('list and course are shown offline from the cached first view before any script runs @extended', async ({
    page,
    context,
  }) => {
    await page.goto('/courses')
    await expect.poll(() => keptView(page, '/courses'), { timeout: patience * 30_000 }).toContain('data-kept="de"')
    await page.locator('main article').first().getByRole('link').first().click()
    await page.waitForURL('**/course-details/*')
    const course = new URL(page.url()).pathname
    await expect
      .poll(() => keptView(page, course), { timeout: patience * 30_000 })
      .toContain('data-first-view="/course-details"')
    await context.setOffline(true)
    const refused: string[] = []
    page.on('console', message => /Content Security Policy/.test(message.text()) && refused.push(message.text()))
    const name = await page.getByRole('heading', { level: 1 }).innerText()
    const coursePage = await page.goto(course)
    expect(await coursePage?.text()).toContain(name)
    await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    const answer = await page.goto('/courses')
    const text = (await answer?.text()) ?? ''
    expect(text.match(/<article/g)?.length).toBeGreaterThanOrEqual(4)
    expect(text).not.toContain('style="')
    // The footer is below the viewport.
    expect(text).not.toContain('<footer')
    await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
    expect(await page.locator('main article').count()).toBeGreaterThanOrEqual(4)
    await expect(page.getByText('Keine Verbindung zum Portal')).toBeVisible()
    expect(refused).toEqual([])
  })

  test('text typed into the search of the start page is not in its cached view @extended', async ({ page }) => {
    await page.goto('/home')
    await page.getByRole('searchbox').fill('yoga')
    await page.getByRole('heading', { level: 1 }).click()
    await expect.poll(() => keptView(page, '/home'), { timeout: 30_000 }).toContain('data-kept="de"')
    expect(await keptView(page, '/home')).not.toContain('value="yoga"')
  })

  test('settings changed after a view was cached apply before the app starts @extended', async ({ page }) => {
    await page.goto('/courses')
    await expect.poll(() => keptView(page, '/courses'), { timeout: patience * 30_000 }).toContain('data-kept="de"')
    // The page stays without its app.
    await page.addInitScript(() => addEventListener('DOMContentLoaded', () => document.getElementById('app')?.remove()))
    const list = page.locator('#root[data-kept="de"]')
    const choose = async (key: string, value: string) => {
      await page.evaluate(([name, chosen]) => localStorage.setItem(name, chosen), [key, value] as const)
      await page.goto('/courses')
    }
    await choose('ColorScheme', 'dark')
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await expect(list).toBeVisible()
    await choose('SessionToken', 'of-somebody')
    await expect(list).toBeHidden()
    await page.evaluate(() => localStorage.removeItem('SessionToken'))
    await choose('Language', 'en')
    await expect(list).toBeHidden()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })

  test('a logged-in user sees their own cached start page first, in their language, and logout deletes it @extended', async ({
    page,
    portal,
  }) => {
    const body = { userName: emailOf('employee'), password: DEMO_PASSWORD, keepSession: true }
    const { id, givenName } = await portal.call(login, { body })
    await page.goto('/contact')
    await page.evaluate(token => {
      localStorage.setItem('SessionToken', token)
      localStorage.setItem('Language', 'en')
    }, id)
    await page.goto('/home')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(givenName)
    await expect.poll(() => keptView(page, '/home'), { timeout: patience * 30_000 }).toContain('data-whose="person"')
    const letThrough = await holdBack(page, '**/api/**')
    await page.goto('/home', { waitUntil: 'commit' })
    await expect(page.locator('#root[data-kept="en"]').getByRole('heading', { level: 1 })).toContainText(givenName)
    // Another user of the device sees no part of it.
    await page.evaluate(() => delete document.documentElement.dataset.person)
    await expect(page.locator('#root')).toBeHidden()
    await page.evaluate(() => Object.assign(document.documentElement.dataset, { person: '' }))
    letThrough()
    await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('heading', { level: 1 })).not.toContainText(givenName)
    await expect.poll(() => keptView(page, '/home')).not.toContain(givenName)
  })
})

test('text typed into the search before the app starts is searched for', async ({ page }) => {
  const letThrough = await holdBack(page, SCRIPTS)
  await open(page, '/courses')
  await page.getByRole('searchbox').pressSequentially('yoga')
  letThrough()
  await expect(page.getByRole('status').filter({ hasText: /^\d+ Kurse?$/ })).not.toHaveText(/^[89]\d Kurse$/)
  await expect(page.getByRole('searchbox')).toHaveValue('yoga')
  await expect(page.getByRole('searchbox')).toBeFocused()
})

for (const { sent, address } of [
  { sent: false, address: /home$/ },
  { sent: true, address: /\/courses\?.*q=yoga/ },
])
  test(`search text on the start page is preserved when the app starts${sent ? ', and then submitted' : ''} @extended`, async ({
    page,
  }) => {
    const letThrough = await holdBack(page, SCRIPTS)
    await open(page, '/home')
    await page.getByRole('searchbox').pressSequentially('yoga')
    if (sent) await page.keyboard.press('Enter')
    letThrough()
    await expect(page.locator('#root:not([data-first-view])')).toBeAttached()
    await expect(page).toHaveURL(address)
    await expect(page.getByRole('searchbox')).toHaveValue('yoga')
  })

test('a course number submitted before the app starts opens the course afterwards @extended', async ({ page }) => {
  const letThrough = await holdBack(page, SCRIPTS)
  await open(page, '/courses')
  await page.getByRole('searchbox').fill('w0101')
  await page.getByRole('searchbox').press('Enter')
  letThrough()
  await expect(page.getByRole('heading', { level: 1, name: 'Basketball nach der Spätschicht' })).toBeVisible()
})

test('all filters tapped before the app starts take effect afterwards, once each', async ({ page }) => {
  const letThrough = await holdBack(page, SCRIPTS)
  await open(page, '/courses')
  for (const name of [/^Di \d/, 'Abends', 'Salzstadt', 'Abends'])
    await page.getByRole('main').getByRole('button', { name }).first().click()
  letThrough()
  await expect(page).toHaveURL(/day=2&part=evening&city=Salzstadt/)
  await expect(page.locator('main article').first()).toContainText(/Dienstag, (?:1[7-9]|2\d):\d\d/)
})

test('order and text chosen before the app starts are kept, not the text deleted before @extended', async ({
  page,
}) => {
  const letThrough = await holdBack(page, SCRIPTS)
  await open(page, '/courses')
  const search = page.getByRole('searchbox')
  await search.fill('yoga')
  await page.getByRole('button', { name: 'Suchtext löschen' }).click()
  await expect(search).toHaveValue('')
  await search.fill('ausdauer')
  await page.getByRole('combobox', { name: 'Reihenfolge' }).selectOption('nach Name')
  letThrough()
  await expect(page).toHaveURL(/sort=name/)
  await expect(page).toHaveURL(/q=ausdauer/)
  await expect(page.getByRole('combobox', { name: 'Reihenfolge' }).locator('option:checked')).toHaveText('nach Name')
})

test('the programme is not shown at a URL with a search query before the app starts', async ({ page }) => {
  const letThrough = await holdBack(page, SCRIPTS)
  await open(page, '/courses?q=yoga')
  await expect(page.locator('main h1')).toHaveText('Kurse')
  await expect(page.locator('main article')).toHaveCount(0)
  letThrough()
  await expect(page.locator('main article').first()).toBeVisible()
})
