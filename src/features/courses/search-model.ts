import type { CourseTexts } from '#contract/courses.ts'
import type { Language } from '#contract/values.ts'
import { pickText, plainText } from '#contract/words.ts'
import { type ListedCourse, textsOf } from './model.ts'

const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ð: 'd', þ: 'th' }

/** Lower case, without accents, one blank between words. */
const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđıðþ]/g, letter => LETTERS[letter] ?? letter)
    .replace(/\s+/g, ' ')

/** One spelling for `ä`, `a` and `ae`, with and without hyphen. */
const collapse = (folded: string): string => folded.replace(/([aou])e/g, '$1').replace(/[-‐‑–.'’]/g, '')

/** What is searched in: both spellings, so that every part of a text finds it as written and as spelt otherwise. */
const haystackOf = (fields: string[]): string => {
  const folded = fields.map(fold).join('\n')
  const collapsed = collapse(folded)
  return collapsed === folded ? folded : `${folded}\n${collapsed}`
}

/** One part of a query in its two spellings. */
export type SearchPart = { folded: string; collapsed: string }

const QUOTES = '"„“”«»'
const PARTS = new RegExp(`[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]?|([^\\s${QUOTES}]+)`, 'g')

/** Splits on blanks; a quoted phrase stays together. */
export const parseQuery = (text: string): SearchPart[] =>
  [...text.matchAll(PARTS)]
    .map(([, phrase, word]) => fold(phrase ?? word ?? '').trim())
    .filter(folded => folded !== '')
    .map(folded => ({ folded, collapsed: collapse(folded) || folded }))

const has = (haystack: string, { folded, collapsed }: SearchPart) =>
  haystack.includes(folded) || (collapsed !== folded && haystack.includes(collapsed))

const cache: Record<Language, WeakMap<ListedCourse, string>> = { de: new WeakMap(), en: new WeakMap() }

/** Made once per course and language. */
function courseHaystack(course: ListedCourse, language: Language): string {
  const cached = cache[language].get(course)
  if (cached !== undefined) return cached
  const { name, teaser, category, season } = textsOf(course, language)
  const haystack = haystackOf([
    name,
    course.number,
    category,
    teaser,
    course.instructor,
    course.venue,
    course.city,
    season,
  ])
  cache[language].set(course, haystack)
  return haystack
}

/** The whole web text to search in, by course id; the list itself knows only its beginning. */
export type LongTexts = ReadonlyMap<number, string>

export const longTextHaystack = (texts: CourseTexts, language: Language): string =>
  haystackOf([plainText(pickText(language, texts.textWeb, texts.textWeb2))])

/** Says of a course whether every part occurs in it. */
export const matcherOf = (text: string, language: Language, longTexts: LongTexts) => {
  const parts = parseQuery(text)
  return (course: ListedCourse): boolean => {
    if (parts.length === 0) return true
    const haystack = courseHaystack(course, language)
    const long = longTexts.get(course.id)
    return parts.every(part => has(haystack, part) || (long !== undefined && has(long, part)))
  }
}
