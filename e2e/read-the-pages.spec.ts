import type { Page } from '@playwright/test'
import { contentItem } from '#contract/test/content.ts'
import { overflowOf, violationsOf } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { spareData } from './network-steps.ts'
import { visit } from './walk-steps.ts'

test.use(WITHOUT_WORKER)

type Words = { heading: string; words: string }
const pages: { route: string; de: Words; en: Words }[] = [
  {
    route: '/courses',
    de: { heading: 'Kurse', words: 'früheste zuerst' },
    en: { heading: 'Courses', words: 'soonest first' },
  },
  {
    route: '/login',
    de: { heading: 'Anmelden', words: 'Angemeldet bleiben' },
    en: { heading: 'Log in', words: 'Keep me logged in' },
  },
  {
    route: '/home',
    de: { heading: 'Sport, der in Ihren Tag passt', words: 'Worauf haben Sie Lust?' },
    en: { heading: 'Sport that fits your day', words: 'What do you feel like?' },
  },
  {
    route: '/courseprogram',
    de: { heading: 'Kursprogramm', words: 'PDF öffnen' },
    en: { heading: 'Course programme', words: 'Open PDF' },
  },
  {
    route: '/flyers',
    de: { heading: 'Flyer', words: 'Gesund durch den Winter' },
    en: { heading: 'Flyers', words: 'Healthy through winter' },
  },
  {
    route: '/instructor',
    de: { heading: 'Kursleitungen', words: 'Sechzehn Menschen' },
    en: { heading: 'Instructors', words: 'Sixteen people' },
  },
  {
    route: '/teamsport',
    de: { heading: 'Team', words: 'in Elternzeit' },
    en: { heading: 'Team', words: 'on parental leave' },
  },
  {
    route: '/photo-album',
    de: { heading: 'Fotogalerie', words: 'Sporttag am Tor 4' },
    en: { heading: 'Photo gallery', words: 'Sports day at gate 4' },
  },
  {
    route: '/photo-album/1',
    de: { heading: 'Sporttag am Tor 4', words: 'Zurück zu den Alben' },
    en: { heading: 'Sports day at gate 4', words: 'Back to the albums' },
  },
  {
    route: '/info',
    de: { heading: 'Infos und Fragen', words: 'Kurze Antworten' },
    en: { heading: 'Info and FAQ', words: 'Short answers' },
  },
  {
    route: '/faq',
    de: { heading: 'Häufige Fragen', words: 'Wer darf mitmachen?' },
    en: { heading: 'FAQ', words: 'Who may take part?' },
  },
  {
    route: '/teilnahmebedingung',
    de: { heading: 'Teilnahmebedingungen', words: '15,00 €' },
    en: { heading: 'Conditions of participation', words: '15,00 €' },
  },
  {
    route: '/privacy',
    de: { heading: 'Datenschutz', words: 'Stand: August 2024' },
    en: { heading: 'Privacy', words: 'As of August 2024' },
  },
  {
    route: '/accessibility',
    de: { heading: 'Barrierefreiheit', words: 'Bilder in Fotoalben' },
    en: { heading: 'Accessibility', words: 'Pictures in photo albums' },
  },
  {
    route: '/processing-record',
    de: { heading: 'Verzeichnis der Verarbeitung', words: 'Art. 9 Abs. 2 Buchst. a DSGVO' },
    en: { heading: 'Record of processing', words: 'whose lines are chained' },
  },
  {
    route: '/superiors',
    de: { heading: 'Was Vorgesetzte sehen', words: 'Anwesenheit an den Terminen (Sie selbst' },
    en: { heading: 'What superiors see', words: 'groups of fewer than 5 people' },
  },
  {
    route: '/inprint',
    de: { heading: 'Impressum', words: 'Vorsitz des Aufsichtsrats' },
    en: { heading: 'Legal notice', words: 'Chair of the supervisory board' },
  },
  {
    route: '/contact',
    de: { heading: 'Kontakt', words: 'Montag bis Donnerstag, 08:00 bis 15:30 Uhr' },
    en: { heading: 'Contact', words: 'Monday to Thursday, 08:00 to 15:30' },
  },
  {
    route: '/offline',
    de: { heading: 'Offline verfügbar', words: 'Geöffnete Dokumente' },
    en: { heading: 'Available offline', words: 'Opened documents' },
  },
]

const speak = (page: Page, language: 'de' | 'en') =>
  page.addInitScript(stored => localStorage.setItem('Language', stored), language)

async function expectWords(page: Page, { heading, words }: Words): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  await expect(page.locator('main')).toContainText(words)
}

for (const { language, colorScheme, size } of [
  { language: 'de', colorScheme: 'light', size: { width: 390, height: 844 } },
  { language: 'en', colorScheme: 'dark', size: { width: 320, height: 640 } },
] as const)
  test(`every page is shown in ${language}, and accessible in the ${colorScheme} color scheme at ${size.width} px @extended`, async ({
    page,
  }) => {
    test.slow()
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    await speak(page, language)
    const problems: Record<string, unknown> = {}
    let left: string | undefined
    for (const { route, [language]: words } of pages) {
      await visit(page, route, left)
      left = route
      await expectWords(page, words)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      if (language === 'de')
        await expect(page).toHaveTitle(
          new RegExp(`${words.heading.startsWith('Sport, der') ? 'Start' : words.heading} · Werksport`),
        )
      const found = { violations: await violationsOf(page), overflow: await overflowOf(page) }
      if (found.violations.length > 0 || found.overflow > 0) problems[route] = found
    }
    expect(problems).toEqual({})
  })

