import PostalMime from 'postal-mime'
import type { ReceivedMail } from '../mail-server.ts'
import { HELD, inYear } from './lessons.ts'
import { languageOf, type PersonName } from './programme.ts'

export type Letter = { to: string; on: string; subject: string; text: string }

/** The e-mails as their recipients read them, in the order of time; `on` is 'DD.MM.'. */
export const readLetters = (mails: readonly ReceivedMail[]): Promise<Letter[]> =>
  Promise.all(
    mails.map(async ({ to, source }) => {
      const { subject = '', date = '', text = '' } = await PostalMime.parse(source)
      const [, month, day] = new Date(date).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' }).split('-')
      return { to: to.split('@')[0] ?? '', on: `${day}.${month}.`, subject, text }
    }),
  )

/** 'DD.MM. subject' of each e-mail by recipient; e-mails sent at the same time are ordered by subject. */
export function bySubject(letters: readonly Letter[]): Record<string, string[]> {
  const subjects: Record<string, string[]> = {}
  for (const { to, on, subject } of letters) subjects[to] = [...(subjects[to] ?? []), `${on} ${subject}`]
  return sortedByDay(subjects)
}

/** Sort key of 'DD.MM. …' for August to April. */
const order = (line: string) => `${Number(line.slice(3, 5)) < 8 ? 1 : 0}${line.slice(3, 5)}${line.slice(0, 2)} ${line}`
const sortedByDay = (subjects: Record<string, string[]>) =>
  Object.fromEntries(
    Object.entries(subjects).map(([name, lines]) => [name, lines.sort((a, b) => (order(a) < order(b) ? -1 : 1))]),
  )

const BEGINS: Record<string, [time: string, name: string, name2: string]> = {
  'H-01': ['18:00', 'Rückenfit', 'Back fit'],
  'H-02': ['17:00', 'Yoga', 'Yoga'],
  'H-03': ['07:00', 'Aqua', 'Aqua'],
  'H-07': ['16:00', 'Offenes Training', 'Open training'],
  'H-08': ['09:00', 'Sonntagslauf', 'Sunday run'],
  'F-01': ['10:00', 'Frühlingslauf', 'Spring run'],
}

/** Reminders: one on the evening before each lesson. */
function eves(name: PersonName): string[] {
  return Object.entries(HELD).flatMap(([number, { days, marks }]) =>
    days.flatMap((day, index) => {
      if ((marks[name] ?? '').charAt(index).trim() === '') return []
      const eve = new Date(Date.parse(inYear(day)) - 86_400_000).toISOString()
      const [time, title, title2] = BEGINS[number] ?? []
      const words = languageOf(name) === 'en' ? `Tomorrow at ${time}: ${title2}` : `Morgen um ${time} Uhr: ${title}`
      return `${eve.slice(8, 10)}.${eve.slice(5, 7)}. ${words}`
    }),
  )
}

