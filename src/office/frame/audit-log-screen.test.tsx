import { act } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ACTS } from '#contract/acts/acts.ts'
import { render } from '#test/render.tsx'
import german from '../../i18n/de/office.json' with { type: 'json' }
import english from '../../i18n/en/office.json' with { type: 'json' }
import { changeLanguage, initializeTexts } from '../../i18n/i18n.ts'
import { addOfficeTexts } from '../../i18n/office-texts.ts'
import { AuditLogScreen } from './audit-log-screen.tsx'
import { refetchOfficeData } from './store.ts'

beforeAll(async () => {
  await initializeTexts()
  addOfficeTexts()
})

const PATIENCE = { timeout: 3_000 }
/** Lines, newest first. */
let lines: { recordId: number; at: string; kind: string; actorId: number; text: string; line: object }[] = []
let asked: string[] = []
/** responses with 429 before the next page */
let refusals = 0

const network = async ({ url }: Request) => {
  const query = new URL(url).searchParams
  if (query.get('after') !== null && refusals > 0) {
    refusals -= 1
    return Response.json(
      { status: 'Failed', message: 'Zu viele Anfragen' },
      { status: 429, headers: { 'Retry-After': '0.02' } },
    )
  }
  asked.push(`${query.get('limit')} after ${query.get('after')}`)
  const behind = lines.filter(({ recordId }) => recordId < Number(query.get('after') ?? '9999'))
  const items = behind.slice(0, Number(query.get('limit')))
  const next = items.length < behind.length ? String(items.at(-1)?.recordId) : null
  return Response.json({ items, next })
}
const lineOf = (recordId: number, text = '') => ({
  recordId,
  at: '2026-11-22T10:00:00',
  kind: 'confirm-course',
  actorId: 1,
  text,
  line: {},
  program: null,
  actor: 'Dora Lindner',
  names: {},
  concerned: [],
})
const open = () => render(<AuditLogScreen />, 'office', 'office-programme')
const rowsOf = (container: HTMLElement) => [...container.querySelectorAll('tbody tr')].map(row => row.textContent ?? '')
const until = (check: () => void) => vi.waitFor(() => act(async () => check()), PATIENCE)

afterEach(() => act(() => changeLanguage('de')))
beforeEach(() => {
  window.location.href = 'http://portal.example/'
  vi.stubGlobal('fetch', network)
  asked = []
  refusals = 0
  lines = Array.from({ length: 1_300 }, (_, index) => lineOf(1_300 - index, index === 1_299 ? 'das Allererste' : ''))
})

test('every action has a name in the audit log, in both languages', () => {
  const missing = Object.entries({ de: german.kind, en: english.kind }).flatMap(([language, names]) =>
    Object.keys(ACTS).flatMap(kind => (kind in names ? [] : [`src/i18n/${language}/office.json: kind.${kind}`])),
  )
  expect(missing).toEqual([])
})

test('the audit log loads more rows as the user scrolls, and all of them for a search', async () => {
  const container = await open()
  await until(() => expect(rowsOf(container).length).toBeGreaterThan(10))
  expect(asked).toEqual(['100 after null'])

  const more = [...container.querySelectorAll('button')].find(({ textContent }) => textContent?.includes('Mehr'))
  for (let press = 0; press < 3; press += 1) await act(async () => more?.click())
  await until(() => expect(asked).toEqual(['100 after null', '500 after 1201']))

  // Beyond the request limit, the rest arrives later.
  refusals = 2
  const box = container.querySelector<HTMLInputElement>('input[type="search"]')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, 'allererste')
    box?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await act(() => vi.waitFor(() => expect(asked.at(-1)).toBe('500 after 701'), PATIENCE))
  await until(() => expect(rowsOf(container)).toEqual([expect.stringContaining('das Allererste')]))
  expect(container.querySelector('[role="status"]')?.textContent).toBe('1 Zeile')
  expect(refusals).toBe(0)
})

test('items created by an action are rendered at any position', async () => {
  lines = lines.slice(0, 90)
  const container = await open()
  await until(() => expect(rowsOf(container).length).toBeGreaterThan(10))
  lines = [...lines, lineOf(1, 'eben getan')]
  await act(async () => refetchOfficeData())
  await until(() => expect(rowsOf(container).at(-1)).toContain('eben getan'))
})

const CHANGES: [line: object, german: string, english: string][] = [
  [{ after: { state: 'locked' } }, 'Stand: – → gesperrt', 'State: – → locked'],
  [
    { before: { state: 'planned' }, after: { state: 'cancelled' } },
    'Stand: findet statt → fällt aus',
    'State: takes place → cancelled',
  ],
  [
    { before: { bookingStatus: 2 }, after: { bookingStatus: 0 } },
    'Buchungsstand: auf der Warteliste → nicht gebucht',
    'Booking status: on the waiting list → not booked',
  ],
  [{ after: { charge: 'processing' } }, '– → Bearbeitungsgebühr', '– → processing fee'],
  [{ after: { chargeCents: 4550 } }, 'Zu zahlen: – → 45,50\u00a0€', 'To pay: – → 45,50\u00a0€'],
  [{ after: { kind: 'payroll' } }, 'Art: – → Gehaltslauf', 'Kind: – → payroll run'],
  [{ after: { entryKind: 'write-off' } }, 'Art: – → Ausgebucht', 'Kind: – → Written off'],
  [{ after: { rights: ['billing', 'owner'] } }, '– → Abrechnung, Rechte vergeben', '– → Billing, Grant rights'],
  [{ after: { kinds: ['booking.created'] } }, 'Meldet: – → eine Buchung', 'Reports: – → a booking'],
  [{ after: { scopes: ['lists'] } }, 'Listen, Personen und Buchungen lesen', 'read lists, people and bookings'],
  [{ after: { fields: ['text1', 'familyName'] } }, '– → Überschrift, Nachname', '– → Heading, Last name'],
  [{ after: { heldAt: '2026-12-04 18:00:00' } }, '– → Fr 04.12.2026, 18:00', '– → Fri 04.12.2026, 18:00'],
  [
    { before: { 72: { state: 'planned' } }, after: { 72: { state: 'cancelled' } } },
    'Nummer 72: Stand: findet statt → Stand: fällt aus',
    'Number 72: State: takes place → State: cancelled',
  ],
  [
    { after: { 'rooms.csv': { created: 1, updated: 0, unchanged: 0, removed: 0 } } },
    'rooms.csv: – → neu: 1',
    'rooms.csv: – → new: 1',
  ],
  [{ objects: { right: 'content' } }, 'Recht: Inhalte', 'Right: Content'],
  [{ objects: { to: 'waiting', id: 3 } }, 'An: Warteliste eines Kurses', 'To: Waiting list of a course'],
  [{ objects: { page: 'faq' } }, 'Seite: Häufige Fragen', 'Page: FAQ'],
  [{ objects: { what: 'album', id: 3 } }, 'Was: Album', 'What: album'],
]

test.each(['de', 'en'] as const)(
  'values in the audit log are shown in the words of the office UI (%s)',
  async language => {
    await changeLanguage(language)
    lines = CHANGES.map(([line], index) => ({ ...lineOf(CHANGES.length - index), line }))
    const container = await open()
    const expected = CHANGES.map(([, german, english]) => expect.stringContaining(language === 'de' ? german : english))
    await until(() => expect(rowsOf(container)).toEqual(expected))
  },
)
