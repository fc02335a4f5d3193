import type { DateTimeValue } from '#contract/values.ts'
import { type Queryable, sql } from './client.ts'

const NONE: DateTimeValue = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }

/**
 * Converts a `timestamp` ('YYYY-MM-DD HH:MM:SS'), `date` ('YYYY-MM-DD') or `time` ('HH:MM:SS') column to the API's
 * date-time value. Null becomes a value with all zeros. Select timestamptz as `column::timestamp`, which the
 * connection's time zone converts to wall-clock time.
 */
export function toDateTimeValue(value: string | null): DateTimeValue {
  if (value === null) return { ...NONE }
  const [first = '', second = ''] = value.includes(':') && !value.includes('-') ? ['', value] : value.split(/[ T]/)
  const [year = 0, month = 0, day = 0] = first.split('-').map(Number)
  const [hour = 0, minute = 0, seconds = 0] = second.split(':').map(Number)
  return { year, month, day, hour, minute, second: Math.floor(seconds) }
}

/** 'YYYY-MM-DD HH:MM:SS', as PostgreSQL writes a `timestamp` without fractions of a second. */
export const toTimestampText = ({ year, month, day, hour, minute, second }: DateTimeValue): string => {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`
}

/** Database time in the portal's time zone as 'YYYY-MM-DD HH:MM:SS'. The same clock decides when booking opens. */
export async function findServerTime(db: Queryable): Promise<string> {
  const { now } = await db.one<{ now: string }>(sql`select clock_timestamp()::timestamp(0) as now`)
  return now
}
