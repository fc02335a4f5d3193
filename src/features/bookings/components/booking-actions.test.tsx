import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { useSession } from '#features/session/store.ts'
import { useOnline } from '#lib/online.ts'
import { testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
import { BookingActions } from './booking-actions.tsx'

const PRICE = { kind: 'standard', fee: 45, energyFee: 0, amount: 45, freeWithAttendance: false } as never

test('the booking step that is open stays open while the network is lost', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  useSession.setState({ phase: 'started', session: { id: 't', userName: 'kim' } as never })
  useOnline.setState({ isOnline: true })
  const course = testCourse({ price: PRICE, bookable: true, directlyBookable: true })
  await render(
    <BookingActions
      course={course}
      isOver={false}
      isOpen
      isBookable
      isChecking={false}
      remainingMs={-1}
      pending={null}
    />,
    'own-bookings',
    'bookings',
    'courses',
  )
  await act(async () => document.querySelector('button')?.click())
  const step = () => document.querySelector('[role=dialog]')
  await vi.waitFor(() => expect(step()?.textContent).toContain('45,00'))
  const shown = step()
  await act(async () => useOnline.setState({ isOnline: false }))
  expect(step()).toBe(shown)
})
