import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { tick } from '#test/outbox/world.ts'
import { render } from '#test/render.tsx'
import { counts, steps, useAttendance } from '../store.ts'
import { AttendanceRow } from './attendance-row.tsx'

test('a row shows its tap immediately and then the state of the list, even if it has not changed', async () => {
  const row = {
    webUserId: 100,
    name: 'Muster, Kim',
    mark: 'present',
    markAtServer: 'present',
    participation: 1,
  } as const
  const taps: string[] = []
  const page = await render(
    <AttendanceRow
      {...row}
      state="confirmed"
      reason=""
      dates={2}
      isLocked={false}
      lockedBy=""
      onSet={(_, mark) => taps.push(mark)}
      onDecide={() => undefined}
    />,
    'attendance',
  )
  const button = page.querySelector('button')
  const isChecked = () => button?.getAttribute('aria-checked')
  await act(async () => button?.click())
  expect([taps, isChecked()]).toEqual([['absent'], 'false'])
  const word = [...page.querySelectorAll('span')].find(of => of.textContent === 'bestätigt')
  // The server has confirmed a different attendance entry.
  expect(word?.style.visibility).toBe('hidden')
  // Reverted before subscribers were notified: the list has not changed.
  const { view } = useAttendance.getState()
  useAttendance.setState({ view: { ...view, entries: [tick()] } })
  useAttendance.setState({ view: { ...view, entries: [] } })
  await act(() => new Promise<void>(told => steps.subscribe(() => told())))
  expect([isChecked(), word?.style.visibility]).toEqual(['true', ''])
})

test('the effects of a tap are published in one batch, a newly loaded list immediately', async () => {
  const { view, lists } = useAttendance.getState()
  const told: (number | string)[] = []
  const stop = steps.subscribe(shown =>
    told.push(Object.keys(shown.lists).length > 0 ? 'list' : shown.view.entries.length),
  )
  steps.hold()
  for (const count of [1, 2, 3])
    useAttendance.setState({ view: { ...view, entries: Array.from({ length: count }, () => tick()) } })
  expect(told).toEqual([])
  await vi.waitFor(() => expect(told).toEqual([3]))
  useAttendance.setState({ lists: { 1: {} as never } })
  expect(told).toEqual([3, 'list'])
  useAttendance.setState({ lists, view })
  stop()
})

test.each([
  ['the count', counts, 100, 500],
  ['the list', steps, 600, 3_100],
])(
  '%s is updated after the last tap, or after a maximum delay during continuous tapping',
  (_, follower, pauseMs, mostMs) => {
    vi.useFakeTimers()
    const { view } = useAttendance.getState()
    let told = 0
    const stop = follower.subscribe(({ view: { entries } }) => {
      told = entries.length
    })
    const entries: ReturnType<typeof tick>[] = []
    const tap = () => {
      follower.hold()
      entries.push(tick())
      useAttendance.setState({ view: { ...view, entries: [...entries] } })
    }
    tap()
    vi.advanceTimersByTime(pauseMs)
    expect(told).toBe(1)
    vi.advanceTimersByTime(1_000)
    let latest = 0
    for (let taps = 0; taps < 60; taps += 1) {
      tap()
      vi.advanceTimersByTime(90)
      latest = Math.max(latest, entries.length - told)
    }
    expect(latest * 90).toBeLessThanOrEqual(mostMs)
    vi.advanceTimersByTime(2_000)
    expect(told).toBe(entries.length)
    stop()
    useAttendance.setState({ view })
    vi.useRealTimers()
  },
)
