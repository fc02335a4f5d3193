import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { addAuthenticator, passkeyLinkOf, runOffice } from './passkey-steps.ts'
import { field, logIn, PASSWORD, submit } from './people-steps.ts'
import type { Portal } from './portal.ts'
import { inDays } from './programme-steps.ts'

const OWNER = 'erste@sport.example'
export const PEOPLE = 20

/** Effort of a task: number of taps and of completed fields. */
export class Hand {
  readonly #page: Page
  readonly counts: Record<string, string> = {}
  #taps = 0
  #fields = 0

  constructor(page: Page) {
    this.#page = page
  }

  async task(name: string, work: () => Promise<void>): Promise<void> {
    this.#taps = 0
    this.#fields = 0
    await work()
    this.counts[name] = `${this.#taps} taps, ${this.#fields} fields`
  }

  async tap(target: Locator): Promise<void> {
    this.#taps += 1
    await target.click()
  }

  async choose(target: Locator, choice: string | { label: string }): Promise<void> {
    this.#taps += 1
    await target.selectOption(choice)
  }

  async write(label: string, text: string): Promise<void> {
    this.#fields += 1
    await this.field(label).fill(text)
  }

  /** In the dialog; a star in the label marks required fields. */
  field = (label: string): Locator =>
    this.dialog.getByLabel(new RegExp(`^${label.replace(/[()]/g, '\\$&')}(?:\\s*\\*)?$`))

  get dialog(): Locator {
    return this.#page.getByRole('dialog')
  }

  button = (name: string | RegExp): Locator => this.#page.getByRole('button', { name }).first()
  place = (name: string): Locator =>
    this.#page.getByRole('navigation', { name: 'Arbeitsplatz' }).getByRole('link', { name })

  /** Dates on a holiday or too late require a reason. */
  async giveReasonIfAsked(): Promise<void> {
    const reason = this.dialog.getByLabel('Begründung')
    const ready = this.dialog.locator('button[aria-disabled="false"]')
    await expect(ready.or(reason).first()).toBeVisible()
    if (await reason.isVisible()) await reason.fill('So abgesprochen')
  }

  /** Submit button, which appears with the preview. */
  async confirm(): Promise<void> {
    await this.tap(this.dialog.locator('button[aria-disabled="false"]'))
    await expect(this.dialog).toBeHidden()
  }
}

/** @param rights that the owner takes */
export async function enter(
  page: Page,
  portal: Portal,
  site: string,
  hand: Hand,
  rights = ['Programm', 'Buchungen und Personen', 'Inhalte'],
): Promise<void> {
  await runOffice(portal, 'add', OWNER, 'owner')
  await addAuthenticator(page)
  const mails = await portal.mailsTo(OWNER, 2)
  const password = mails.map(({ text }) => /Passwort: *(\S+)/.exec(text)?.[1]).find(Boolean) ?? ''
  // The e-mail's link leads to passkey registration through all required steps.
  await page.goto(`${site}${await passkeyLinkOf(portal, OWNER)}`)
  await logIn(page, { email: OWNER, password })
  await expect(page).toHaveURL(/password-change\?next=/)
  await field(page, 'password').fill(PASSWORD)
  await field(page, 'confirmPassword').fill(PASSWORD)
  await submit(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()
  await page.getByRole('button', { name: 'Passkey einrichten' }).click()
  await expect(page).toHaveURL(`${site}/office`)
  if (rights.length === 0) return
  await page.goto(`${site}/office/rights`)
  for (const right of rights) {
    await hand.tap(page.getByRole('checkbox', { name: new RegExp(`^${right}: `) }))
    await hand.confirm()
  }
  // The new places are there without a reload.
  await expect(hand.place('Programm')).toBeVisible()
}

/** Master data for courses: rooms, instructors, a category. */
export async function makeBasics(page: Page, hand: Hand): Promise<void> {
  await hand.tap(hand.place('Einrichtung'))
  for (const [button, fields] of [
    ['Gesellschaft anlegen', { Name: 'Werk Nord' }],
    ['Kategorie anlegen', { 'Name (Deutsch)': 'Yoga', 'Name (Englisch)': 'Yoga' }],
    ['Raum anlegen', { Name: 'Halle 1' }],
    ['Raum anlegen', { Name: 'Halle 2' }],
    ['Kursleitung anlegen', { 'E-Mail': 'ida@sport.example', Nachname: 'Berg' }],
    ['Kursleitung anlegen', { 'E-Mail': 'ole@sport.example', Nachname: 'Tal' }],
  ] as const) {
    await hand.tap(hand.button(button))
    for (const [label, text] of Object.entries(fields)) await hand.write(label, text)
    await hand.confirm()
  }
  await expect(page.getByRole('rowheader', { name: 'Berg' })).toBeVisible()
}

export async function makeCourse(
  page: Page,
  hand: Hand,
  number: string,
  name: string,
  startTime: string,
): Promise<void> {
  await hand.tap(hand.button('Kurs anlegen'))
  await hand.write('Kursnummer', number)
  await hand.write('Name (Deutsch)', name)
  await hand.choose(hand.field('Kategorie'), { label: 'Yoga' })
  await hand.write('Plätze', String(PEOPLE))
  await hand.write('Erster Tag', inDays(7))
  await hand.write('Letzter Tag', inDays(35))
  await hand.write('Beginn', startTime)
  await hand.write('Ende', startTime.replace(':00', ':50'))
  await hand.write('Ort', 'Halle 1')
  await hand.write('E-Mail der Kursleitung', 'ida@sport.example')
  await hand.giveReasonIfAsked()
  await hand.confirm()
  await expect(page.getByRole('link', { name: `${number} ${name}` })).toBeVisible()
}
