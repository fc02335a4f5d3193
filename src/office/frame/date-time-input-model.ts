export type DateTimeKind = 'date' | 'time' | 'moment'

const DAYS = [
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/,
  /^(?<day>\d{1,2})[./](?<month>\d{1,2})[./](?<year>\d{4}|\d\d)$/,
]
const TIME = /^(\d{1,2})(?:[:.]?(\d\d))?$/
const TEXTS: Record<DateTimeKind, RegExp> = {
  date: /^(?<date>.+)$/,
  time: /^(?<time>.+)$/,
  moment: /^(?<date>\S+?)(?:T|,?\s+)(?<time>\S+)$/,
}

/** @returns 'YYYY-MM-DD', or null if the text is not a valid date */
function readDay(text: string): string | null {
  const { year = '', month = '', day = '' } = DAYS.map(form => form.exec(text)?.groups).find(Boolean) ?? {}
  const said = [year.padStart(4, '20'), month.padStart(2, '0'), day.padStart(2, '0')].join('-')
  const at = Date.parse(`${said}T00:00:00Z`)
  // Rejects dates such as the 31st of a shorter month, which would roll over into the next month.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(said) ? said : null
}

/** @returns 'HH:mm', or null if the text is not a valid time */
function readTime(text: string): string | null {
  const [, hour = '', minute = '00'] = TIME.exec(text) ?? []
  return hour !== '' && Number(hour) < 24 && Number(minute) < 60 ? `${hour.padStart(2, '0')}:${minute}` : null
}

/**
 * Parses a date, a time or both. Accepts the portal's format, short forms and ISO 8601.
 * @returns the stored format, or null if the text is invalid
 */
export function parseDateTimeInput(kind: DateTimeKind, text: string): string | null {
  const { date, time } = TEXTS[kind].exec(text.trim())?.groups ?? {}
  const parts = [date && readDay(date), time && readTime(time)].filter(part => part !== undefined)
  return parts.length === 0 || parts.includes(null) ? null : parts.join('T')
}

/** Formats a date or time as `24.11.2026`, `18:00` or `24.11.2026, 18:00`; the format is the same in both languages. */
export function formatDateTimeInput(kind: DateTimeKind, stored: string): string {
  if (kind === 'time') return stored.slice(0, 5)
  const [year = '', month = '', day = ''] = stored.slice(0, 10).split('-')
  return [`${day}.${month}.${year}`, kind === 'moment' && stored.slice(11, 16)].filter(Boolean).join(', ')
}
