import type { CourseTexts } from '#contract/endpoints/courses.ts'
import { keysOf, recordFromKeys } from '#contract/records.ts'
import type { Language } from '#contract/values.ts'
import { plainText, textInLanguage } from '#contract/words.ts'
import { type ListedCourse, localizedTextsOf } from '../model.ts'
import { CORRECTABLE_WORDS, matchesTokenMeaning, parseTokenMeanings, type TokenMeaning } from './tokenizer-model.ts'
import { nearestWords } from './typo-model.ts'

const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ð: 'd', þ: 'th' }

/** Normalizes text: lower case, no accents, single spaces. */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđıðþ]/g, letter => LETTERS[letter] ?? letter)
    .replace(/\s+/g, ' ')

/**
 * Simplifies folded text further, so that `ä`, `a` and `ae` are treated as equal and hyphens, periods and apostrophes
 * are ignored.
 */
const collapse = (folded: string): string => folded.replace(/([aou])e/g, '$1').replace(/[-‐‑–.'’]/g, '')

/**
 * Normalized text to search in: folded (without accents) and, if different, also collapsed (`ae` as `a`, no hyphens). A
 * query matches if it is a substring of either form.
 */
const haystackOf = (fields: string[]): string => {
  const folded = fields.map(foldText).join('\n')
  const collapsed = collapse(folded)
  return collapsed === folded ? folded : `${folded}\n${collapsed}`
}

/**
 * A query term in two normalized forms. `folded`: without accents; `collapsed`: also with `ae` as `a` and without
 * hyphens.
 */
export type SearchTerm = { folded: string; collapsed: string }

const QUOTES = '"„“”«»'
const PARTS = new RegExp(`[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]?|([^\\s${QUOTES}]+)`, 'g')

const partOf = (text: string): SearchTerm => {
  const folded = foldText(text).trim()
  return { folded, collapsed: collapse(folded) || folded }
}

type Word = SearchTerm & { raw: string; isQuoted: boolean }

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(PARTS)]
    .map(([raw, phrase, word]) => ({ raw, isQuoted: word === undefined, ...partOf(phrase ?? word ?? '') }))
    .filter(({ folded }) => folded !== '')

/** Splits a query at spaces; a quoted phrase is one term. */
export const splitQueryTerms = (text: string): SearchTerm[] =>
  wordsOf(text).map(({ folded, collapsed }) => ({ folded, collapsed }))

const has = (haystack: string, { folded, collapsed }: SearchTerm) =>
  haystack.includes(folded) || (collapsed !== folded && haystack.includes(collapsed))

/** Searchable fields and their weights. */
const WEIGHTS = { number: 9, name: 6, instructor: 5, place: 5, category: 4, season: 2, text: 1 }
type Fields = Record<keyof typeof WEIGHTS, string>
const FIELDS = keysOf(WEIGHTS)
type Found = Fields & { all: string }
/** Minimum length for matching a term as a substring; a shorter one occurs in almost any text. */
const MEANINGFUL = 3
/**
 * Fields in which a short term matches the beginning of a word. Other fields contain so much text that almost any
 * prefix occurs in them.
 */
const NAMING = ['number', 'name', 'instructor', 'place', 'category'] as const
const cache: Record<Language, WeakMap<ListedCourse, Found>> = { de: new WeakMap(), en: new WeakMap() }

/** Cached per course and language. */
function fieldsOf(course: ListedCourse, language: Language): Found {
  const cached = cache[language].get(course)
  if (cached) return cached
  const { name, teaser, category, season } = localizedTextsOf(course, language)
  const { number, instructor, venue, city } = course
  const texts: Record<keyof Fields, string[]> = {
    // `Y-1` is also found by `y 1`.
    number: [number, ...(/[-./]/.test(number) ? [number.replace(/[-./]+/g, ' ')] : [])],
    name: [name],
    instructor: [instructor],
    place: [venue, city],
    category: [category],
    season: [season],
    text: [teaser],
  }
  // Every word, including the first one, is preceded by a space.
  const fields = recordFromKeys(FIELDS, field => haystackOf(texts[field].map(text => ` ${text}`)))
  const found = { ...fields, all: FIELDS.map(field => fields[field]).join('\n') }
  cache[language].set(course, found)
  return found
}

export function preloadSearchFields(course: ListedCourse, language: Language): void {
  fieldsOf(course, language)
}

/** The city is on the line after the venue. */
const isHeldIn = ({ folded, collapsed }: SearchTerm, { place }: Fields) =>
  [folded, collapsed].some(city => `${place}\n`.includes(`\n ${city}\n`))

/**
 * The complete course descriptions as normalized text to search in, by course id. The course index contains only their
 * beginnings.
 */
export type SearchableDescriptions = ReadonlyMap<number, string>

export const searchableDescriptionOf = (texts: CourseTexts, language: Language): string =>
  haystackOf([plainText(textInLanguage(language, texts.textWeb, texts.textWeb2))])

const vocabularies: Record<Language, WeakMap<readonly ListedCourse[], ReadonlyMap<string, number>>> = {
  de: new WeakMap(),
  en: new WeakMap(),
}

/** All words in the programme, each with the highest weight among the fields that contain it. */
function vocabularyOf(courses: readonly ListedCourse[], language: Language): ReadonlyMap<string, number> {
  const cached = vocabularies[language].get(courses)
  if (cached) return cached
  const vocabulary = new Map<string, number>()
  for (const course of courses) {
    const fields = fieldsOf(course, language)
    for (const field of FIELDS) {
      for (const word of fields[field].split(/[^\p{L}\p{N}]+/u)) {
        if (word.length > 3 && !/\d/.test(word) && (vocabulary.get(word) ?? 0) < WEIGHTS[field])
          vocabulary.set(word, WEIGHTS[field])
      }
    }
  }
  vocabularies[language].set(courses, vocabulary)
  return vocabulary
}

const MOST_STEMS = 6

/** Suffixes that are ignored when looking for corrections. */
const ENDING = /(?:kurse?|training|unterricht|ing|en|er|e|n|s)$/

const corrections = new WeakMap<ReadonlyMap<string, number>, Map<string, string[]>>()

/**
 * Suggests corrections for a word that does not occur in the programme: the most similar words or, if there are none,
 * those that start with the same stem.
 */
function correct({ folded }: Word, courses: readonly ListedCourse[], language: Language): string[] {
  const vocabulary = vocabularyOf(courses, language)
  const known = corrections.get(vocabulary) ?? new Map<string, string[]>()
  corrections.set(vocabulary, known)
  const found = known.get(folded) ?? nearestWords(folded, vocabulary)
  const stem = folded.replace(ENDING, '')
  if (found.length === 0 && stem.length > 2 && stem !== folded)
    found.push(...[...vocabulary.keys()].filter(word => word.startsWith(stem)).slice(0, MOST_STEMS))
  known.set(folded, found)
  return found
}

/** Stop words, ignored unless they are the only word. */
const FILLERS = new Set(
  'am an im in mit und bei fur kurs kurse der die das the at on with for and a course courses'.split(' '),
)
/** Maximum number of words that are interpreted as one expression, as in `ab 18 uhr`. */
const LONGEST_PHRASE = 3

/**
 * Token of a query: either words with a special meaning (a day, a time, a price) or terms that must occur in the
 * course.
 */
export type SearchToken = {
  /** as typed */
  raw: string
  meanings: readonly TokenMeaning[]
  /**
   * alternative search terms, at least one of which the course must contain; empty if the token only has special
   * `meanings`, such as a weekday
   */
  parts: readonly SearchTerm[]
  /** whether the token is the name of a city, which can also be chosen as a filter */
  isCity: boolean
  /** suggested spellings if the typed words do not occur in the programme */
  corrected: readonly string[]
}

export type SearchQuery = {
  tokens: readonly SearchToken[]
  isMatch: (course: ListedCourse) => boolean
  /** sorts by relevance; stable */
  rank: (courses: ListedCourse[]) => ListedCourse[]
  /** number of tokens that a course matches, used to rank the nearest matches */
  countFits: (course: ListedCourse) => number
}

function tokensOf(
  text: string,
  courses: readonly ListedCourse[],
  language: Language,
  longTexts: SearchableDescriptions,
): SearchToken[] {
  const words = wordsOf(text)
  const isInProgramme = (part: SearchTerm) =>
    courses.some(course => has(fieldsOf(course, language).all, part) || has(longTexts.get(course.id) ?? '', part))
  const isCity = (part: SearchTerm) => courses.some(course => isHeldIn(part, fieldsOf(course, language)))
  const tokens: SearchToken[] = []
  for (let at = 0; at < words.length; ) {
    const length = [LONGEST_PHRASE, 2, 1].find(count => {
      const phrase = words.slice(at, at + count)
      return phrase.length === count && !phrase.some(word => word.isQuoted) && readMeanings(phrase).length > 0
    })
    const phrase = words.slice(at, at + (length ?? 1))
    at += phrase.length
    const [word] = phrase
    if (!word) break
    const raw = phrase.map(part => part.raw).join(' ')
    // A single word, such as a weekday, may also be meant literally.
    const isAlone = words.length === 1
    if (length) {
      const meanings = readMeanings(phrase)
      const isWord = isAlone || meanings[0]?.kind === 'free'
      tokens.push({ raw, meanings, parts: isWord ? [word] : [], isCity: false, corrected: [] })
      continue
    }
    if (!isAlone && !word.isQuoted && FILLERS.has(word.collapsed)) continue
    if (word.isQuoted || word.folded.length < 4 || isInProgramme(word)) {
      tokens.push({ raw, meanings: [], parts: [word], isCity: !word.isQuoted && isCity(word), corrected: [] })
      continue
    }
    const [meant] = nearestWords(word.collapsed, new Map(CORRECTABLE_WORDS.map(known => [known, 1])))
    const corrected = meant ? [] : correct(word, courses, language)
    const parts = corrected.length > 0 ? corrected.map(partOf) : [word]
    tokens.push({
      raw,
      meanings: meant ? parseTokenMeanings(meant) : [],
      parts: meant ? [] : parts,
      isCity: false,
      corrected: meant ? [meant] : corrected,
    })
  }
  return tokens
}

function readMeanings(words: readonly Word[]): TokenMeaning[] {
  const meanings = parseTokenMeanings(words.map(({ collapsed }) => collapsed).join(' '))
  // `ue` is an umlaut in `frueh`, but not in `tuesday`.
  return meanings.length > 0 ? meanings : parseTokenMeanings(words.map(({ folded }) => folded).join(' '))
}

/** Whether any word of the text begins with the folded or the collapsed form of the term. */
const beginsWord = (text: string, { folded, collapsed }: SearchTerm) =>
  text.includes(` ${folded}`) || (collapsed !== folded && text.includes(` ${collapsed}`))

/**
 * Returns a function that computes the relevance of a term: highest at the start of the name, then at the start of
 * another word in it. Short terms match only at the start of a number or word.
 */
function weigherOf(part: SearchTerm): (fields: Fields) => number {
  const [word, spelt] = [` ${part.folded}`, ` ${part.collapsed}`]
  const begins = (text: string) => beginsWord(text, part)
  const isFirst = (text: string) => text.startsWith(word) || text.includes(`\n${spelt}`) || text.startsWith(spelt)
  const isShort = part.folded.length < MEANINGFUL
  return fields => {
    const best = FIELDS.find(field =>
      isShort || field === 'number' ? begins(fields[field]) : has(fields[field], part),
    )
    if (!best) return 0
    const inName = best === 'name' && begins(fields.name) ? (isFirst(fields.name) ? 3 : 2) : 0
    return WEIGHTS[best] + inName + (fields[best] === word ? 3 : 0)
  }
}

/**
 * The courses with these numbers, as in the link of a shared plan: several numbers list several courses, because a
 * course has only one. Null unless each term of the query is the number of a course.
 */
function findByNumbers(text: string, courses: readonly ListedCourse[]): ReadonlySet<ListedCourse> | null {
  const terms = wordsOf(text).map(({ folded }) => folded)
  if (terms.length < 2 || !terms.every(term => /\d/.test(term))) return null
  const byNumber = Map.groupBy(courses, ({ number }) => foldText(number))
  const found = terms.map(term => byNumber.get(term) ?? [])
  return found.every(({ length }) => length > 0) ? new Set(found.flat()) : null
}

let last: { key: readonly unknown[]; query: SearchQuery } | null = null

/**
 * Parses a query into terms that must occur in the course and words with a special meaning (a day, a time, free of
 * charge). Understands German and English in either language of the app, and tolerates typing errors. See
 * docs/decisions/0078.
 */
export function parseSearchQuery(
  text: string,
  courses: readonly ListedCourse[],
  language: Language,
  longTexts: SearchableDescriptions,
): SearchQuery {
  const key = [text, courses, language, longTexts]
  if (last?.key.every((part, index) => part === key[index])) return last.query
  const numbered = findByNumbers(text, courses)
  const tokens = tokensOf(text, courses, language, longTexts)
  const isMeant = ({ meanings }: SearchToken, course: ListedCourse) =>
    meanings.length > 0 && meanings.every(meaning => matchesTokenMeaning(meaning, course))
  const isIn = (part: SearchTerm, course: ListedCourse) => {
    const { all } = fieldsOf(course, language)
    const long = longTexts.get(course.id)
    return has(all, part) || (long !== undefined && has(long, part))
  }
  const begins = (part: SearchTerm, course: ListedCourse) =>
    NAMING.some(field => beginsWord(fieldsOf(course, language)[field], part))
  // If a short search term begins a word in the number, name, instructor, venue or category of any course, the term
  // matches only such beginnings of words.
  const initials = new Set(
    tokens
      .flatMap(token => token.parts)
      .filter(part => part.folded.length < MEANINGFUL && courses.some(course => begins(part, course))),
  )
  const fitsOf = (course: ListedCourse) => (token: SearchToken) =>
    isMeant(token, course) || token.parts.some(part => (initials.has(part) ? begins : isIn)(part, course))
  // A course name that contains the whole query as a phrase outranks a name that contains its words separately.
  const whole = tokens.length > 1 ? tokens.flatMap(({ parts: [part] }) => part?.folded ?? []).join(' ') : ''
  const weighed = tokens.map(token => ({ token, weighers: token.parts.map(weigherOf) }))
  const score = (course: ListedCourse) => {
    const fields = fieldsOf(course, language)
    let sum = whole.includes(' ') && fields.name.includes(whole) ? 4 : 0
    for (const { token, weighers } of weighed) {
      sum += weighers.reduce((most, weigh) => Math.max(most, weigh(fields)), isMeant(token, course) ? 5 : 0)
    }
    return sum
  }
  const query: SearchQuery = {
    tokens,
    isMatch: course => (numbered ? numbered.has(course) : tokens.every(fitsOf(course))),
    countFits: course => tokens.filter(fitsOf(course)).length,
    rank: found => {
      if (tokens.every(({ parts }) => parts.length === 0)) return found
      // There are only a few distinct scores, so a bucket sort is faster than comparing courses.
      const heaps = new Map<number, ListedCourse[]>()
      for (const course of found) {
        const fit = score(course)
        const heap = heaps.get(fit)
        if (heap) heap.push(course)
        else heaps.set(fit, [course])
      }
      return [...heaps.keys()].sort((a, b) => b - a).flatMap(fit => heaps.get(fit) ?? [])
    },
  }
  last = { key, query }
  return query
}
