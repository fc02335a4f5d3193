import { describe, expect, test } from 'vitest'
import type { Language } from '#contract/values.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { MAIL_SAMPLES } from '#server/test/mail-samples.ts'
import { renderMail } from './letter.ts'
import type { MailKind, MailValues } from './mail-kinds.ts'

const { booking } = MAIL_SAMPLES
const kinds = Object.keys(MAIL_SAMPLES) as MailKind[]

function write(kind: MailKind, language: Language, payload: MailValues[MailKind] = MAIL_SAMPLES[kind]) {
  const createdAt = new Date('2026-11-21T10:00:00Z')
  const mail = { id: 42, recipient: 'kim@demo.example', language, kind, payload, createdAt, name: 'Kim <b>Muster</b>' }
  const message = renderMail(mail, { ...readConfig({}), publicUrl: 'https://sport.example' })
  return { ...message, text: String(message.text), html: String(message.html) }
}

describe.each(kinds)('%s', kind => {
  test.each(['de', 'en'] as const)('is complete in %s', language => {
    const { subject, text, html } = write(kind, language)
    for (const form of [subject, text, html]) {
      expect(form).not.toMatch(/\{\{|\}\}|undefined|null|\[object/)
      expect(String(form).length).toBeGreaterThan(10)
    }
    expect(html).toContain(`<html lang="${language}">`)
    expect(html.replaceAll(/<(?:html|body)[^>]*>/g, ''), 'as webmail shows it').toContain(` lang="${language}"`)
    expect(html).not.toMatch(/<script|<b>|<am>|<img/)
    const links = html.match(/href="([^"]*)"/g) ?? []
    for (const link of links) expect(link).toMatch(/^href="https:\/\/sport\.example\//)
    const expected = { 'account-deleted': 0, 'office-report': 7 }
    expect(links).toHaveLength(new Map(Object.entries(expected)).get(kind) ?? 1)
  })
})

test.each(kinds)('%s states that it was sent automatically', kind => {
  const { headers } = write(kind, 'en')
  expect(headers).toMatchObject({ 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' })
  expect(headers).not.toHaveProperty('List-Unsubscribe')
})

test.each([
  ['https', 'List-Unsubscribe=One-Click'],
  // RFC 8058 requires https.
  ['http', undefined],
])('an e-mail that people can end over %s says how', (scheme, post) => {
  const unsubscribeUrl = `${scheme}://sport.example/api/unsubscribe/x`
  const mail = { id: 42, recipient: 'kim@demo.example', language: 'de', name: 'Kim', createdAt: new Date() } as const
  const { headers } = renderMail({ ...mail, kind: 'opening', payload: MAIL_SAMPLES.opening }, readConfig({}), {
    unsubscribeUrl,
  })
  expect(headers).toMatchObject({ 'List-Unsubscribe': { value: `<${unsubscribeUrl}>` } })
  expect(new Map(Object.entries(headers ?? {})).get('List-Unsubscribe-Post')).toBe(post)
})

test('HTML is laid out in presentational tables, because Outlook ignores the width and padding of other boxes', () => {
  for (const kind of kinds) {
    const { html } = write(kind, 'de')
    expect(html).not.toMatch(/<(?:div|section|article|p)\b/)
    const tables = html.match(/<table\b[^>]*>/g) ?? []
    expect(tables.length).toBeGreaterThan(2)
    for (const tag of tables) expect(tag).toContain('role="presentation"')
    // Phones are narrower than the width attribute for Outlook.
    for (const tag of tables.filter(tag => tag.includes('width="560"')))
      expect(tag).toContain('width:100%;max-width:560px')
    for (const tag of html.match(/<a\b[^>]*>/g) ?? []) expect(tag).not.toContain('padding')
    for (const tag of html.match(/<(?:table|td)\b[^>]*background-color[^>]*>/g) ?? [])
      expect(tag).toMatch(/bgcolor=|background-color:#ffffff/)
    expect(html.match(/<(table|tr|td)\b/g)?.length).toBe(html.match(/<\/(table|tr|td)>/g)?.length)
  }
})

test('dark mode shows light text on a dark background, and the brand is at the top', () => {
  const { html } = write('booking', 'de')
  expect(html).toContain('content="light dark"')
  expect(html).toContain('@media (prefers-color-scheme:dark)')
  expect(html).toMatch(/<td class="brand" bgcolor="(#\w{6})"[^>]*background-color:\1/)
  // All classes in the dark color scheme occur in the e-mail.
  const [style = ''] = html.match(/<style>.*?<\/style>/s) ?? []
  const names = [...style.matchAll(/\.(\w+)[,{]/g)].map(([, name]) => name)
  expect(names).toContain('body')
  for (const name of names) expect(html).toContain(`class="${name}"`)
})

test('a booking e-mail contains course, time, venue, price and cancellation deadline', () => {
  expect(write('booking', 'de').text).toContain(`Guten Tag Kim <b>Muster</b>,

Ihr Platz ist sicher. Wir freuen uns auf Sie. Ihre Termine liegen als Kalenderdatei bei.

Kurs: Rückenfit <am> Feierabend (H-0301)
Zeit: Montag, 17:30 bis 18:30 Uhr
Zeitraum: 30.11.2026 bis 01.02.2027
Ort: Halle 2, am Tor 4, Salzstadt
Kursleitung: Ines Brandt
Preis: 40,50\u00a0€
Online-Treffen: https://meet.example/?a=1&b="2"
Online stornieren bis: 07.12.2026

Kurs ansehen: https://sport.example/course-details/17
`)
  const english = write('booking', 'en')
  expect(english.subject).toBe('Booked: Fit back & more (H-0301)')
  expect(english.text).toContain('Monday, 17:30 to 18:30')
  expect(english.text).toContain('Halle 2, at gate 4, Salzstadt')
  expect(english.html).toContain('Fit back &amp; more (H-0301)')
})

test('a cancellation deadline has a time unless it is the end of a day', () => {
  const deadline = (cancelUntil: typeof booking.cancelUntil) =>
    write('booking', 'de', { ...booking, cancelUntil }).text.match(/^Online stornieren bis: (.*)$/m)?.[1]
  const day = { day: 1, month: 2, year: 2027 }
  expect(deadline({ ...day, hour: 17, minute: 30 })).toBe('01.02.2027, 17:30')
  expect(deadline({ ...day, hour: 23, minute: 59 })).toBe('01.02.2027')
  // Stored e-mails of earlier versions have only the day.
  expect(deadline(day)).toBe('01.02.2027')
})

test('a price is one sum with its parts, and only a price of 0 is called free', () => {
  const costs = (priceCents: number, energyFeeCents: number) =>
    write('booking', 'de', { ...booking, priceCents, energyFeeCents }).text.replaceAll('\u00a0', ' ')
  expect(costs(0, 0)).toContain('Preis: kostenlos')
  expect(costs(1500, 900)).toContain('Preis: 24,00 € (15,00 € Kursgebühr + 9,00 € Energiezuschlag)')
  expect(costs(0, 900)).toContain('Preis: 9,00 €')
  expect(costs(0, 900)).not.toContain('kostenlos\n')
})

test('each weekday is named, and a venue only once if all columns contain the same', () => {
  const { text } = write('booking', 'en', {
    ...booking,
    weekdays: [4, 1],
    venue: 'Online',
    city: 'Online',
    location2: '',
    location: '',
  })
  expect(text).toContain('Monday + Thursday, 17:30 to 18:30')
  expect(text).toMatch(/: Online\n/)
})

test('a waiting-list e-mail contains the position and no cancellation deadline', () => {
  const { text } = write('waiting-list', 'de')
  expect(text).toContain('Nummer auf der Warteliste: 3')
  expect(text).not.toContain('Online stornieren bis')
})

test('e-mails about a cancelled seat and about leaving the waiting list differ', () => {
  expect(write('cancellation', 'de').text).toContain('Ihre Buchung ist storniert')
  expect(write('cancellation', 'de', { ...booking, state: 2 }).text).toContain('nicht mehr auf der Warteliste')
  const ended = write('cancellation', 'de', { ...booking, state: 2, hasEnded: true }).text
  expect(ended).toContain('darum endet seine Warteliste')
  const external = write('cancellation', 'de', { ...booking, state: 2, isExternal: true }).text
  expect(external).toContain('Externe können nur freie Plätze buchen')
  expect(write('cancellation', 'de').text).not.toContain('Preis')
  const charge = { cents: 4050, reason: 'Absprache', freeUntil: { year: 2026, month: 12, day: 3 } }
  const { text } = write('cancellation', 'de', { ...booking, charge })
  for (const words of ['40,50\u00a0€', 'Begründung: Absprache', '03.12.2026']) expect(text).toContain(words)
})

test('the e-mail about a deleted account says whether billing data are retained', () => {
  const textOf = (isBillingKept: boolean) => write('account-deleted', 'de', { isBillingKept }).text
  expect(textOf(true)).toContain('10 Jahre')
  expect(textOf(false)).not.toContain('10 Jahre')
})

test('of two merged accounts, each is told which one remains', () => {
  const merged = MAIL_SAMPLES['people-merged']
  expect(write('people-merged', 'de', { ...merged, isInto: true }).text).toContain('stehen jetzt hier')
  expect(write('people-merged', 'de', { ...merged, isInto: false }).text).toContain('dort melden Sie sich an')
})

test('an unverified address receives no text entered by a stranger', () => {
  for (const kind of ['activation', 'new-email'] as const) {
    const { text, html, to } = write(kind, 'de')
    expect(text).toContain('https://sport.example/activate/tok')
    expect([text, html, JSON.stringify(to)].join()).not.toContain('Muster')
  }
})

test('an e-mailed password is on a line of its own in text and HTML', () => {
  const { text, html } = write('password-reset', 'en')
  expect(text).toContain('\nPassword: k4mt-92pw\n')
  expect(html).toContain('>k4mt-92pw</td>')
})

test('a notice contains all of its text before the link', () => {
  const notice = {
    de: { title: 'Fällt aus', paragraphs: ['Der Termin fällt aus.', 'Halle gesperrt'] },
    en: { title: 'Cancelled', paragraphs: ['The lesson is cancelled.', 'Gym closed'] },
    path: '/course-details/17',
  }
  for (const kind of ['notice', 'notice-urgent'] as const) {
    const { text, html } = write(kind, 'de', notice)
    for (const form of [text, html]) expect(form.indexOf('Halle gesperrt')).toBeLessThan(form.indexOf('https://sport'))
  }
})
