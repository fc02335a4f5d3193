import { isWorkingDay } from '#server/platform/holidays/holidays.ts'

const DAY_MS = 86_400_000
/** Minimum number of working days in a period of sick leave that excuses missed lessons (money.md rule 6). */
export const MIN_SICK_WORKING_DAYS = 10
/**
 * Number of days after a course's last lesson during which a sick note or shift certificate is accepted. Accepting a
 * later one requires a reason.
 */
export const ATTENDANCE_PROOF_DEADLINE_DAYS = 14

/** Period between two calendar dates 'YYYY-MM-DD', both inclusive. */
export type DateSpan = { from: string; to: string }
/** Accepted sick note or shift certificate. */
export type AttendanceProof = DateSpan & { kind: 'sick' | 'shift' }

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

/** Number of working days in a period, taking the region's public holidays into account. */
export function countWorkingDays(region: string, { from, to }: DateSpan): number {
  let count = 0
  for (let day = from; day <= to; day = addDays(day, 1)) if (isWorkingDay(region, day)) count += 1
  return count
}

/** Joins periods that overlap or have no working day between them. */
export function mergeDateSpans(region: string, spans: readonly DateSpan[]): DateSpan[] {
  const joined: DateSpan[] = []
  for (const span of [...spans].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = joined.at(-1)
    const gap = last && { from: addDays(last.to, 1), to: addDays(span.from, -1) }
    if (last && gap && countWorkingDays(region, gap) === 0) last.to = last.to > span.to ? last.to : span.to
    else joined.push({ ...span })
  }
  return joined
}

/**
 * A person's periods of sick leave, with the number of working days in each. `isLongEnough`: whether the period is long
 * enough to excuse missed lessons.
 */
export const toSickLeaves = (
  region: string,
  proofs: readonly AttendanceProof[],
): (DateSpan & { workingDays: number; isLongEnough: boolean })[] =>
  mergeDateSpans(
    region,
    proofs.filter(({ kind }) => kind === 'sick'),
  ).map(span => {
    const workingDays = countWorkingDays(region, span)
    return { ...span, workingDays, isLongEnough: workingDays >= MIN_SICK_WORKING_DAYS }
  })

/**
 * Creates a function that returns how a person's accepted sick notes and shift certificates affect a lesson at `heldAt`
 * ('YYYY-MM-DD HH:MM:SS').
 */
export function createAttendanceProofCheck(region: string, proofs: readonly AttendanceProof[]) {
  const sick = proofs.length === 0 ? [] : toSickLeaves(region, proofs).filter(({ isLongEnough }) => isLongEnough)
  const shift = proofs.filter(({ kind }) => kind === 'shift')
  const isIn = (spans: readonly DateSpan[], day: string) => spans.some(({ from, to }) => from <= day && day <= to)
  return (heldAt: string): { isExcused: boolean; isOnShift: boolean } => {
    const day = heldAt.slice(0, 10)
    return { isExcused: isIn(sick, day), isOnShift: isIn(shift, day) }
  }
}
