import { expect, test } from 'vitest'
import { MAIL_KINDS, personalData, SECURITY_EVENTS } from '#contract/endpoints/personal-data.ts'
import { isKeyOf } from '#contract/records.ts'
import { PROFILE_FIELD_LABELS } from '#contract/tables/person.ts'
import accounts from '../../i18n/de/accounts.json' with { type: 'json' }
import englishAccounts from '../../i18n/en/accounts.json' with { type: 'json' }
import { exportToText } from './data-model.ts'

const textsOf = (language: object) => (key: string, otherwise: string) => {
  const found = key
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], language)
  return typeof found === 'string' ? found : otherwise
}
const german = textsOf(accounts)
const names = PROFILE_FIELD_LABELS.de

const data = {
  account: { language: 'de', registeredAt: '2026-03-01 09:05:07', isPasswordToChange: false },
  profile: { givenName: 'Kim', familyName: 'Müller', employeeStatus: 1, department: '', unknownKey: 'x' },
  instructor: null,
  bookings: [
    { name: 'Rückenfit', startsOn: '2026-10-05', state: 'waiting list', priceEuro: '45.5', cancelledAt: null },
    { name: 'Yoga', startsOn: '2026-10-06', state: 'booked', priceEuro: 0, cancelledAt: null },
  ],
  messages: [
    { title: 'Willkommen', text: '<p>Guten <b>Tag</b>,</p><p>viel<br>Freude</p><ul><li>hier</li><li>dort</li></ul>' },
  ],
  sessions: [],
}

test('the readable export uses the reader’s texts, and German formats for dates and amounts', () => {
  const text = exportToText(data, german, names)
  expect(text).toBe(`Konto
=====
Sprache: Deutsch
Registriert: 01.03.2026 09:05
Passwort zu ändern: nein

Profil
======
Vorname: Kim
Nachname: Müller
Status: Beschäftigt
Abteilung: –
unknownKey: x

Buchungen
=========
Kurs: Rückenfit
Beginn: 05.10.2026
Stand: Warteliste
Preis: 45,50\u00a0€
Storniert: –

Kurs: Yoga
Beginn: 06.10.2026
Stand: gebucht
Preis: 0,00\u00a0€
Storniert: –

Nachrichten
===========
Titel: Willkommen
Text: Guten Tag, viel Freude hier dort

Anmeldungen auf Geräten
=======================
–
`)
})

test('the export includes every value, even in parts without a label', () => {
  const text = exportToText({ later: { deep: [{ a: 'eins' }, { a: 'zwei' }] } }, german, names)
  for (const word of ['later', 'deep', 'eins', 'zwei']) expect(text).toContain(word)
})

/** The value names of a part, whether it is one entry or a list. */
function namesIn(part: object): string[] {
  if ('wrapped' in part) return namesIn(part.wrapped as object)
  if ('item' in part) return namesIn(part.item as object)
  return 'entries' in part ? Object.keys(part.entries as object) : []
}

test.each([
  ['de', accounts],
  ['en', englishAccounts],
] as const)('every part and value of the export has a unique label: %s', (language, own) => {
  const texts = textsOf(own)
  const names = PROFILE_FIELD_LABELS[language]
  const whole = Object.fromEntries(
    Object.entries(personalData.entries).map(([part, schema]) => {
      const values = namesIn(schema).map(name => [name, 'wert'])
      expect(values.length).toBeGreaterThan(0)
      return [part, Object.fromEntries(values)]
    }),
  )
  const kinds = { mails: MAIL_KINDS.map(kind => ({ kind })), securityEvents: SECURITY_EVENTS.map(kind => ({ kind })) }
  const links = [{ purpose: 'activation' }, { purpose: 'new-email' }]
  for (const text of [exportToText(whole, texts, names), exportToText({ ...kinds, links }, texts, names)]) {
    const keys = [...Object.keys(whole), ...Object.values(whole).flatMap(part => Object.keys(part))]
    const raw = [...keys, ...MAIL_KINDS, ...SECURITY_EVENTS].filter(name => /[A-Z2-]/.test(name))
    expect(raw.filter(name => new RegExp(`(?:^|[ \n])${name}(?:$|[:\n])`).test(text))).toEqual([])
  }
  // Labels are unique within an entry.
  for (const part of Object.values(whole)) {
    const own = Object.keys(part).map(name => texts(`data.name.${name}`, isKeyOf(names, name) ? names[name] : ''))
    expect(own).toEqual([...new Set(own)])
    expect(own).not.toContain('')
  }
})

test('unset values are shown as a dash, word lists on one line', () => {
  const text = exportToText(
    { instructor: { coursesTaught: ['A-1', 'B-2'] }, profile: { yearOfBirth: null } },
    german,
    names,
  )
  expect(text).toContain(': A-1, B-2\n')
  expect(text).toContain('Geburtsjahr: –')
})
