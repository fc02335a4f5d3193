import i18next from 'i18next'
import { expect, test, vi } from 'vitest'
import { lazyBookingActions } from '#features/bookings/components/lazy-booking-actions.ts'
import { findRoute } from '../routes.tsx'
import { lazyPlan } from './lazy-plan.ts'

test('preloading a component does not wait for its texts', async () => {
  vi.spyOn(i18next, 'loadNamespaces').mockReturnValue(new Promise(() => {}))
  const screens = [lazyPlan, lazyBookingActions, findRoute('/courses/booked')].map(({ preload }) => preload())
  expect(await Promise.all(screens)).toEqual(Array(3).fill(expect.any(Function)))
})
