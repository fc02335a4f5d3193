import { formatDate, formatMoney } from '#contract/words.ts'
import { type Charge, findProcessingFee } from '#server/features/bookings/desk-repository.ts'
import { endBooking, freeUntilOf, isLate } from '#server/features/bookings/desk-service.ts'
import { bookingOf } from '#server/features/bookings/pricing-rules.ts'
import type { ActHandler } from '../desk-service.ts'
import { notifyPlacement, openSeatCheck } from '../seat-check-service.ts'

/** Frees the place; who waits longest moves up. The charge is stored with the booking. Notifies the person and who moved up. */
export const cancelBooking: ActHandler<'cancel-booking'> = async (
  desk,
  { courseId, webUserId, charge: kind, amount },
) => {
  await desk.open('courses', courseId)
  const view = await openSeatCheck(desk, courseId, webUserId)
  const existing = bookingOf(view)
  if (existing === null) return {}
  const isWaiting = existing.position > 0
  const price = existing.fee.cents + existing.fee.energyCents
  if (kind === 'share' && amount === undefined) desk.fail('failed.amountMissing')
  if (kind !== 'share' && amount !== undefined) desk.fail('failed.amountUnused')
  const share = Math.round((amount ?? 0) * 100)
  if (share > price) desk.fail('failed.amount', { max: formatMoney(price / 100) })
  const centsOf = { none: 0, share, full: price, processing: await findProcessingFee(desk.tx, courseId, webUserId) }
  const charge: Charge = isWaiting ? { kind: 'none', cents: 0 } : { kind, cents: centsOf[kind] }
  const day = formatDate(freeUntilOf(view))
  if (isLate(view)) desk.askReason('reason.late', { day })
  else if (charge.kind !== 'none')
    desk.askReason('reason.chargeEarly', { day, amount: formatMoney(charge.cents / 100) })
  const mail = await endBooking(desk.tx, view, charge, desk.reason)
  if (mail) await notifyPlacement(desk, webUserId, 'cancellation', mail)
  desk.note({
    before: { bookingStatus: existing.state, position: existing.position },
    after: { bookingStatus: 0, charge: charge.kind, chargeCents: charge.cents },
  })
  return {}
}
