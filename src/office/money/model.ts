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

const statementLine = v.object({
  paidOn: v.nullable(v.string()),
  amount: v.nullable(euros),
  currency: v.optional(v.string()),
  invoiceNumbers: v.optional(v.array(v.string()), []),
  reference: v.optional(v.string(), ''),
  why: v.optional(v.string(), ''),
  key: v.optional(v.string(), ''),
  decision: v.optional(v.picklist(['confirmed', 'dropped'])),
  earlier: v.optional(v.object({ paidOn: v.string(), byHand: v.boolean() })),
  payer: v.optional(v.string(), ''),
  text: v.optional(v.string(), ''),
  place: v.optional(
    v.object({ file: v.optional(v.string()), line: v.optional(v.number()), entry: v.optional(v.number()) }),
    {},
  ),
})
export type StatementLine = v.InferOutput<typeof statementLine>
const lines = v.array(statementLine)
export const IGNORED_TURNOVERS = ['pending', 'currency', 'debit', 'unreadable'] as const
const statement = v.object({
  paid: lines,
  amount: euros,
  repeated: lines,
  maybe: lines,
  unmatched: lines,
  ignored: v.object({ pending: lines, currency: lines, debit: lines, unreadable: lines }),
})
/** Parses the preview of a bank statement import, in which every turnover is in exactly one list. */
export const parseBankStatementPreview = (result: unknown) => v.parse(statement, result)

const assignableCsv = v.object({
  columns: v.array(v.string()),
  rows: v.array(v.array(v.string())),
  chosen: v.optional(
    v.object({ day: v.string(), amount: v.string(), text: v.string(), payer: v.optional(v.string()) }),
  ),
})
export type AssignableCsv = v.InferOutput<typeof assignableCsv>
/**
 * Columns and first rows of a CSV file whose layout the portal does not know, with the columns that a person has
 * assigned; null if the result is another one.
 */
export const parseAssignableCsv = (result: unknown) => {
  const parsed = v.safeParse(assignableCsv, result)
  return parsed.success ? parsed.output : null
}
