import type { Course } from './endpoints/courses.ts'
import type { Clash } from './lessons.ts'
import type { CalendarDay, ClockTime, DateTimeValue, Language } from './values.ts'

/** The text in the second language if the language is English and that text is not empty; otherwise the first text. */
export const textInLanguage = (language: Language, first: string, second: string): string =>
  language === 'en' && second !== '' ? second : first

export const nameInLanguage = (language: Language, { name, name2 }: { name: string; name2: string }): string =>
  textInLanguage(language, name, name2)

const pad = (value: number, digits = 2) => String(value).padStart(digits, '0')

/** dd.MM.yyyy, in both languages. */
export const formatDate = ({ day, month, year }: CalendarDay): string => `${pad(day)}.${pad(month)}.${pad(year, 4)}`

/** End of the free cancellation period: the date, and the time unless the period ends with the day. */
export const formatDeadline = ({ hour = 23, minute = 59, ...day }: CalendarDay & Partial<ClockTime>): string =>
  hour === 23 && minute === 59 ? formatDate(day) : `${formatDate(day)}, ${formatTime({ hour, minute })}`

/** dd.MM., in both languages. */
export const formatDayMonth = ({ day, month }: DateTimeValue): string => `${pad(day)}.${pad(month)}.`

/** Formats a time as HH:mm (24 hours), in both languages. */
export const formatTime = ({ hour, minute }: ClockTime): string => `${pad(hour)}:${pad(minute)}`

/**
 * The formatter is created lazily for the first price, because creating it takes longer than executing the rest of the
 * entry bundle.
 */
let euros: Intl.NumberFormat | null = null
/** Formats an amount in euros in the German format, with two decimals and the euro sign, in both languages. */
export const formatMoney = (amount: number): string => {
  euros ??= new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' })
  return euros.format(amount)
}

export type PricedCourse = Pick<Course, 'price' | 'fee' | 'externalFee' | 'energyFee' | 'freeWithAttendance'>

/** Parts of a displayed price, in euros; `amount` is the total due. */
export type DisplayedPrice = {
  /** total for the current user; for a user who is not logged in, the total for members of the company */
  amount: number
  /** fee and energy surcharge, if the course has one */
  parts: { fee: number; energyFee: number; isExternal: boolean } | null
  /** total for external participants; null if the current user is one */
  external: number | null
  /** whether the fee will be waived with regular attendance, or has already been waived */
  attendance: 'frees' | 'freed' | null
  /** total once the account is verified; null if it does not change */
  onceVerified: number | null
}

/**
 * Price for the current user, and price for external participants. If the user is not logged in, the former is the
 * price for members of the company. See docs/decisions/0027.
 */
export function displayedPriceOf({
  price,
  fee,
  externalFee,
  energyFee,
  freeWithAttendance,
}: PricedCourse): DisplayedPrice {
  if (price === null) {
    return {
      amount: fee + energyFee,
      parts: energyFee > 0 ? { fee, energyFee, isExternal: false } : null,
      external: externalFee + energyFee,
      attendance: freeWithAttendance && fee > 0 ? 'frees' : null,
      onceVerified: null,
    }
  }
  const owedFee = price.waived ? 0 : price.fee
  return {
    amount: price.amount,
    parts:
      price.energyFee > 0 ? { fee: owedFee, energyFee: price.energyFee, isExternal: price.kind === 'external' } : null,
    external: price.kind === 'external' ? null : externalFee + energyFee,
    attendance: price.fee === 0 ? null : price.waived ? 'freed' : price.freeWithAttendance ? 'frees' : null,
    // Prices cached by earlier versions lack this field.
    onceVerified: price.priceOnceVerified ?? null,
  }
}

/** Amount used to sort and compare courses. */
export const totalPriceOf = (course: PricedCourse): number => displayedPriceOf(course).amount

/** Translates a key below `price.` or `clash.`. */
type SayText = (key: string, values: Record<string, string>) => string