test.describe(() => {
  test.use({ serviceWorkers: 'allow' })

  test('after one visit every page is available offline, and so is a saved flyer @extended', async ({
    page,
    context,
  }) => {
    test.slow()
    await spareData(page)
    await page.goto('/flyers')
    await page.evaluate(() => navigator.serviceWorker.ready)
    const keep = page.getByRole('button', { name: 'Offline behalten: Gesund durch den Winter' })
    await keep.click()
    await expect(keep).toHaveAttribute('aria-pressed', 'true')
    await expect(keep).toHaveText('Offline')
    await page.waitForLoadState('networkidle')

    await context.setOffline(true)
    let left: string | undefined
    for (const { route, de } of pages) {
      await visit(page, route, left)
      left = route
      await expectWords(page, de)
    }
    await expect(page.getByRole('link', { name: 'Gesund durch den Winter' })).toBeVisible()
    const status = await page.evaluate(async () => (await fetch('/content/gesund-durch-den-winter.pdf')).status)
    expect(status).toBe(200)
    await page.getByRole('button', { name: 'Gesund durch den Winter löschen' }).click()
    await expect(page.getByText('Noch keine. Mit „Offline behalten“')).toBeVisible()
  })
})

test('a question can be opened by keyboard and by its URL, one at a time', async ({ page }) => {
  await page.goto('/faq#cancel')
  await expect(page.getByText('5. Arbeitstags')).toBeVisible()
  await page.getByRole('button', { name: 'Wann ist ein Kurs für mich kostenlos?' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('mindestens zwei Drittel')).toBeVisible()
  await expect(page.getByText('5. Arbeitstags')).toBeHidden()
  await expect(page).toHaveURL(/#free$/)
  await expect(page.getByRole('main').getByRole('button', { expanded: true })).toHaveCount(1)
})

test.describe('hostile content', () => {
  test.use({ mayBeRefused: true })
  test('links in editorial content have permitted targets only, and its scripts never run @extended', async ({
    page,
  }) => {
    await page.route('**/api/webcontentitem', route =>
      route.fulfill({
        json: [
          contentItem('HomeTop', { text1: 'Kurs', linkText: 'zum Kurs', link: '1' }),
          contentItem('HomeTop', { text1: 'Böse', linkText: 'klick', link: 'javascript:document.title="x"' }),
          contentItem('HomeTop', { text1: 'Fremd', linkText: 'fremd', link: '//evil.example' }),
          contentItem('HomeTop', { text1: 'Seite', linkText: 'hinaus', link: 'https://example.org/' }),
          contentItem('HomeButtom', {
            text1: '<b>Fett</b>',
            text2:
              '<p>Bitte <strong>mitbringen</strong><img src=x onerror="document.title=1"><a href="javascript:1">weiter</a></p><table><tbody><tr><th>Halle</th><td>Tor 4</td></tr></tbody></table>',
          }),
        ],
      }),
    )
    await page.goto('/home')
    await expect(page.getByRole('link', { name: 'zum Kurs' })).toHaveAttribute('href', '/course-details/1')
    await expect(page.getByText('klick')).toBeVisible()
    await expect(page.getByRole('link', { name: 'klick' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'fremd' })).toHaveCount(0)
    const outside = page.getByRole('link', { name: 'hinaus' })
    await expect(outside).toHaveAttribute('target', '_blank')
    await expect(outside).toHaveAttribute('rel', /noopener/)
    await expect(page.getByRole('heading', { name: 'Fett', exact: true })).toBeVisible()
    await expect(page.locator('main strong', { hasText: 'mitbringen' })).toBeVisible()
    // The app renders all markup that the import accepts, including tables.
    await expect(page.getByRole('row', { name: 'Halle Tor 4' })).toBeVisible()
    await expect(page.locator('main a[href^="javascript"]')).toHaveCount(0)
    await expect(page).toHaveTitle('Start · Werksport')
  })
})

test('without flyers, instructors have a profile that links to their courses @extended', async ({ page }) => {
  await page.route('**/api/webcontentitem', route => route.fulfill({ json: [] }))
  await page.goto('/instructor')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Ines Brandt' }) })
  await expect(card).toContainText('Jahrgang 1984')
  expect(await violationsOf(page)).toEqual([])
  await card.getByRole('link', { name: 'Kurse von Ines suchen' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('"Ines Brandt"')
})

test('a failed load is reported and can be retried', async ({ page }) => {
  let isDown = true
  await page.route('**/api/webcontentitem', route => (isDown ? route.abort() : route.continue()))
  await page.goto('/flyers')
  const retry = page.getByRole('button', { name: 'Noch einmal versuchen' })
  await expect(retry).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  isDown = false
  // The page may have recovered automatically: any response of the portal triggers a retry.
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 })
    await expect(page.getByRole('heading', { name: 'Gesund durch den Winter' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
})

test('a long text has a table of contents that links to each section @desktop @extended', async ({ page }) => {
  await page.goto('/privacy')
  const last = page.getByRole('heading', { name: '11. Sicherheit' })
  await expect(last).not.toBeInViewport()
  await page.getByRole('navigation', { name: 'Auf dieser Seite' }).getByRole('link', { name: '11. Sicherheit' }).click()
  await expect(last).toBeInViewport()
  expect(await violationsOf(page)).toEqual([])
})
