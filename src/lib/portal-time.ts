import type { DateTimeValue } from '#contract/values.ts'
import { fromWallClockMs } from './format.ts'
import { readSetting, writeSetting } from './settings.ts'

const KEY = 'TimeZone'

/** Last time zone received, possibly by an earlier page; needed before the first render. */
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

/** null for a time zone that this browser does not support */
function findClock(timeZone: string) {
  try {
    return clockOf(timeZone)
  } catch {
    // An unsupported zone leaves the current one unchanged.
    return null
  }
}

let zone = recall()
/** Created on first use: construction is slow. */
let clock: Intl.DateTimeFormat | null = null
/** IANA name of the portal's time zone. */
export const portalZone = (): string => zone

/** UTC offsets change only at quarter hours: one call of the slow formatter per quarter suffices. */
const QUARTER_MS = 900_000
const offsets = new Map<number, number>()

/**
 * Sets the portal's time zone, in which the interface shows all dates and times.
 * @param timeZone IANA name; an unsupported one is ignored
 */
export function setPortalZone(timeZone: string): void {
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

/** The portal's wall clock at an instant (ms since 1970), in the unit of `wallClockMs`. */
export const wallClockAt = (instantMs: number): number => instantMs + offsetAt(Math.floor(instantMs / QUARTER_MS))

/** The portal's wall clock at an instant, independent of the device's time zone. */
export const dateTimeAt = (instantMs: number): DateTimeValue => fromWallClockMs(wallClockAt(instantMs))

const DAY_MS = 86_400_000

/**
 * The instant at which the portal's wall clock shows `wallMs`, as PostgreSQL converts it: of an hour that is shown twice the second
 * (standard time), for one that is skipped as long after the change as it is into the gap.
 */
export function instantOf(wallMs: number): number {
  const [before, after] = [wallMs - DAY_MS, wallMs + DAY_MS].map(ms => wallMs - (wallClockAt(ms) - ms))
  return after !== undefined && wallClockAt(after) === wallMs ? after : (before ?? wallMs)
}

/** Midnight of the current day on the portal's wall clock. */
export const todayOf = (instantMs: number): number => {
  const wallMs = wallClockAt(instantMs)
  return wallMs - (wallMs % 86_400_000)
}
