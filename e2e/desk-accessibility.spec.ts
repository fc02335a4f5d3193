import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { listOfficeCourses, listOfficePeople } from '#contract/office/office.ts'
import { overflowOf, violationsInBothSchemes, violationsOf, wideTablesOf } from './accessibility-steps.ts'
import { expect, type Portal, test, WITHOUT_WORKER } from './fixtures.ts'
import { tokenOf } from './people-steps.ts'
import { DEMO_PASSWORD } from './portal.ts'

test.use(WITHOUT_WORKER)

/**
 * Checks every office screen and tab, and every dialog that its buttons open, in the light scheme; the screens also in
 * the dark scheme. DESK_STATES=de or =en checks all of them in both schemes and saves screenshots in screens/desk.
 */
const WHOLE = process.env.DESK_STATES
const LANGUAGE = WHOLE === 'en' ? 'en' : 'de'
const PICTURES = join(import.meta.dirname, '../screens/desk')

/** Screens that each test checks. The tabs of a course are together, because all of them have its actions. */
const SHARES: ((course: number, person: number) => string[])[] = [
  course =>
    ['', '?tab=lessons', '?tab=people', '?tab=messages', '?tab=record'].map(tab => `/office/courses/${course}${tab}`),
  () => ['/office/season', '/office/season?by=instructor', '/office/messages', '/office/lists', '/office/import'],
  () => ['/office', '/office/record', '/office/rights', '/office/hr-list'],
  (_, person) => [
    '/office/people',
    `/office/people/${person}`,
    '/office/bookings',
    '/office/letters',
    '/office/connections',
  ],
  () => ['/office/basics', '/office/content', '/office/money', '/office/report'],
]

/** Buttons that download a file or take effect immediately open no dialog. */
const NO_DIALOG = new RegExp(
  [
    'CSV|Excel|PDF|ZIP|JSON|Als Text|As text|export|gedruckt|printed|Mehr|more|Tag|Woche|week|day|Heute|today',
    '^(?:Alle|Show all|Drucken|Print|Größer|Larger|Kalender öffnen|Open the calendar|Nachricht schreiben|Write a message)$',
  ].join('|'),
  'i',
)

/** Without tabs, toggles and the headings of table groups, which only change the displayed content. */
const BUTTONS =
  'main button:enabled:not(thead *, th[scope="rowgroup"] *, [aria-disabled="true"], [role="tab"], [aria-pressed])'

/** A person with bookings, and the course with the most bookings. */
async function findSubjects(portal: Portal): Promise<[course: number, person: number]> {
  const token = await tokenOf(portal, { email: 'desk@demo.example', password: DEMO_PASSWORD })
  const { items } = await portal.call(listOfficeCourses, { query: { limit: '500' }, token })
  const [course] = items
    .filter(({ cancelled }) => !cancelled)
    .sort((a, b) => b.waiting - a.waiting || b.booked - a.booked)
  const { items: people } = await portal.call(listOfficePeople, { query: { q: 'mara' }, token })
  return [course?.id ?? 0, people[0]?.id ?? 0]
}

const settled = async (page: Page) => {
  await expect(page.locator('[data-waiting], [aria-busy="true"]')).toHaveCount(0)
  await page.waitForLoadState('networkidle')
}

/** The distinct names of a screen's buttons, with the position of the first button of each name. */
const buttonsOf = (page: Page) =>
  page.locator(BUTTONS).evaluateAll(all => {
    const first = new Map<string, number>()
    all.forEach((button, index) => {
      const name = (button.getAttribute('aria-label') ?? button.textContent ?? '').replace(/:.*|\d.*/s, '').trim()
      if (button.checkVisibility() && name && !first.has(name)) first.set(name, index)
    })
    return [...first]
  })

/** Checks a screen, then each dialog that its buttons open. */
async function visit(
  page: Page,
  path: string,
  seen: Set<string>,
  inspect: (state: string, isDialog: boolean) => Promise<void>,
) {
  const open = async () => {
    await page.goto(path)
    // While a screen waits for its data, React keeps it hidden in the page beside its placeholder.
    await page.locator('main h1').filter({ visible: true }).first().waitFor()
    await settled(page)
  }
  await open()
  await inspect(path, false)
  const dialog = page.getByRole('dialog')
  for (const [name, index] of await buttonsOf(page)) {
    // The actions of a course are repeated above each of its tabs, and the search on every screen: each is checked
    // once.
    const id = /Ctrl|Strg/.test(name) ? name : `${path.replace(/\?.*/, '')} ${name}`
    if (NO_DIALOG.test(name) || seen.has(id)) continue
    seen.add(id)
    await page.locator(BUTTONS).nth(index).click()
    const isOpen = await dialog.waitFor({ timeout: 5_000 }).then(
      () => true,
      // The button opened no dialog: it only changes the displayed content.
      () => false,
    )
    if (isOpen) {
      await settled(page)
      await inspect(`${path} ${name}`, true)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    } else await open()
  }
}

for (const [index, share] of SHARES.entries()) {
  test(`the office UI, including its dialogs, is accessible: part ${index + 1} of ${SHARES.length} @desktop @extended`, async ({
    page,
    portal,
    loginAs,
  }) => {
    if (WHOLE) test.setTimeout(900_000)
    else test.slow()
    await loginAs('desk')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.addInitScript(stored => localStorage.setItem('Language', stored), LANGUAGE)
    const found: Record<string, string[]> = {}
    let states = 0
    const inspect = async (state: string, isDialog: boolean) => {
      states += 1
      // The viewport is so high that the footer bar of a dialog covers no field.
      if (isDialog) await page.setViewportSize({ width: 1280, height: 3000 })
      // The page around the dialogs is checked by other tests.
      const part = isDialog ? '[role="dialog"]' : 'main'
      const violations = await (WHOLE || !isDialog
        ? violationsInBothSchemes(page, part)
        : violationsOf(page, undefined, part))
      if ((await overflowOf(page)) > 0) violations.push('wider than the window')
      if (!isDialog) {
        await page.setViewportSize({ width: 390, height: 844 })
        // The layout differs on phones, and with it what covers or labels what, but not the colors.
        const inspectPhone = WHOLE ? violationsInBothSchemes : violationsOf
        violations.push(...(await inspectPhone(page, undefined, part)).map(violation => `phone: ${violation}`))
        violations.push(...(await wideTablesOf(page)).map(table => `wider than a phone: ${table}`))
      }
      if (violations.length > 0) found[state] = violations
      await page.setViewportSize({ width: 1280, height: 900 })
      if (WHOLE) {
        await mkdir(PICTURES, { recursive: true })
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme })
          const name = `${state.slice(1).replaceAll(/[^\wäöüÄÖÜß]+/g, '-')}-${LANGUAGE}-${colorScheme}.png`
          await page.screenshot({ path: join(PICTURES, name), animations: 'disabled' })
        }
      } else await page.emulateMedia({ colorScheme: 'light' })
    }
    const seen = new Set<string>()
    for (const path of share(...(await findSubjects(portal)))) await visit(page, path, seen, inspect)
    test.info().annotations.push({ type: 'states', description: String(states) })
    expect(found).toEqual({})
  })
}
