import { formatMoney } from '#contract/words.ts'
import {
  findCourseLedgerBalance,
  findOrCreateLedgerAccounts,
  insertEntryReason,
  insertLedgerEntries,
  listLedgerBalances,
} from '#server/features/money/ledger-repository.ts'
import { findCoursePrices, lowerBookingPrices, updateCoursePrices } from '#server/features/money/price-repository.ts'
import { type ActHandler, accountIdOf } from '#server/office/frame/office-context-service.ts'
import { courseTitleOf, sendMoneyNotice } from '../settlement-service.ts'

/**
 * Adds a manual ledger entry, which always requires a reason, and notifies the person. Goodwill and write-offs reduce
 * the amount due; an entry with the opposite sign reverses them. Neither the person's nor the course's balance may fall
 * below 0.
 */
const addLedgerEntry: ActHandler<'add-entry'> = async (office, { webUserId, courseId, entryKind, amount }) => {
  const { tx, actor } = office
  if (courseId !== undefined) await office.touch('courses', courseId)
  await office.open('web_users', webUserId)
  office.refuseOwn(webUserId)
  const signed = Math.round(amount * 100)
  const cents = entryKind === 'correction' ? signed : 0 - Math.abs(signed)
  office.note({ objects: { webUserId, ...(courseId !== undefined && { courseId }) }, after: { entryKind, cents } })
  if (cents === 0) office.fail('failed.zeroAmount')
  office.askReason('reason.entry')
  const accountId = (await findOrCreateLedgerAccounts(tx, [webUserId])).get(webUserId) ?? 0
  const balance = (await listLedgerBalances(tx, [webUserId])).get(webUserId) ?? 0
  const ofCourse = courseId === undefined ? null : await findCourseLedgerBalance(tx, webUserId, courseId)
  if (ofCourse !== null && ofCourse.bookingId === null) office.fail('failed.notBooked')
  const least = Math.min(balance, ofCourse?.cents ?? balance)
  if (least + cents < 0) office.fail('failed.belowZero', { max: formatMoney(least / 100) })
  const entry = {
    accountId,
    courseId: courseId ?? null,
    bookingId: ofCourse?.bookingId ?? null,
    kind: entryKind,
    cents,
  }
  const [entryId = 0] = await insertLedgerEntries(tx, [entry], { madeBy: accountIdOf(actor) })
  await insertEntryReason(tx, entryId, office.reason)
  const course = courseId === undefined ? null : await findCoursePrices(tx, courseId)
  await sendMoneyNotice(office, [webUserId], 'entry', language => ({
    course: course ? courseTitleOf(language, course) : '',
    amount: formatMoney(cents / 100),
    reason: office.reason,
  }))
  return { id: entryId }
}

const toCents = (euros: number | undefined) => (euros === undefined ? null : Math.round(euros * 100))

/**
 * Changes the prices of a course. Prices stored with its bookings may fall but never rise. Notifies people whose price
 * fell.
 */
const repriceCourse: ActHandler<'reprice-course'> = async (office, { courseId, fee, energyFee, externalFee }) => {
  await office.open('courses', courseId)
  const before = await findCoursePrices(office.tx, courseId)
  const prices = { feeCents: toCents(fee), energyCents: toCents(energyFee), externalFeeCents: toCents(externalFee) }
  await updateCoursePrices(office.tx, courseId, prices)
  const lowered = await lowerBookingPrices(office.tx, courseId)
  const course = await findCoursePrices(office.tx, courseId)
  office.programmeChanged()
  office.note({ objects: { courseId }, before: { ...before }, after: { ...course, lowered: lowered.length } })
  for (const [price, people] of Map.groupBy(lowered, ({ cents }) => cents))
    await sendMoneyNotice(
      office,
      people.map(({ webUserId }) => webUserId),
      'repriced',
      language => ({ course: courseTitleOf(language, course), amount: formatMoney(price / 100) }),
    )
  return { lowered: lowered.length }
}

export const entryHandlers = {
  'reprice-course': repriceCourse,
  'add-entry': addLedgerEntry,
}
