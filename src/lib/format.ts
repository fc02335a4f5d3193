import type { DateTimeValue } from '#contract/values.ts'

/**
 * Wall-clock value as if it were UTC, in ms: for comparing and subtracting values of the portal's time zone; not an
 * instant.
 */
export const wallClockMs = ({ year, month, day, hour, minute, second }: DateTimeValue): number =>
  Date.UTC(year, month - 1, day, hour, minute, second)

/** 0 Sunday to 6 Saturday */
export const weekdayOf = (value: DateTimeValue): number => new Date(wallClockMs(value)).getUTCDay()

/** Inverse of `wallClockMs`. */
export function fromWallClockMs(wallMs: number): DateTimeValue {
  const date = new Date(wallMs)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  }
}
