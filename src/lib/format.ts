import type { DateTimeValue, Language } from '#contract/values.ts'

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

const DAY_MS = 86_400_000

const words: Partial<Record<Language, Intl.RelativeTimeFormat>> = {}

/** Days until a date, 0 for today. @param nowWallMs the portal's wall clock, in the unit of `wallClockMs` */
export const daysUntil = (date: DateTimeValue, nowWallMs: number): number =>
  Math.floor(wallClockMs(date) / DAY_MS) - Math.floor(nowWallMs / DAY_MS)

/** "today", "5 days ago", "in 3 days". @param nowWallMs as `daysUntil` */
export const sayDay = (date: DateTimeValue, nowWallMs: number, language: Language): string => {
  words[language] ??= new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return words[language].format(daysUntil(date, nowWallMs), 'day')
}
