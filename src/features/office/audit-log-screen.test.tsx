import { act } from 'react'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { ACTS } from '#contract/acts/acts.ts'
import german from '../../i18n/de/office.json' with { type: 'json' }
import english from '../../i18n/en/office.json' with { type: 'json' }
import { initializeTexts } from '../../i18n/i18n.ts'
import { addOfficeTexts } from '../../i18n/office-texts.ts'
import { render } from '../../test/render.tsx'
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

const network = async ({ url }: Request) => {
  const query = new URL(url).searchParams
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
const open = () =>
  render(
    <Router hook={memoryLocation({ path: '/office/record' }).hook}>
      <AuditLogScreen />
    </Router>,
    'office',
    'office-programme',
  )
const rowsOf = (container: HTMLElement) => [...container.querySelectorAll('tbody tr')].map(row => row.textContent ?? '')
const until = (check: () => void) => vi.waitFor(() => act(async () => check()), PATIENCE)

beforeEach(() => {
  window.location.href = 'http://portal.example/'
  vi.stubGlobal('fetch', network)
  asked = []
  lines = Array.from({ length: 1_300 }, (_, index) => lineOf(1_300 - index, index === 1_299 ? 'das Allererste' : ''))
})

test('every action has a name in the audit log, in both languages', () => {
  for (const { kind } of [german, english]) expect(Object.keys(kind)).toEqual(expect.arrayContaining(Object.keys(ACTS)))
})

test('the audit log loads more rows as the user scrolls, and all of them for a search', async () => {
  const container = await open()
  await until(() => expect(rowsOf(container).length).toBeGreaterThan(10))
  expect(asked).toEqual(['100 after null'])

  const more = [...container.querySelectorAll('button')].find(({ textContent }) => textContent?.includes('Mehr'))
  for (let press = 0; press < 3; press += 1) await act(async () => more?.click())
  await until(() => expect(asked).toEqual(['100 after null', '500 after 1201']))

  const box = container.querySelector<HTMLInputElement>('input[type="search"]')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, 'allererste')
    box?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await until(() => expect(rowsOf(container)).toEqual([expect.stringContaining('das Allererste')]))
  expect(container.querySelector('[role="status"]')?.textContent).toBe('1 Zeile')
})

test('items created by an action are rendered at any position', async () => {
  lines = lines.slice(0, 90)
  const container = await open()
  await until(() => expect(rowsOf(container).length).toBeGreaterThan(10))
  lines = [...lines, lineOf(1, 'eben getan')]
  await act(async () => refetchOfficeData())
  await until(() => expect(rowsOf(container).at(-1)).toContain('eben getan'))
})
