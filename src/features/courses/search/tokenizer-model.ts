import { entriesOf } from '#contract/records.ts'
import { totalPriceOf } from '#contract/words.ts'
import { availabilityOf, type ListedCourse } from '../model.ts'
import { DAY_PARTS, type DayPart, minuteOfDay } from './time-of-day-model.ts'

/**
 * Special meaning of a query word, such as a day or a time. Words with a special meaning are not searched for in the
 * course texts.
 */
export type TokenMeaning =
  | { kind: 'day'; days: readonly number[] }
  | { kind: 'part'; part: DayPart }
  | { kind: 'time'; from: number; to: number; near: number | null }
  | { kind: 'free' }
  | { kind: 'places' }

const all = (words: string, meaning: TokenMeaning): [string, TokenMeaning][] =>
  words.split(' ').map(word => [word, meaning])
const DAYS = [
  'sonntag sonntags sunday sundays so sun',
  'montag montags monday mondays mo mon',
  'dienstag dienstags tuesday tuesdays di tue tues',
  'mittwoch mittwochs wednesday wednesdays mi wed',
  'donnerstag donnerstags thursday thursdays do thu thur thurs',
  'freitag freitags friday fridays fr fri',
  'samstag samstags sonnabend sonnabends saturday saturdays sa sat',
]
const PARTS: Record<DayPart, string> = {
  morning: 'morgen morgens fruh vormittag vormittags morning mornings',
  noon: 'mittag mittags mittagspause noon lunch lunchtime midday',
  afterwork: 'nachmittag nachmittags afternoon afternoons',
  evening: 'abend abends evening evenings',
}

/** German and English words with a special meaning, normalized. Both are understood in either language of the app. */
const WORDS = new Map<string, TokenMeaning>([
  ...DAYS.flatMap((words, day) => all(words, { kind: 'day', days: [day] })),
  ...all('wochenende weekend weekends', { kind: 'day', days: [6, 0] }),
  ...entriesOf(PARTS).flatMap(([part, words]) => all(words, { kind: 'part', part })),
  ...all('kostenlos kostenfrei gratis umsonst', { kind: 'free' }),
  ...all('frei freie freier verfugbar available', { kind: 'places' }),
  ...all('free', { kind: 'free' }),
])

/** Words to which typing errors are corrected. Short words are excluded because they are too similar to others. */
export const CORRECTABLE_WORDS: readonly string[] = [...WORDS.keys()].filter(word => word.length > 5)

const PHRASES: [RegExp, TokenMeaning][] = [
  [/^(?:freie[rn]? )?platze?$/, { kind: 'places' }],
  [/^free (?:places?|of charge)$/, { kind: 'places' }],
  [/^(?:nach feierabend|after work)$/, { kind: 'part', part: 'afterwork' }],
]
const TIME = /^(?:(ab|from|nach|after|vor|before|bis|until|um|at|gegen) )?(\d{1,2})(?:[:.](\d\d))?(?: ?(uhr|h|am|pm))?$/
const DAY_AND_PART = new RegExp(
  `^(${[...WORDS.keys()].filter(word => /tag$|woch$|abend$/.test(word)).join('|')})(\\w+)$`,
)

function readTime(words: string): TokenMeaning | null {
  const [, before, hours = '', minutes, unit] = TIME.exec(words) ?? []
  // A number on its own is part of a name or a course number.
  if (hours === '' || !(before || minutes || unit) || Number(hours) > 24) return null
  const at = ((Number(hours) % 12) + (unit === 'pm' ? 12 : 0)) * 60 + Number(minutes ?? 0)
  const minute = unit === 'am' || unit === 'pm' ? at : Number(hours) * 60 + Number(minutes ?? 0)
  if (before && /^(?:ab|from|nach|after)$/.test(before)) return { kind: 'time', from: minute, to: 1440, near: null }
  if (before && /^(?:vor|before|bis|until)$/.test(before)) return { kind: 'time', from: 0, to: minute, near: null }
  return { kind: 'time', from: minute - 45, to: minute + 46, near: minute }
}

/**
 * Meanings of one to three words, as in `di`, `dienstagabend` or `ab 18 uhr`. Most words have none.
 * @param words normalized
 */
export function parseTokenMeanings(words: string): TokenMeaning[] {
  const phrase = PHRASES.find(([pattern]) => pattern.test(words))?.[1]
  const known = WORDS.get(words) ?? phrase ?? readTime(words)
  if (known) return [known]
  const [, day = '', rest = ''] = DAY_AND_PART.exec(words) ?? []
  const meanings = [WORDS.get(day), WORDS.get(rest)]
  return day && WORDS.get(rest)?.kind === 'part' ? meanings.filter(meaning => meaning !== undefined) : []
}

export function matchesTokenMeaning(meaning: TokenMeaning, course: ListedCourse): boolean {
  const time = minuteOfDay(course)
  switch (meaning.kind) {
    case 'day':
      return course.weekdays.some(day => meaning.days.includes(day))
    case 'part':
      return DAY_PARTS[meaning.part][0] <= time && time < DAY_PARTS[meaning.part][1]
    case 'time':
      return meaning.from <= time && time < meaning.to
    case 'free':
      return totalPriceOf(course) === 0
    case 'places':
      return availabilityOf(course).free > 0
  }
}
