import * as v from 'valibot'
import { boundedMoney, id, MANUAL_ENTRY_KINDS, signedMoney } from '../values.ts'
import { defineAct } from './act.ts'

/** Maximum number of courses settled by one action. */
export const MAX_SETTLED_COURSES = 500

const fileId = v.pipe(v.string(), v.uuid())

export const moneyActs = {
  'decide-proof': defineAct('billing', { proofId: id, decision: v.picklist(['accepted', 'refused']) }),
  'accept-payer': defineAct('billing', { webUserId: id, consentFileId: v.optional(fileId) }, { people: ['webUserId'] }),
  'exclude-lesson': defineAct('billing', { courseDateId: id }),
  'include-lesson': defineAct('billing', { courseDateId: id }),
  'settle-courses': defineAct('billing', {
    courseIds: v.pipe(v.array(id), v.minLength(1), v.maxLength(MAX_SETTLED_COURSES)),
  }),
  'reprice-course': defineAct('billing', {
    courseId: id,
    fee: v.optional(boundedMoney),
    energyFee: v.optional(boundedMoney),
    externalFee: v.optional(boundedMoney),
  }),
  'set-closing': defineAct('billing', { isAutomatic: v.boolean() }),
  'close-season': defineAct('billing', { seasonId: id }),
  'decide-attendance': defineAct(
    'billing',
    { courseId: id, webUserId: id, regular: v.boolean() },
    { people: ['webUserId'] },
  ),
  'add-entry': defineAct(
    'billing',
    { webUserId: id, courseId: v.optional(id), entryKind: v.picklist(MANUAL_ENTRY_KINDS), amount: signedMoney },
    { people: ['webUserId'] },
  ),
}
