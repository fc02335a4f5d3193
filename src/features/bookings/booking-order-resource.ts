import type { BookingOrder } from '#contract/endpoints/booking-order.ts'
import { api } from '#lib/api.ts'
import { createResource, type Resource } from '#lib/resource.ts'

type SeenOrders = { orders: readonly BookingOrder[] }

/**
 * Published orders that this device has seen, for proofs offline. They are never fetched again, so that an order that
 * the portal changes later does not prove anything here.
 */
export const useBookingOrders: Resource<SeenOrders> = createResource<SeenOrders>({
  of: 'everyone',
  key: 'booking-orders',
  empty: { orders: [] },
  fetch: async () => {
    await useBookingOrders.recall()
    return useBookingOrders.getState().data
  },
  isUsable: ({ orders }) => orders.every(({ courses }) => Array.isArray(courses)),
})

/** Returns the order that this device has seen, or else that of the portal. @throws ApiError, NoResponseError */
export async function findBookingOrder(seasonId: number): Promise<BookingOrder> {
  await useBookingOrders.load()
  const seen = useBookingOrders.getState().data.orders.find(order => order.seasonId === seasonId)
  if (seen) return seen
  const order = await api.getBookingOrder({ params: { seasonId } })
  useBookingOrders.change(({ orders }) => ({ orders: [...orders, order] }))
  return order
}
