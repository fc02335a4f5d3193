import { listCourses } from '#contract/endpoints/courses.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { test as base, expect, portalWith, WITHOUT_WORKER } from './fixtures.ts'
import type { Portal } from './portal.ts'
import { inDays } from './programme-steps.ts'
import { enter, Hand } from './season-steps.ts'

/** A portal without any data. */
const test = base.extend<{ site: string }, { portal: Portal }>({
  portal: portalWith({ DEMO: 'off', OFFICE_PASSKEY: 'required' }),
  site: ({ portal }, use) => use(portal.url.replace('127.0.0.1', 'localhost')),
})

test.use(WITHOUT_WORKER)

test('the first course of an empty portal is published in at most 12 taps @desktop @extended', async ({
  page,
  portal,
  site,
}) => {
  test.slow()
  const hand = new Hand(page)
  await enter(page, portal, site, hand, [])
  await page.goto(`${site}/office`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Willkommen')
  expect(await violationsInBothSchemes(page)).toEqual([])
  await hand.task('first course', async () => {
    await hand.tap(hand.button('Sich alle Rechte geben'))
    await hand.confirm()
    await hand.tap(hand.button('Kategorie anlegen'))
    await hand.write('Name (Deutsch)', 'Yoga')
    await hand.confirm()
    await hand.tap(hand.button('Saison anlegen'))
    await hand.write('Name (Deutsch)', 'Winter')
    await hand.write('Kürzel', 'W')
    await hand.write('Erster Tag der Saison', inDays(0))
    await hand.write('Letzter Tag der Saison', inDays(60))
    await hand.write('Sichtbar ab', `${inDays(-3)}T08:00`)
    await hand.write('Buchbar ab', `${inDays(-2)}T08:00`)
    await hand.confirm()
    await hand.tap(hand.button('Kurs anlegen'))
    await hand.write('Kursnummer', 'W-01')
    await hand.write('Name (Deutsch)', 'Yoga am Abend')
    await hand.choose(hand.field('Kategorie'), { label: 'Yoga' })
    await hand.write('Plätze', '20')
    await hand.write('Erster Tag', inDays(7))
    await hand.write('Letzter Tag', inDays(35))
    await hand.write('Beginn', '18:00')
    await hand.write('Ende', '19:00')
    await hand.giveReasonIfAsked()
    await hand.confirm()
    await hand.tap(hand.button('Veröffentlichen'))
    await hand.confirm()
  })
  await expect.poll(() => portal.call(listCourses)).toHaveLength(1)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Heute')
  expect(Number.parseInt(hand.counts['first course'] ?? '', 10)).toBeLessThanOrEqual(12)
})
