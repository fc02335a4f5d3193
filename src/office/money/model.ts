import * as v from 'valibot'
import { SETTLEMENT_ENTRY_KINDS, UNBILLABLE_CAUSES } from '#contract/values.ts'

const euros = v.number()
const settledCourses = v.object({
  courses: v.array(v.object({ entries: v.number(), sums: v.record(v.string(), euros), sum: euros })),
  undecided: v.array(v.object({ webUserId: v.number(), name: v.string() })),
  held: v.array(v.object({ cause: v.picklist(UNBILLABLE_CAUSES), amount: euros })),
})

/** Summarizes the charges of a settlement as totals by kind of entry, in the order in which they are calculated. */
export function summarizeSettlement(result: unknown) {
  const { courses, undecided, held } = v.parse(settledCourses, result)
  const total = (amounts: readonly number[]) => Math.round(amounts.reduce((sum, one) => sum + one * 100, 0)) / 100
  const sums = SETTLEMENT_ENTRY_KINDS.map(kind => ({ kind, amount: total(courses.map(one => one.sums[kind] ?? 0)) }))
  return {
    sums: sums.filter(({ amount }) => amount !== 0),
    sum: total(courses.map(({ sum }) => sum)),
    unchanged: courses.filter(({ entries }) => entries === 0).length,
    undecided,
    held: [...Map.groupBy(held, ({ cause }) => cause)].map(([cause, all]) => ({
      cause,
      count: all.length,
      amount: total(all.map(({ amount }) => amount)),
    })),
  }
}

const statement = v.object({
  paid: v.number(),
  amount: euros,
  repeated: v.number(),
  unmatched: v.array(v.object({ paidOn: v.string(), amount: euros, why: v.string() })),
})
/** Parses the preview of a bank statement import: the payments, and the credits that match no unpaid invoice. */
export const parseBankStatementPreview = (result: unknown) => v.parse(statement, result)
