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
    'Records the attendance at a past lesson, for example from a list on paper. People in neither list remain as they are',
    { courseDateId: id, present: webUserIds, absent: webUserIds },
    { people: ['present', 'absent'], acceptsDeleted: true, result: ['recorded'] },
  ),
  'remind-attendance': defineAct(
    ['programme', 'bookings'],
    'Reminds the instructors of past lessons without recorded attendance, each with one message about all of them',
    {
      courseDateIds: v.pipe(v.array(id), v.minLength(1), v.maxLength(MAX_REMINDED_LESSONS)),
    },
    { result: ['lessons', 'instructors'] },
  ),
}

export const bookingActs = {
  book: defineAct(
    'bookings',
    'Books a seat, or adds the person to the end of the waiting list if the course is full. `Ok` without a change if the person already has a booking or a waiting-list entry',
    { courseId: id, webUserId: id },
    { people: ['webUserId'], result: ['bookingStatus', 'position'] },
  ),
  'cancel-booking': defineAct(
    'bookings',
    'Cancels a booking or a waiting-list entry and promotes the next person on the waiting list; `charge` determines the amount still due. `Ok` without a change if the person has no booking',
    { courseId: id, webUserId: id, charge: v.picklist(CANCELLATION_CHARGES), amount: v.optional(boundedMoney) },
    { people: ['webUserId'], acceptsDeleted: true },
  ),
  'move-booking': defineAct(
    'bookings',
    'Moves a booking to another course in one transaction: cancels the booking and creates one with another `bookingId` in the other course. `Failed` if the other course is full',
    { fromCourseId: id, toCourseId: id, webUserId: id },
    { people: ['webUserId'], result: ['bookingStatus', 'position'] },
  ),
}
