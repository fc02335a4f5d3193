import { act } from 'react'
import { expect, test } from 'vitest'
import { tick, USER } from '#test/outbox/world.ts'
import { render } from '#test/render.tsx'
import { counts, steps, useAttendance } from '../store.ts'
import { AttendanceAnnouncer } from './attendance-announcer.tsx'

test('the live region does not announce that everything is saved while an entry is pending', async () => {
  const { view } = useAttendance.getState()
  const show = (entries: ReturnType<typeof tick>[]) =>
    act(async () => useAttendance.setState({ view: { ...view, isRead: true, entries } }))
  await show([])
  const page = await render(<AttendanceAnnouncer text="1 von 2 anwesend." userId={USER} />, 'attendance')
  await act(() => new Promise(resolve => setTimeout(resolve, 1_300)))
  expect(page.textContent).toContain('1 von 2 anwesend. Alles ist beim Portal angekommen.')
  for (const follower of [counts, steps]) follower.hold()
  await show([tick()])
  expect(page.textContent).not.toContain('Alles ist beim Portal angekommen')
})
