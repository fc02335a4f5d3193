import i18next from 'i18next'
import { expect, test, vi } from 'vitest'
import { lazyBookingActions } from '#features/bookings/components/lazy-booking-actions.ts'
import { findRoute } from '../routes.tsx'
import { lazyPlan } from './lazy-plan.ts'

test('the app does not wait for texts that cannot be loaded, but the component that uses them does', async () => {
  vi.spyOn(i18next, 'loadNamespaces').mockReturnValue(new Promise(() => {}))
  const screens = [lazyPlan, lazyBookingActions, findRoute('/courses/booked')].map(({ preload }) => preload())
  expect(await Promise.all(screens)).toEqual(Array(3).fill(expect.any(Function)))
})
