import * as v from 'valibot'
import { boundedMoney, id } from '../values.ts'
import { defineAct } from './act.ts'

/** Options for the amount due after a cancellation: nothing, the processing fee, an agreed share, or the full price. */
export const CANCELLATION_CHARGES = ['none', 'processing', 'share', 'full'] as const

/** Maximum number of lessons whose missing attendance records one action reminds of. */
const MAX_REMINDED_LESSONS = 5_000

const webUserIds = v.pipe(v.array(id), v.maxLength(1_000))

export const attendanceActs = {
  'record-attendance': defineAct(
    'bookings',
    { courseDateId: id, present: webUserIds, absent: webUserIds },
    { people: ['present', 'absent'] },
  ),
  'remind-attendance': defineAct(['programme', 'bookings'], {
    courseDateIds: v.pipe(v.array(id), v.minLength(1), v.maxLength(MAX_REMINDED_LESSONS)),
  }),
}

export const bookingActs = {
  book: defineAct('bookings', { courseId: id, webUserId: id }, { people: ['webUserId'] }),
  'cancel-booking': defineAct(
    'bookings',
    { courseId: id, webUserId: id, charge: v.picklist(CANCELLATION_CHARGES), amount: v.optional(boundedMoney) },
    { people: ['webUserId'] },
  ),
  'move-booking': defineAct('bookings', { fromCourseId: id, toCourseId: id, webUserId: id }, { people: ['webUserId'] }),
}
