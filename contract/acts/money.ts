import * as v from 'valibot'
import { boundedMoney, id, MANUAL_ENTRY_KINDS, signedMoney, uuid } from '../values.ts'
import { defineAct } from './act.ts'

/** Maximum number of courses settled by one action. */
export const MAX_SETTLED_COURSES = 500

export const moneyActs = {
  'decide-proof': defineAct(
    'billing',
    'Accepts or refuses an absence proof: a sick note or a shift certificate',
    { proofId: id, decision: v.picklist(['accepted', 'refused']) },
    { result: ['id', 'effect', 'excused'] },
  ),
  'accept-payer': defineAct(
    'billing',
    'Records the consent of the holder of a personnel number to pay for another person',
    { webUserId: id, consentFileId: v.optional(uuid) },
    { people: ['webUserId'] },
  ),
  'exclude-lesson': defineAct(
    'billing',
    'Excludes a past lesson without recorded attendance from the attendance of all participants',
    { courseDateId: id },
  ),
  'include-lesson': defineAct('billing', 'Includes an excluded lesson in the attendance again', { courseDateId: id }),
  'settle-courses': defineAct(
    'billing',
    'Settles courses: records charges, waivers and refunds in the ledger',
    {
      courseIds: v.pipe(v.array(id), v.minLength(1), v.maxLength(MAX_SETTLED_COURSES)),
    },
    { result: ['courses', 'undecided', 'held'] },
  ),
  'reprice-course': defineAct(
    'billing',
    'Changes the prices of a course. Prices of existing bookings may fall, but never rise',
    {
      courseId: id,
      fee: v.optional(boundedMoney),
      energyFee: v.optional(boundedMoney),
      externalFee: v.optional(boundedMoney),
    },
    { result: ['lowered'] },
  ),
  'set-closing': defineAct(
    'billing',
    'Switches on or off that the portal itself reminds instructors of missing attendance, settles courses whose lists and proofs are complete, and tells those who bill every Friday which courses hold up most money',
    { isAutomatic: v.boolean() },
  ),
  'close-season': defineAct('billing', 'Freezes the figures of a season', { seasonId: id }),
  'decide-attendance': defineAct(
    'billing',
    'Decides whether the attendance of a person is considered regular',
    { courseId: id, webUserId: id, regular: v.boolean() },
    { people: ['webUserId'], result: ['courses'] },
  ),
  'add-entry': defineAct(
    'billing',
    'Adds a goodwill credit, a correction or a write-off to the ledger',
    { webUserId: id, courseId: v.optional(id), entryKind: v.picklist(MANUAL_ENTRY_KINDS), amount: signedMoney },
    { people: ['webUserId'], result: ['id'] },
  ),
}
