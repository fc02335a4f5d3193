import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ANONYMOUS_SESSION } from '#contract/endpoints/session.ts'
import { useSession } from '#features/session/store.ts'
import { person, USER } from '#test/outbox/world.ts'
import { render } from '#test/render.tsx'
import { pendingPresenceEntriesOf } from '../model.ts'
import { markOfEntry } from '../outbox/records.ts'
import { attendance, counts, steps, useAttendance } from '../store.ts'
import { AttendanceBoard } from './attendance-board.tsx'

const NAMES = { 100: 'Arndt, Ada', 101: 'Behn, Bo', 102: 'Cole, Cy' }
const heldAt = (day: number) => ({ year: 2026, month: 11, day, hour: 18, minute: 0, second: 0 })
const participants = Object.entries(NAMES).map(([id, name]) => ({
  id: Number(id),
  name,
  participation: 0,
  isUserPresent: false,
  isRecorded: false,
}))
const listOf = (courseId: number, people = participants) => ({
  courseId,
  participants: people,
  preSelectCourseDateId: courseId * 100 + 11,
  participatingComplete: false,
  message: '',
  state: 'Ok' as const,
  fetchedAt: 0,
  courseDates: [11, 18].map(day => ({ id: courseId * 100 + day, date: heldAt(day), participants: people })),
})

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.setSystemTime(new Date('2026-11-18T18:10:00Z'))
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  window.history.replaceState(null, '', '/course-participation/1')
  useSession.setState({ session: { ...ANONYMOUS_SESSION, webUserId: USER } })
})

/** A list of participants without recorded attendance, and the changes stored on the device. */
async function open(courseId: number, people = participants) {
  const list = listOf(courseId, people)
  await attendance.outbox.setPerson(person)
  attendance.showAttendance()
  useAttendance.setState({ lists: { [courseId]: list } })
  const page = await render(<AttendanceBoard list={list} title="Kurs" />, 'attendance')
  const button = (name: string) => {
    const found = [...page.querySelectorAll('button')].find(
      of => of.getAttribute('aria-label')?.startsWith(name) || of.textContent === name,
    )
    if (!found) throw new Error(`there is no button ${name}`)
    return found
  }
  const tap = (name: string) => act(async () => button(name).click())
  const told = (by = steps) => act(() => new Promise<void>(resolve => by.subscribe(() => resolve())))
  const marks = () => {
    const { entries } = useAttendance.getState().view
    const ticks = [...pendingPresenceEntriesOf(entries, courseId, USER).values()]
    return Object.fromEntries(ticks.map(tick => [tick.webUserId, markOfEntry(tick)]))
  }
  return { page, button, tap, told, marks }
}

test('undo reverts the last tap, even immediately after it, and then the one before', async () => {
  const { tap, told, marks, button } = await open(1)
  await tap('Arndt')
  await told()
  await tap('Behn')
  await tap('Rückgängig')
  // No later than what the row itself shows.
  expect(button('Behn').getAttribute('aria-checked')).toBe('false')
  await vi.waitFor(() => expect(marks()).toEqual({ 100: 'present', 101: 'none' }))
  await tap('Rückgängig')
  await vi.waitFor(() => expect(marks()).toEqual({ 100: 'none', 101: 'none' }))
})

test('"all present" changes only rows without a record, even those tapped just before, and undo reverts only these', async () => {
  const { tap, told, marks } = await open(2)
  await tap('Arndt')
  await told()
  await tap('Arndt')
  await tap('Behn')
  await tap('Alle da')
  await vi.waitFor(() => expect(marks()).toEqual({ 100: 'absent', 101: 'present', 102: 'present' }))
  await tap('Rückgängig')
  await vi.waitFor(() => {
    expect(marks()).toMatchObject({ 100: 'absent', 101: 'present' })
    expect(marks()[102] ?? 'none').toBe('none')
  })
})

test('a tap is shown on the date for which it was made', async () => {
  const { tap, button } = await open(3)
  await tap('Arndt')
  expect(button('Arndt').getAttribute('aria-checked')).toBe('true')
  await tap('Nächster Termin')
  expect(button('Arndt').getAttribute('aria-checked')).toBe('false')
})

test('a reload shows the date that was chosen, and so does the renewal of the session', async () => {
  const { tap } = await open(16)
  await tap('Nächster Termin')
  useSession.setState({ session: { ...ANONYMOUS_SESSION, webUserId: USER, keepSession: false } })
  const { page } = await open(16)
  expect(page.querySelector('select')?.value).toBe('1618')
  const renewal = page.querySelector('a[href^="/login"]')?.getAttribute('href') ?? ''
  const next = new URL(renewal, 'http://portal.example').searchParams.get('next')
  expect(next).toBe('/course-participation/16?date=2026-11-18T18:00')
})

