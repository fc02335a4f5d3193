import { formatMoney } from '#contract/words.ts'
import {
  findCourseLedgerBalance,
  findOrCreateLedgerAccounts,
  insertEntryReason,
  insertLedgerEntries,
  listLedgerBalances,
} from '#server/features/money/ledger-repository.ts'
import { findCoursePrices, lowerBookingPrices, updateCoursePrices } from '#server/features/money/price-repository.ts'
import { type ActHandler, accountIdOf } from '#server/features/office/desk-service.ts'
import { courseTitleOf, sendMoneyNotice } from '../settlement-service.ts'

/**
 * Adds a manual ledger entry, which always requires a reason, and notifies the person. Goodwill and write-offs reduce
 * the amount due; an entry with the opposite sign reverses them. Neither the person's nor the course's balance may fall
 * below 0.
 */
export const addLedgerEntry: ActHandler<'add-entry'> = async (desk, { webUserId, courseId, entryKind, amount }) => {
  const { tx, actor } = desk
  if (courseId !== undefined) await desk.touch('courses', courseId)
  await desk.open('web_users', webUserId)
  const signed = Math.round(amount * 100)
  const cents = entryKind === 'correction' ? signed : 0 - Math.abs(signed)
  desk.note({ objects: { webUserId, ...(courseId !== undefined && { courseId }) }, after: { entryKind, cents } })
  if (cents === 0) desk.fail('failed.zeroAmount')
  desk.askReason('reason.entry')
  const accountId = (await findOrCreateLedgerAccounts(tx, [webUserId])).get(webUserId) ?? 0
  const balance = (await listLedgerBalances(tx, [webUserId])).get(webUserId) ?? 0
  const ofCourse = courseId === undefined ? null : await findCourseLedgerBalance(tx, webUserId, courseId)
  if (ofCourse !== null && ofCourse.bookingId === null) desk.fail('failed.notBooked')
  const least = Math.min(balance, ofCourse?.cents ?? balance)
  if (least + cents < 0) desk.fail('failed.belowZero', { max: formatMoney(least / 100) })
  const entry = {
    accountId,
    courseId: courseId ?? null,
    bookingId: ofCourse?.bookingId ?? null,
    kind: entryKind,
    cents,
  }
  const [entryId = 0] = await insertLedgerEntries(tx, [entry], { madeBy: accountIdOf(actor) })
  await insertEntryReason(tx, entryId, desk.reason)
  const course = courseId === undefined ? null : await findCoursePrices(tx, courseId)
  await sendMoneyNotice(desk, [webUserId], 'entry', language => ({
    course: course ? courseTitleOf(language, course) : '',
    amount: formatMoney(cents / 100),
    reason: desk.reason,
  }))
  return { id: entryId }
}

const toCents = (euros: number | undefined) => (euros === undefined ? null : Math.round(euros * 100))

/**
 * Changes the prices of a course. Prices stored with its bookings may fall but never rise. Notifies people whose price
 * fell.
 */
export const repriceCourse: ActHandler<'reprice-course'> = async (desk, { courseId, fee, energyFee, externalFee }) => {
  await desk.open('courses', courseId)
  const before = await findCoursePrices(desk.tx, courseId)
  const prices = { feeCents: toCents(fee), energyCents: toCents(energyFee), externalFeeCents: toCents(externalFee) }
  await updateCoursePrices(desk.tx, courseId, prices)
  const lowered = await lowerBookingPrices(desk.tx, courseId)
  const course = await findCoursePrices(desk.tx, courseId)
  desk.programmeChanged()
  desk.note({ objects: { courseId }, before: { ...before }, after: { ...course, lowered: lowered.length } })
  for (const [price, people] of Map.groupBy(lowered, ({ cents }) => cents))
    await sendMoneyNotice(
      desk,
      people.map(({ webUserId }) => webUserId),
      'repriced',
      language => ({ course: courseTitleOf(language, course), amount: formatMoney(price / 100) }),
    )
  return { lowered: lowered.length }
}
