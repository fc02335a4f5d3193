import type { DateTimeValue, Language } from '#contract/values.ts'
import { readSetting, writeSetting } from './settings.ts'

/**
 * Local date and time in ms, as if it were UTC. Used to compare and subtract values in the portal's time zone; it is
 * not an instant.
 */
export const toLocalTimeMs = ({ year, month, day, hour, minute, second }: DateTimeValue): number =>
  Date.UTC(year, month - 1, day, hour, minute, second)

/** 0 Sunday to 6 Saturday */
export const weekdayOf = (value: DateTimeValue): number => new Date(toLocalTimeMs(value)).getUTCDay()

/** Inverse of `toLocalTimeMs`. */
export function fromLocalTimeMs(wallMs: number): DateTimeValue {
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

/**
 * Number of days until a date; 0 for today.
 * @param nowWallMs current local time in the portal's time zone, as returned by `toLocalTimeMs`
 */
export const daysUntil = (date: DateTimeValue, nowWallMs: number): number =>
  Math.floor(toLocalTimeMs(date) / DAY_MS) - Math.floor(nowWallMs / DAY_MS)

/**
 * Formats a date relative to today: "today", "5 days ago", "in 3 days".
 * @param nowWallMs current local time in the portal's time zone, as returned by `toLocalTimeMs`
 */
export const formatRelativeDay = (date: DateTimeValue, nowWallMs: number, language: Language): string => {
  words[language] ??= new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return words[language].format(daysUntil(date, nowWallMs), 'day')
}

/** Returns a formatter for the names of months, such as `Dez` or `December`. */
export function monthNameFormatter(
  language: Language,
  width: 'short' | 'long',
): (year: number, month: number) => string {
  const format = new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' })
  return (year, month) => format.format(Date.UTC(year, month - 1))
}

const KEY = 'TimeZone'

/** The last time zone received, possibly by an earlier page. It is needed before the first render. */
const recall = (): string => readSetting(KEY) ?? 'Europe/Berlin'

const clockOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })

/** null if this browser does not support the time zone */
function findClock(timeZone: string) {
  try {
    return clockOf(timeZone)
  } catch {
    // If the zone is not supported, the current one stays in effect.
    return null
  }
}

let zone = recall()
/** The formatter is created on first use, because creating it is slow. */
let clock: Intl.DateTimeFormat | null = null
/** IANA name of the portal's time zone. */
export const portalTimeZone = (): string => zone

/** UTC offsets change only at quarter hours, so one call of the slow formatter per quarter hour suffices. */
const QUARTER_MS = 900_000
const offsets = new Map<number, number>()

/**
 * Sets the portal's time zone, in which the app shows all dates and times.
 * @param timeZone IANA name; ignored if the browser does not support it
 */
export function setPortalTimeZone(timeZone: string): void {
  if (timeZone === zone) return
  const found = findClock(timeZone)
  if (found === null) return
  clock = found
  zone = timeZone
  offsets.clear()
  writeSetting(KEY, timeZone)
}
function offsetAt(quarter: number): number {
  const cached = offsets.get(quarter)
  if (cached !== undefined) return cached
  clock ??= findClock(zone) ?? clockOf('Europe/Berlin')
  const parts = clock.formatToParts(quarter * QUARTER_MS)
  const {
    year = 0,
    month = 1,
    day = 1,
    hour = 0,
    minute = 0,
  } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]))
  const offset = Date.UTC(year, month - 1, day, hour, minute) - quarter * QUARTER_MS
  offsets.set(quarter, offset)
  return offset
}

/** Local time in the portal's time zone at an instant (ms since 1970), in the unit of `toLocalTimeMs`. */
export const localTimeMsAt = (instantMs: number): number => instantMs + offsetAt(Math.floor(instantMs / QUARTER_MS))

/** Local date and time in the portal's time zone at an instant (ms since 1970), whatever the device's time zone. */
export const portalDateTimeAt = (instantMs: number): DateTimeValue => fromLocalTimeMs(localTimeMsAt(instantMs))

/**
 * The instant at which the local time in the portal's time zone is `wallMs`, by the same rules as in PostgreSQL: an
 * hour that occurs twice means its second occurrence (standard time), and a skipped one is shifted forward by the
 * length of the gap.
 */
export function instantOfLocalTimeMs(wallMs: number): number {
  const [before, after] = [wallMs - DAY_MS, wallMs + DAY_MS].map(ms => wallMs - (localTimeMsAt(ms) - ms))
  return after !== undefined && localTimeMsAt(after) === wallMs ? after : (before ?? wallMs)
}

/** Start of the day that contains an instant, as local time in the portal's time zone, in the unit of `toLocalTimeMs`. */
export const startOfDayAt = (instantMs: number): number => {
  const wallMs = localTimeMsAt(instantMs)
  return wallMs - (wallMs % 86_400_000)
}
