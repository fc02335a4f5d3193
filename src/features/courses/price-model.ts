import type { Course } from '#contract/courses.ts'

export type Priced = Pick<Course, 'price' | 'fee' | 'externalFee' | 'energyFee' | 'freeWithAttendance'>

/** What a price is made of, in euros: everything that is owed stands in the amount. */
export type PriceView = {
  /** what the reader pays, all in; for a visitor what people of the company pay */
  amount: number
  /** its parts, where it has more than one */
  parts: { fee: number; energyFee: number; isExternal: boolean } | null
  /** what externals pay, all in; null where the reader's own price is known */
  external: number | null
  /** the fee falls away with regular attendance, or has */
  attendance: 'frees' | 'freed' | null
}

/** The reader's price, or, for a visitor, those of the company's people and of externals. */
export function priceViewOf({ price, fee, externalFee, energyFee, freeWithAttendance }: Priced): PriceView {
  if (price === null) {
    return {
      amount: fee + energyFee,
      parts: energyFee > 0 ? { fee, energyFee, isExternal: false } : null,
      external: externalFee + energyFee,
      attendance: freeWithAttendance ? 'frees' : null,
    }
  }
  const isExternal = price.kind === 'external'
  const owedFee = price.waived ? 0 : price.fee
  return {
    amount: price.amount,
    parts: price.energyFee > 0 ? { fee: owedFee, energyFee: price.energyFee, isExternal } : null,
    external: null,
    attendance: price.waived ? 'freed' : price.freeWithAttendance ? 'frees' : null,
  }
}

/** What a reader compares courses by. */
export const amountOf = (course: Priced): number => priceViewOf(course).amount