/** All e-mails of the simulation, by recipient. */
export const MAILS: Record<string, string[]> = sortedByDay({
  anna: [
    '14.09. Gebucht: Rückenfit (H-01)',
    '14.09. Gebucht: Offenes Training (H-07)',
    '14.09. Gebucht: Sonntagslauf (H-08)',
    '06.11. Termin geändert: Rückenfit (H-01)',
    '11.01. Gebucht: Frühlingslauf (F-01)',
    '01.03. Zusätzlicher Termin: Frühlingslauf (F-01)',
    '12.04. Gebucht: Sommerfit (S-01)',
    '16.12. Abgerechnet: Rückenfit (H-01)',
    '16.12. Abgerechnet: Sonntagslauf (H-08)',
    '19.04. Abgerechnet: Frühlingslauf (F-01)',
    ...eves('anna'),
  ],
  bernd: [
    '14.09. Gebucht: Rückenfit (H-01)',
    '14.09. Gebucht: Sonntagslauf (H-08)',
    '06.11. Termin geändert: Rückenfit (H-01)',
    '16.12. Abgerechnet: Rückenfit (H-01)',
    '16.12. Abgerechnet: Sonntagslauf (H-08)',
  ],
  cem: [
    '14.09. Gebucht: Rückenfit (H-01)',
    '06.11. Termin geändert: Rückenfit (H-01)',
    '15.12. Ihr Nachweis: Schichtdienst 26.10.2026 – 14.12.2026',
    '16.12. Abgerechnet: Rückenfit (H-01)',
  ],
  desk: [
    '31.08. Neues Recht: Programm',
    '31.08. Neues Recht: Buchungen und Personen',
    '31.08. Neues Recht: Abrechnung',
  ],
  dora: [
    '14.09. Gebucht: Aqua (H-03)',
    '30.11. Termin geändert: Aqua (H-03)',
    '16.12. Abgerechnet: Aqua (H-03)',
    '11.01. Gebucht: Frühlingslauf (F-01)',
    '01.03. Zusätzlicher Termin: Frühlingslauf (F-01)',
    '19.04. Ihr Nachweis: Krankmeldung 22.03.2027 – 05.04.2027',
    '19.04. Abgerechnet: Frühlingslauf (F-01)',
  ],
  emil: [
    '14.09. Gebucht: Aqua (H-03)',
    '30.11. Termin geändert: Aqua (H-03)',
    '16.12. Abgerechnet: Aqua (H-03)',
    '11.01. Gebucht: Frühlingslauf (F-01)',
    '01.03. Zusätzlicher Termin: Frühlingslauf (F-01)',
    '19.04. Ihr Nachweis: Krankmeldung 22.03.2027 – 06.04.2027',
    '19.04. Abgerechnet: Frühlingslauf (F-01)',
  ],
  frieda: [
    '14.09. Gebucht: Aqua (H-03)',
    '30.11. Termin geändert: Aqua (H-03)',
    '16.12. Abgerechnet: Aqua (H-03)',
    '11.01. Gebucht: Frühlingslauf (F-01)',
    '01.03. Zusätzlicher Termin: Frühlingslauf (F-01)',
    '19.04. Ihr Nachweis: Krankmeldung 22.03.2027 – 07.04.2027',
    '19.04. Abgerechnet: Frühlingslauf (F-01)',
  ],
  gerd: [
    '14.09. Gebucht: Aqua (H-03)',
    '30.11. Termin geändert: Aqua (H-03)',
    '11.01. Gebucht: Frühlingslauf (F-01)',
    '01.03. Zusätzlicher Termin: Frühlingslauf (F-01)',
    '16.12. Abgerechnet: Aqua (H-03)',
    '16.12. Rechnung 2026-000004',
    '19.04. Abgerechnet: Frühlingslauf (F-01)',
    '19.04. Rechnung 2027-000002',
  ],
  ida: [
    '14.09. Gebucht: Rückenschule (H-06)',
    '20.11. Termin geändert: Rückenschule (H-06)',
    '16.12. Abgerechnet: Rückenschule (H-06)',
    '16.12. Ihre Teilnahmebescheinigung: Rückenschule',
    '16.12. Rechnung 2026-000005',
  ],
  jan: [
    '14.09. Booking opens at 08:00: Autumn',
    '14.09. Booked: Yoga (H-02)',
    '14.09. Booked: Aqua (H-03)',
    '14.09. Booked: Open training (H-07)',
    // The reminder went out at 18:30, the cancellation follows at 20:00.
    '09.11. Tomorrow at 17:00: Yoga',
    '09.11. Urgent: Lesson cancelled: Yoga (H-02)',
    '30.11. Lesson changed: Aqua (H-03)',
    '16.12. Settled: Yoga (H-02)',
    '16.12. Settled: Aqua (H-03)',
    '16.12. Invoice 2026-000002',
    ...eves('jan'),
  ],
  karl: [
    '14.09. Gebucht: Yoga (H-02)',
    '14.09. Gebucht: Zirkel (H-04)',
    '06.10. Storniert: Zirkel (H-04)',
    '09.11. Eilig: Termin fällt aus: Yoga (H-02)',
    '16.12. Abgerechnet: Yoga (H-02)',
    '16.12. Rechnung 2026-000003',
  ],
  lena: ['14.09. Booked: Circuit (H-04)', '16.12. Settled: Circuit (H-04)'],
  mia: [
    '14.09. Gebucht: Pilates online (H-05)',
    '25.09. Termin fällt aus: Pilates online (H-05)',
    '16.12. Abgerechnet: Pilates online (H-05)',
  ],
  nils: ['12.11. Gebucht: Pilates online (H-05)', '16.12. Abgerechnet: Pilates online (H-05)'],
  nobody: ['01.09. Bitte aktivieren Sie Ihr Konto'],
  olga: [
    '14.09. Auf der Warteliste: Rückenfit (H-01)',
    '12.11. Ein Platz für Sie: Rückenfit (H-01)',
    '19.04. Ihr Konto ist gelöscht',
    '16.12. Abgerechnet: Rückenfit (H-01)',
  ],
  paul: [
    '14.09. Gebucht: Yoga (H-02)',
    '20.10. Storniert: Yoga (H-02)',
    '20.10. Gebucht: Meditation (H-10)',
    '30.11. Zusätzlicher Termin: Meditation (H-10)',
    '16.12. Abgerechnet: Meditation (H-10)',
  ],
  rosa: [
    '14.09. Gebucht: Rückenfit (H-01)',
    '06.11. Termin geändert: Rückenfit (H-01)',
    '12.11. Storniert: Rückenfit (H-01)',
    '19.04. Ihr Konto ist gelöscht',
  ],
  sina: ['06.11. Termin geändert: Rückenfit (H-01)'],
  sven: [
    '14.09. Gebucht: Tai Chi (H-09)',
    '21.09. Kurs fällt aus: Tai Chi (H-09)',
    '12.11. Auf der Warteliste: Rückenfit (H-01)',
    '14.12. Storniert: Rückenfit (H-01)',
  ],
  theo: [
    '25.09. Termin fällt aus: Pilates online (H-05)',
    '20.11. Termin geändert: Rückenschule (H-06)',
    '30.11. Zusätzlicher Termin: Meditation (H-10)',
    '15.12. Anwesenheit abgeschlossen: Pilates online (H-05)',
  ],
  tina: [
    '21.09. Ihr Kurs fällt aus: Tai Chi (H-09)',
    '06.11. Termin geändert: Rückenfit (H-01)',
    '09.11. Eilig: Termin fällt aus: Yoga (H-02)',
    '30.11. Termin geändert: Aqua (H-03)',
    '15.12. Anwesenheit abgeschlossen: Rückenfit (H-01)',
    '15.12. Anwesenheit abgeschlossen: Aqua (H-03)',
    '01.03. Zusätzlicher Termin: Frühlingslauf (F-01)',
    '19.04. Anwesenheit abgeschlossen: Frühlingslauf (F-01)',
  ],
  tom: ['30.10. Ihre Konten wurden zusammengelegt', '16.12. Abgerechnet: Zirkel (H-04)'],
  tommy: ['14.09. Gebucht: Zirkel (H-04)', '30.10. Ihre Konten wurden zusammengelegt'],
  ute: ['10.04. Bitte aktivieren Sie Ihr Konto'],
  uwe: [
    '14.09. Gebucht: Yoga (H-02)',
    '09.11. Eilig: Termin fällt aus: Yoga (H-02)',
    '16.12. Abgerechnet: Yoga (H-02)',
    '05.01. Rechnung 2027-000001',
  ],
  vera: ['14.09. Gebucht: Zirkel (H-04)', '20.11. Ihr Konto ist gelöscht'],
})

