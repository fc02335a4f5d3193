import { expect, test } from 'vitest'
import accounts from '../../i18n/de/accounts.json' with { type: 'json' }
import { toReadableText } from './data-model.ts'

const german = (key: string, otherwise: string): string => {
  const found = key
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], accounts)
  return typeof found === 'string' ? found : otherwise
}

const data = {
  account: { language: 'de', registeredAt: '2026-03-01 09:05:07', isPasswordToChange: false },
  profile: { givenName: 'Kim', familyName: 'Müller', employeeStatus: 1, department: '', unknownKey: 'x' },
  instructor: null,
  bookings: [
    { name: 'Rückenfit', startsOn: '2026-10-05', state: 'waiting list', priceEuro: '45.5', cancelledAt: null },
    { name: 'Yoga', startsOn: '2026-10-06', state: 'booked', priceEuro: 0, cancelledAt: null },
  ],
  messages: [{ title: 'Willkommen', text: '<p>Guten <b>Tag</b></p>' }],
  sessions: [],
}

test('the readable file says everything in the reader’s words, dates and amounts in German format', () => {
  const text = toReadableText(data, german)
  expect(text).toBe(`Konto
=====
Sprache: Deutsch
Registriert: 01.03.2026 09:05
Passwort zu ändern: nein

Profil
======
Vorname: Kim
Nachname: Müller
Personenkreis: Mitarbeiterin oder Mitarbeiter
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
Text: Guten Tag

Anmeldungen auf Geräten
=======================
–
`)
})

test('every value is in the file, also of parts that have no name yet', () => {
  const text = toReadableText({ later: { deep: [{ a: 'eins' }, { a: 'zwei' }] } }, german)
  for (const word of ['later', 'deep', 'eins', 'zwei']) expect(text).toContain(word)
})
