import type { Locator, Page } from '@playwright/test'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { press, tabTo } from './keyboard-steps.ts'
import { germanDate, inDays } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

/** The act dialog of the office, operated by keyboard only. */
class Keys {
  readonly #page: Page
  readonly dialog: Locator
  constructor(page: Page) {
    this.#page = page
    this.dialog = page.getByRole('dialog')
  }
  field = (label: string) => this.dialog.getByLabel(new RegExp(`^${label.replace(/[()]/g, '\\$&')}(?:\\s*\\*)?$`))
  async write(label: string, text: string) {
    await tabTo(this.#page, this.field(label))
    await this.#page.keyboard.press('Control+a')
    await this.#page.keyboard.type(text)
  }
  async confirm() {
    const reason = this.dialog.getByLabel('Begründung')
    const ready = this.dialog.locator('button[aria-disabled="false"]')
    await expect(ready.or(reason).first()).toBeVisible()
    if (await reason.isVisible()) {
      await tabTo(this.#page, reason)
      await this.#page.keyboard.type('So abgesprochen')
    }
    await press(this.#page, ready)
    await expect(this.dialog).toBeHidden()
  }
}

test('with the keyboard only, a season is created, planned and opened, a lesson moved and one cancelled @desktop @extended', async ({
  page,
  loginAs,
}) => {
  test.slow()
  await loginAs('desk')
  const keys = new Keys(page)
  const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name })
  await page.goto('/office')
  await expect(page.getByRole('heading', { level: 1, name: 'Heute' })).toBeVisible()
  // The two keys must be pressed within 1.5 s, which a loaded machine may exceed.
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await expect(page).toHaveURL(/office\/season/, { timeout: 2_000 })
  }).toPass()

  await press(page, button('Saison anlegen'))
  await keys.write('Name (Deutsch)', 'Tastensaison')
  await keys.write('Kürzel', 'T')
  await keys.write('Erster Tag der Saison', germanDate(inDays(1)))
  await keys.write('Letzter Tag der Saison', germanDate(inDays(60)))
  await keys.write('Sichtbar ab', `${germanDate(inDays(-3))} 08:00`)
  await keys.write('Buchbar ab', `${germanDate(inDays(-2))} 08:00`)
  await keys.confirm()
  await expect(page.getByRole('heading', { level: 1, name: 'Tastensaison' })).toBeVisible()

  await press(page, button('Kurs anlegen'))
  await keys.write('Kursnummer', 'T-01')
  await keys.write('Name (Deutsch)', 'Yoga mit Tasten')
  await tabTo(page, keys.field('Kategorie'))
  await page.keyboard.press('ArrowDown')
  await keys.write('Plätze', '12')
  await keys.write('Erster Tag', germanDate(inDays(2)))
  await keys.write('Letzter Tag', germanDate(inDays(30)))
  await keys.write('Beginn', '05:00')
  await keys.write('Ende', '05:45')
  // One of the days is excluded.
  const days = keys.dialog.getByRole('group', { name: /Termine$/ }).getByRole('button', { pressed: true })
  await expect(days.first()).toBeVisible()
  const count = await days.count()
  await press(page, days.last(), 'Space')
  await expect(days).toHaveCount(count - 1)
  // The room is the first row of the plan.
  await keys.write('Ort', 'AA Tastenraum')
  await keys.confirm()

  await press(page, button('Veröffentlichen'))
  await keys.confirm()
  await expect(button('Veröffentlichen')).toHaveCount(0)

  // Moves a lesson of the plan without dragging.
  const block = button(/^05:00 ?–05:45/)
  await press(page, block.first())
  await keys.write('Beginn', '05:15')
  await keys.write('Ende', '06:00')
  await keys.confirm()
  await expect(button(/^05:15 ?–06:00/)).toBeVisible()

  // From the list to the course.
  await page.keyboard.press('/')
  await page.keyboard.type('T-01')
  await page.keyboard.press('Tab')
  await press(page, page.getByRole('region', { name: 'Kurse' }).getByRole('link', { name: 'T-01 Yoga mit Tasten' }))
  const beside = page.getByRole('complementary', { name: 'Daneben geöffnet' })
  await expect(beside.getByRole('heading', { name: 'T-01 Yoga mit Tasten' })).toBeVisible()
  await tabTo(page, beside.getByRole('tab', { name: 'Angaben' }))
  await page.keyboard.press('ArrowRight')
  await expect(beside.getByRole('tab', { name: /^Termine/, selected: true })).toBeFocused()
  await press(page, beside.getByRole('button', { name: 'Termin hinzufügen' }))
  await keys.write('Tag', germanDate(inDays(40)))
  await keys.confirm()
  const rows = beside.getByRole('table', { name: /^Termine/ }).getByRole('row')
  await press(page, rows.last().getByRole('button', { name: 'Ausfallen lassen' }))
  await keys.confirm()
  await expect(rows.last()).toContainText('Fällt aus')
})