/** Amount as text; "free" only if it is 0. */
export const formatPrice = (amount: number, say: SayText): string =>
  amount === 0 ? say('free', {}) : formatMoney(amount)

/** Texts that state a course's price for the current user. Lines that are null are not shown. */
export function priceLines(
  course: PricedCourse,
  say: SayText,
): Record<'amount', string> & Record<'parts' | 'external' | 'attendance' | 'onceVerified', string | null> {
  const { amount, parts, external, attendance, onceVerified } = displayedPriceOf(course)
  const key = parts?.fee === 0 ? 'energyOnly' : parts?.isExternal ? 'partsExternal' : 'parts'
  return {
    amount: formatPrice(amount, say),
    parts: parts && say(key, { fee: formatMoney(parts.fee), energy: formatMoney(parts.energyFee) }),
    external: external === null ? null : formatPrice(external, say),
    attendance: attendance && say(attendance, {}),
    onceVerified: onceVerified === null ? null : say('onceVerified', { price: formatPrice(onceVerified, say) }),
  }
}

/** Formats a price in one line, such as `24,00 € (15,00 € als Externe + 9,00 € Energiezuschlag)`. */
export function priceInOneLine(course: PricedCourse, say: SayText): string {
  const { amount, parts, attendance, onceVerified } = priceLines(course, say)
  return [parts ? `${amount} (${parts})` : amount, attendance, onceVerified].filter(Boolean).join(', ')
}

/** Describes a schedule conflict, such as `Zur selben Zeit: Yoga (23.11.2026)`. */
export const clashText = ({ kind, course, at }: Clash, say: SayText, language: Language): string =>
  say(kind, { name: nameInLanguage(language, course), date: formatDate(at) })

const once = (parts: readonly string[]) => [...new Set(parts)].filter(part => part !== '').join(', ')

/** Short location: venue and city, or just one of them if both are equal, as for online courses. */
export const shortLocation = ({ venue, city }: Pick<Course, 'venue' | 'city'>): string => once([venue, city])

/** Short location for lines that may be truncated. The city comes first because people choose by city. */
export const cityAndVenueOf = ({ venue, city }: Pick<Course, 'venue' | 'city'>): string => once([city, venue])

/** Whether the course is held online. Courses without a location are treated as online courses. */
export const isHeldOnline = (course: Pick<Course, 'venue' | 'city'>): boolean =>
  /^(?:$|online\b)/i.test(shortLocation(course))

/** Full location, including the room or directions. */
export const fullLocation = (
  { venue, city, location, location2 }: Pick<Course, 'venue' | 'city' | 'location' | 'location2'>,
  language: Language,
): string => once([venue, textInLanguage(language, location, location2), city])

/** Converts a weekday (0 Sunday to 6 Saturday) to an index that starts on Monday. */
export const weekdayIndex = (day: number): number => (day + 6) % 7

/** Weekdays in order, starting on Monday. */
export const sortWeekdays = (days: readonly number[]): number[] =>
  days.toSorted((a, b) => weekdayIndex(a) - weekdayIndex(b))

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => ESCAPED[character] ?? '')

/** Matches inline tags, which do not separate words. */
const INLINE = /<\/?(?:a|b|strong|em|i|u)\b[^>]*>/gi

/** Plain text of HTML, with whitespace collapsed. */
export const plainText = (html: string): string =>
  html
    .replace(INLINE, '')
    .replace(/<[^>]*>?/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** Beginning of a text, truncated at a word boundary after about `length` characters. */
export function teaserOf(html: string, length = 90): string {
  const text = plainText(html.slice(0, 4000))
  if (text.length <= length) return text
  const cut = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
  const wordEnd = cut.lastIndexOf(' ')
  return `${cut.slice(0, wordEnd > length / 2 ? wordEnd : undefined).replace(/[\s,;:.–-]+$/, '')}…`
}