/**
 * Words that an e-mail must contain (first lesson, last day to cancel, this person's price), and words that it must not
 * contain.
 */
export const SENTENCES: [to: PersonName, subject: string, says: string[], saysNot: string[]][] = [
  ['anna', 'Gebucht: Rückenfit', ['28.09.2026', '05.10.2026', '60,00'], []],
  ['jan', 'Booked: Yoga', ['29.09.2026', '06.10.2026', '95'], ['80']],
  ['jan', 'Booked: Aqua', ['08.10.2026', '114', '105'], []],
  ['olga', 'Ein Platz für Sie', ['16.11.2026', '23.11.2026', '60,00'], ['05.10.2026', '28.09.2026 18']],
  ['nils', 'Gebucht: Pilates', ['18.11.2026', '25.11.2026', 'https://meet.example/pilates'], ['14.10.2026']],
  ['paul', 'Gebucht: Meditation', ['29.10.2026', '05.11.2026', '70,00'], ['08.10.2026']],
  ['rosa', 'Storniert: Rückenfit', ['60,00'], []],
  ['sven', 'Kurs fällt aus', ['Zu wenige Anmeldungen.'], []],
  ['sven', 'Storniert: Rückenfit', ['endet seine Warteliste'], []],
  ['karl', 'Eilig', ['10.11.2026', 'Die Halle ist gesperrt.'], []],
]

/** The messages under *my messages* at the end, oldest first. */
export const MESSAGES: Partial<Record<PersonName, string[]>> = {
  anna: [
    'Termin geändert: Rückenfit (H-01)',
    'Abgerechnet: Rückenfit (H-01)',
    'Abgerechnet: Sonntagslauf (H-08)',
    'Zusätzlicher Termin: Frühlingslauf (F-01)',
    'Abgerechnet: Frühlingslauf (F-01)',
  ],
  jan: [
    'Urgent: Lesson cancelled: Yoga (H-02)',
    'Lesson changed: Aqua (H-03)',
    'Settled: Yoga (H-02)',
    'Settled: Aqua (H-03)',
    'Invoice 2026-000002',
  ],
  karl: ['Eilig: Termin fällt aus: Yoga (H-02)', 'Abgerechnet: Yoga (H-02)', 'Rechnung 2026-000003'],
  paul: [
    'Storniert: Yoga (H-02)',
    'Gebucht: Meditation (H-10)',
    'Zusätzlicher Termin: Meditation (H-10)',
    'Abgerechnet: Meditation (H-10)',
  ],
  sina: ['Termin geändert: Rückenfit (H-01)'],
  sven: ['Kurs fällt aus: Tai Chi (H-09)', 'Storniert: Rückenfit (H-01)'],
  tina: [
    'Ihr Kurs fällt aus: Tai Chi (H-09)',
    'Termin geändert: Rückenfit (H-01)',
    'Eilig: Termin fällt aus: Yoga (H-02)',
    'Termin geändert: Aqua (H-03)',
    'Zusätzlicher Termin: Frühlingslauf (F-01)',
  ],
  tom: ['Abgerechnet: Zirkel (H-04)'],
}
