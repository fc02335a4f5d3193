import type { ResponseOf } from '#contract/endpoint.ts'
import { sumBy } from '#contract/office/headline-figures.ts'
import type { getReport } from '#contract/office/report.ts'

export type SeasonReport = ResponseOf<typeof getReport>

/**
 * Vertical offsets that prevent the dots of a beeswarm chart from overlapping, in rows above and below the axis.
 * @param values sorted
 */
export function beeswarmOffsets(values: readonly number[], size: number): number[] {
  const lastOf: number[] = []
  return values.map(value => {
    const found = lastOf.findIndex(last => value - last >= size)
    const row = found === -1 ? lastOf.length : found
    lastOf[row] = value
    return Math.ceil(row / 2) * (row % 2 === 0 ? 1 : -1)
  })
}

/** Rounds the upper end of an axis up to 1, 2 or 5 times a power of ten. */
export function roundAxisMax(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find(step => step * power >= value) ?? 10) * power
}

export const ratioOrZero = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/**
 * Groups of cancellations by the number of days until the first lesson. The last group contains those after the first
 * lesson.
 */
export const CANCELLATION_GROUPS = [
  { from: 29, to: Number.POSITIVE_INFINITY },
  { from: 15, to: 28 },
  { from: 8, to: 14 },
  { from: 4, to: 7 },
  { from: 1, to: 3 },
  { from: 0, to: 0 },
  { from: Number.NEGATIVE_INFINITY, to: -1 },
] as const

export const groupCancellations = (rows: SeasonReport['cancellations']): number[] =>
  CANCELLATION_GROUPS.map(({ from, to }) =>
    sumBy(
      rows.filter(({ days }) => days >= from && days <= to),
      ({ count }) => count,
    ),
  )

/** Computes the bands of a flow diagram that lead from a bar to its parts. Heights are in the unit of the values. */
export function flowDiagramBands(
  parts: readonly number[],
  gap: number,
): { from: number; to: number; height: number }[] {
  let from = 0
  let to = 0
  return parts.map(height => {
    const band = { from, to, height }
    from += height
    to += height + gap
    return band
  })
}