test('the footer updates together with the count, before the rows', async () => {
  const { page, tap, told, button } = await open(4)
  expect(page.textContent).toContain('Noch nicht erfasst: 3')
  expect(button('Rückgängig').disabled).toBe(true)
  await tap('Arndt')
  await told(counts)
  expect(page.querySelector('h2')?.textContent).toMatch(/^1 von 3/)
  expect(page.textContent).toContain('Noch nicht erfasst: 2')
  expect(button('Rückgängig').disabled).toBe(false)
})

test('more than 24 participants are split into groups labelled by their first and last name', async () => {
  const namesOf = (page: Element) => [...page.querySelectorAll('ul')].map(list => list.getAttribute('aria-label'))
  const people = Array.from({ length: 30 }, (_, index) => ({
    id: 200 + index,
    name: `Person ${10 + index}`,
    participation: 0,
    isUserPresent: false,
    isRecorded: false,
  }))
  const { page, tap, button } = await open(5, people)
  expect(namesOf(page)).toEqual(expect.arrayContaining(['Person 10 bis Person 33', 'Person 34 bis Person 39']))
  expect(page.querySelectorAll('[role="switch"]')).toHaveLength(30)
  await tap('Person 34')
  expect(button('Person 34').getAttribute('aria-checked')).toBe('true')
  expect(namesOf((await open(6, people.slice(0, 24))).page).filter(Boolean)).toEqual([])
})

test('a substitute’s lesson can be read but not recorded', async () => {
  const list = listOf(9)
  const [first, second] = list.courseDates
  const locked = {
    ...list,
    courseDates: [first, { ...second, isReadOnly: true as const }] as typeof list.courseDates,
    preSelectCourseDateId: second?.id ?? 0,
  }
  const page = await render(<AttendanceBoard list={locked} title="Kurs" />, 'attendance')
  expect(page.textContent).toContain('Ada')
  expect(page.textContent).toContain('Eine Vertretung leitet diesen Termin')
})

test('a substitute cannot close the attendance of the course', async () => {
  const complete = 'abschließen'
  const own = await render(<AttendanceBoard list={listOf(10)} title="Kurs" />, 'attendance')
  expect(own.textContent).toContain(complete)
  const substitute = await render(
    <AttendanceBoard list={{ ...listOf(11), isSubstitute: true }} title="Kurs" />,
    'attendance',
  )
  expect(substitute.textContent).not.toContain(complete)
})

test('a device clock set back by a year does not lock the list, because the fetch time is used', async () => {
  vi.setSystemTime(new Date('2025-11-18T18:10:00Z'))
  const fetchedOn = async (courseId: number, fetchedAt: string) => {
    const list = { ...listOf(courseId), fetchedAt: Date.parse(fetchedAt), preSelectCourseDateId: courseId * 100 + 18 }
    return (await render(<AttendanceBoard list={list} title="Kurs" />, 'attendance')).textContent
  }
  for (const text of [await fetchedOn(12, '2026-11-18T16:00:00Z'), await fetchedOn(13, '2026-11-16T16:00:00Z')]) {
    expect(text).toContain('Noch nicht erfasst: 3')
    expect(text).not.toContain('kommt erst noch')
  }
  expect(await fetchedOn(14, '2026-11-18T16:00:00Z')).toContain('heute, 18:00')
  vi.setSystemTime(new Date('2026-11-16T18:10:00Z'))
  expect(await fetchedOn(15, '2026-11-16T16:00:00Z')).toContain('kommt erst noch (übermorgen)')
})

test('a page that is reloaded a week later shows the lesson of that day, not the one that was open', async () => {
  vi.setSystemTime(new Date('2026-11-11T18:10:00Z'))
  window.history.replaceState(null, '', '/course-participation/17?date=2026-11-18T18:00')
  const shown = async () => (await open(17)).page.querySelector('select')?.value
  expect(await shown()).toBe('1718')
  expect(await shown()).toBe('1718')
  const { tap } = await open(17)
  await tap('Voriger Termin')
  await tap('Nächster Termin')
  expect(await shown()).toBe('1718')
  vi.setSystemTime(new Date('2026-11-18T18:10:00Z'))
  expect(await shown()).toBe('1711')
})
