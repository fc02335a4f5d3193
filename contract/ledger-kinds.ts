/** Kinds of ledger entries that are written when a course is settled, in the order of calculation. */
export const SETTLEMENT_ENTRY_KINDS = [
  'fee',
  'processing-fee',
  'energy-fee',
  'late-cancellation',
  'lessons-cancelled',
  'waiver',
  'floor',
] as const
export type SettlementEntryKind = (typeof SETTLEMENT_ENTRY_KINDS)[number]

/** Reasons why an amount cannot be billed. */
export const UNBILLABLE_CAUSES = [
  'unverified',
  'personnelNumber',
  'consent',
  'address',
  'billingType',
  'returned',
  'undecided',
  'iban',
  'payeeName',
] as const
export type UnbillableCause = (typeof UNBILLABLE_CAUSES)[number]

/** Kinds of ledger entries that staff add manually. */
export const MANUAL_ENTRY_KINDS = ['goodwill', 'correction', 'write-off'] as const
