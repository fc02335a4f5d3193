import type { Course } from './courses.ts'
import type { Clash } from './lessons.ts'
import type { CalendarDay, ClockTime, DateTimeValue, Language } from './values.ts'

/** The second-language text when the language is English and there is one; otherwise the first. */
export const pickText = (language: Language, first: string, second: string): string =>
  language === 'en' && second !== '' ? second : first

export const nameIn = (language: Language, { name, name2 }: { name: string; name2: string }): string =>
  pickText(language, name, name2)

const pad = (value: number, digits = 2) => String(value).padStart(digits, '0')

/** dd.MM.yyyy, in both languages. */
export const formatDate = ({ day, month, year }: CalendarDay): string => `${pad(day)}.${pad(month)}.${pad(year, 4)}`

/** dd.MM., in both languages. */
export const formatDayMonth = ({ day, month }: DateTimeValue): string => `${pad(day)}.${pad(month)}.`

/** HH:mm, 24 hours, in both languages. */
export const formatTime = ({ hour, minute }: ClockTime): string => `${pad(hour)}:${pad(minute)}`

/** Made with the first price: a browser takes longer for it than for all the rest of the app's first file. */
let euros: Intl.NumberFormat | null = null
/** Euros in the German format with two decimals and the sign, in both languages. */
export const formatMoney = (amount: number): string => {
  euros ??= new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' })
  return euros.format(amount)
}

export type Priced = Pick<Course, 'price' | 'fee' | 'externalFee' | 'energyFee' | 'freeWithAttendance'>

/** What a price is made of, in euros: everything that is owed stands in the amount. */
export type PriceView = {
  /** what the reader pays, all in; for a visitor what people of the company pay */
  amount: number
  /** its parts, where energy is one of them */
  parts: { fee: number; energyFee: number; isExternal: boolean } | null
  /** what externals pay, all in; null where the reader's own price is known */
  external: number | null
  /** the fee falls away with regular attendance, or has */
  attendance: 'frees' | 'freed' | null
  /** what the reader pays from verification on, all in; null where that changes nothing */
  onceVerified: number | null
}

/** The reader's price, or, for a visitor, those of the company's people and of externals. See docs/decisions/0027. */
export function priceViewOf({ price, fee, externalFee, energyFee, freeWithAttendance }: Priced): PriceView {
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
    external: null,
    attendance: price.fee === 0 ? null : price.waived ? 'freed' : price.freeWithAttendance ? 'frees' : null,
    // A price that an earlier version stored on the device has none.
    onceVerified: price.priceOnceVerified ?? null,
  }
}

/** What a reader compares courses by. */
export const amountOf = (course: Priced): number => priceViewOf(course).amount

/** A text by its key, below `price.` or `clash.` */
type SayText = (key: string, values: Record<string, string>) => string

/** A sum in words: only what costs nothing is free. */
export const sayAmount = (amount: number, say: SayText): string =>
  amount === 0 ? say('free', {}) : formatMoney(amount)

/** How much a course costs the reader, in words; a null line is not said. */
export function sayPrice(
  course: Priced,
  say: SayText,
): Record<'amount', string> & Record<'parts' | 'external' | 'attendance' | 'onceVerified', string | null> {
  const { amount, parts, external, attendance, onceVerified } = priceViewOf(course)
  const key = parts?.fee === 0 ? 'energyOnly' : parts?.isExternal ? 'partsExternal' : 'parts'
  return {
    amount: sayAmount(amount, say),
    parts: parts && say(key, { fee: formatMoney(parts.fee), energy: formatMoney(parts.energyFee) }),
    external: external === null ? null : sayAmount(external, say),
    attendance: attendance && say(attendance, {}),
    onceVerified: onceVerified === null ? null : say('onceVerified', { price: sayAmount(onceVerified, say) }),
  }
}

/** The same in one line, as in `24,00 € (15,00 € als Externe + 9,00 € Energiezuschlag)`. */
export function sayPriceInLine(course: Priced, say: SayText): string {
  const { amount, parts, attendance, onceVerified } = sayPrice(course, say)
  return [parts ? `${amount} (${parts})` : amount, attendance, onceVerified].filter(Boolean).join(', ')
}

/** Another course that leaves no time for one, as in `Zur selben Zeit: Yoga (23.11.2026)`. */
export const sayClash = ({ kind, course, at }: Clash, say: SayText, language: Language): string =>
  say(kind, { name: nameIn(language, course), date: formatDate(at) })

const once = (parts: readonly string[]) => [...new Set(parts)].filter(part => part !== '').join(', ')

/** Where a course is held in short: venue and city, once where both say the same, as an online course does. */
export const whereOf = ({ venue, city }: Pick<Course, 'venue' | 'city'>): string => once([venue, city])

/** The same for a line that may be cut: the city, by which people choose, comes first. */
export const cityAndVenueOf = ({ venue, city }: Pick<Course, 'venue' | 'city'>): string => once([city, venue])

/** Whether a course says of itself that it is held online; a course without a venue has none to go to. */
export const isHeldOnline = (course: Pick<Course, 'venue' | 'city'>): boolean =>
  /^(?:$|online\b)/i.test(whereOf(course))

/** Where a course is held in full: with the room or the way to it. */
export const fullWhereOf = (
  { venue, city, location, location2 }: Pick<Course, 'venue' | 'city' | 'location' | 'location2'>,
  language: Language,
): string => once([venue, pickText(language, location, location2), city])

/** 0 Sunday to 6 Saturday, as a week is read: from Monday on. */
export const fromMonday = (day: number): number => (day + 6) % 7

/** The days of a week in the order in which they are read. */
export const inWeekOrder = (days: readonly number[]): number[] => days.toSorted((a, b) => fromMonday(a) - fromMonday(b))

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => ESCAPED[character] ?? '')

/** Marks within a sentence: what they part belongs together. */
const INLINE = /<\/?(?:a|b|strong|em|i|u)\b[^>]*>/gi

/** The words of HTML, without markup, one blank between them. */
export const plainText = (html: string): string =>
  html
    .replace(INLINE, '')
    .replace(/<[^>]*>?/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** The beginning of a text's words, cut at a word to about `length` characters. */
export function teaserOf(html: string, length = 90): string {
  const text = plainText(html.slice(0, 4000))
  if (text.length <= length) return text
  const cut = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
  const wordEnd = cut.lastIndexOf(' ')
  return `${cut.slice(0, wordEnd > length / 2 ? wordEnd : undefined).replace(/[\s,;:.–-]+$/, '')}…`
}
