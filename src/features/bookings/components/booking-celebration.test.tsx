import { afterEach, expect, test, vi } from 'vitest'
import { testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
import { BookingCelebration } from './booking-celebration.tsx'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['once', false, 1],
  ['not with reduced motion', true, 0],
])('the device vibrates for a new booking: %s', async (_, isReduced, times) => {
  const vibrate = vi.fn()
  Object.defineProperty(navigator, 'vibrate', { value: vibrate, configurable: true })
  const real = window.matchMedia.bind(window)
  vi.spyOn(window, 'matchMedia').mockImplementation(query =>
    Object.defineProperty(real(query), 'matches', { value: isReduced }),
  )
  await render(<BookingCelebration course={testCourse()} />, 'own-bookings', 'courses')
  expect(vibrate).toHaveBeenCalledTimes(times)
})
