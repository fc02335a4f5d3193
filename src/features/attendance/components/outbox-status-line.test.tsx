import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { useSession } from '#features/session/store.ts'
import { tick, USER } from '#test/outbox/world.ts'
import { render } from '#test/render.tsx'
import { counts, outbox, steps, useAttendance } from '../store.ts'
import { OutboxStatusLine } from './outbox-status-line.tsx'

const HOME_ZONE = process.env.TZ
afterEach(() => {
  if (HOME_ZONE === undefined) delete process.env.TZ
  else process.env.TZ = HOME_ZONE
})

test.each(['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'UTC'])(
  'on a device in %s the times of the last attempt and of a lost change are in the portal’s time zone',
  async zone => {
    process.env.TZ = zone
    const { view } = useAttendance.getState()
    const at = Date.parse('2026-11-20T23:17:00Z')
    useSession.setState({ session: { webUserId: USER } as never })
    useAttendance.setState({
      view: {
        ...view,
        isRead: true,
        entries: [tick()],
        failures: 1,
        lastTriedAt: at,
        shelf: [{ kind: 'lost', key: 'a', doneAt: at, courseId: 4 }],
      },
    })
    const page = await render(<OutboxStatusLine />, 'attendance')
    expect(page.textContent).toContain('zuletzt versucht 00:17')
    expect(page.textContent).toContain('Kurs Nr. 4, 21.11., 00:17')
  },
)

test('what others had recorded before a change of everybody is accepted by one tap, single changes are not', async () => {
  const { view } = useAttendance.getState()
  useSession.setState({ session: { webUserId: USER } as never })
  const single = tick({ changeId: 'a', webUserId: 1, state: 'overtaken' })
  const bulk = [2, 3].map(webUserId =>
    tick({ changeId: `b${webUserId}`, webUserId, state: 'overtaken', ifUnrecorded: true }),
  )
  const entries = [single, ...bulk]
  useAttendance.setState({ view: { ...view, isRead: true, entries, failures: 0, shelf: [] } })
  const discard = vi.spyOn(outbox, 'discard').mockResolvedValue()
  const page = await render(<OutboxStatusLine />, 'attendance')
  expect(page.textContent).toContain('3 Änderungen brauchen Ihre Entscheidung.')
  await act(async () => page.querySelector('button')?.click())
  expect(discard.mock.calls).toEqual(bulk.map(entry => [entry]))
  expect(page.querySelector('button')?.textContent).toBe('Bei 2 Personen das Eingetragene lassen')
  discard.mockRestore()
})

test('"all saved" disappears at the next tap, even though the list updates later', async () => {
  const { view } = useAttendance.getState()
  useSession.setState({ session: { webUserId: USER } as never })
  useAttendance.setState({ view: { ...view, isRead: true, entries: [], failures: 0, shelf: [] } })
  const page = await render(<OutboxStatusLine />, 'attendance')
  const said = [...page.querySelectorAll('span')].find(of => of.textContent === 'Alles ist beim Portal angekommen.')
  expect(said?.style.visibility).toBe('')
  for (const follower of [counts, steps]) follower.hold()
  const isCounted = new Promise<void>(resolve => counts.subscribe(() => resolve()))
  useAttendance.setState({ view: { ...view, isRead: true, entries: [tick()], failures: 0, shelf: [] } })
  await act(() => isCounted)
  expect(said?.style.visibility).toBe('hidden')
})
