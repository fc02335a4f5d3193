import type { CourseTexts } from '#contract/courses.ts'
import { keysOf, recordOf } from '#contract/records.ts'
import type { Language } from '#contract/values.ts'
import { pickText, plainText } from '#contract/words.ts'
import { type ListedCourse, textsOf } from './model.ts'
import { isAsMeant, LONG_WORDS, type Meaning, meaningsOf } from './tokenizer-model.ts'
import { findNearest } from './typo-model.ts'

const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ð: 'd', þ: 'th' }

/** Lower case, without accents, one blank between words. */
export const fold = (text: string): string =>
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

const partOf = (text: string): SearchPart => {
  const folded = fold(text).trim()
  return { folded, collapsed: collapse(folded) || folded }
}

type Word = SearchPart & { raw: string; isQuoted: boolean }

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(PARTS)]
    .map(([raw, phrase, word]) => ({ raw, isQuoted: word === undefined, ...partOf(phrase ?? word ?? '') }))
    .filter(({ folded }) => folded !== '')

/** Splits on blanks; a quoted phrase stays together. */
export const parseQuery = (text: string): SearchPart[] =>
  wordsOf(text).map(({ folded, collapsed }) => ({ folded, collapsed }))

const has = (haystack: string, { folded, collapsed }: SearchPart) =>
  haystack.includes(folded) || (collapsed !== folded && haystack.includes(collapsed))

/** What a course is found by, and how much each part says about it. */
const WEIGHTS = { number: 9, name: 6, instructor: 5, place: 5, category: 4, season: 2, text: 1 }
type Fields = Record<keyof typeof WEIGHTS, string>
const FIELDS = keysOf(WEIGHTS)
type Found = Fields & { all: string }
/** A shorter part of a query is somewhere in almost any text. */
const MEANINGFUL = 3
const cache: Record<Language, WeakMap<ListedCourse, Found>> = { de: new WeakMap(), en: new WeakMap() }

/** Made once per course and language. */
function fieldsOf(course: ListedCourse, language: Language): Found {
  const cached = cache[language].get(course)
  if (cached) return cached
  const { name, teaser, category, season } = textsOf(course, language)
  const { number, instructor, venue, city } = course
  const texts: Record<keyof Fields, string[]> = {
    number: [number],
    name: [name],
    instructor: [instructor],
    place: [venue, city],
    category: [category],
    season: [season],
    text: [teaser],
  }
  // Every word begins behind a blank, the first one, too.
  const fields = recordOf(FIELDS, field => haystackOf(texts[field].map(text => ` ${text}`)))
  const found = { ...fields, all: FIELDS.map(field => fields[field]).join('\n') }
  cache[language].set(course, found)
  return found
}

export function readAhead(course: ListedCourse, language: Language): void {
  fieldsOf(course, language)
}

/** The city has a line of its own below the venue's. */
const isHeldIn = ({ folded, collapsed }: SearchPart, { place }: Fields) =>
  [folded, collapsed].some(city => `${place}\n`.includes(`\n ${city}\n`))

/** The whole web text to search in, by course id; the list itself knows only its beginning. */
export type LongTexts = ReadonlyMap<number, string>

export const longTextHaystack = (texts: CourseTexts, language: Language): string =>
  haystackOf([plainText(pickText(language, texts.textWeb, texts.textWeb2))])

const vocabularies: Record<Language, WeakMap<readonly ListedCourse[], ReadonlyMap<string, number>>> = {
  de: new WeakMap(),
  en: new WeakMap(),
}

/** Every word of the programme, and what the best place says in which it stands. */
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

/** Endings that say nothing about which course is meant. */
const ENDING = /(?:kurse?|training|unterricht|ing|en|er|e|n|s)$/

const corrections = new WeakMap<ReadonlyMap<string, number>, Map<string, string[]>>()

/** What stands in the programme in place of a word that does not: the nearest words, or those that begin like it. */
function correct({ folded }: Word, courses: readonly ListedCourse[], language: Language): string[] {
  const vocabulary = vocabularyOf(courses, language)
  const known = corrections.get(vocabulary) ?? new Map<string, string[]>()
  corrections.set(vocabulary, known)
  const found = known.get(folded) ?? findNearest(folded, vocabulary)
  const stem = folded.replace(ENDING, '')
  if (found.length === 0 && stem.length > 2 && stem !== folded)
    found.push(...[...vocabulary.keys()].filter(word => word.startsWith(stem)).slice(0, MOST_STEMS))
  known.set(folded, found)
  return found
}

/** Left out where other words say what is meant. */
const FILLERS = new Set(
  'am an im in mit und bei fur kurs kurse der die das the at on with for and a course courses'.split(' '),
)
/** So many words may mean something together, as in `ab 18 uhr`. */
const LONGEST_PHRASE = 3

/** A part of a query: words that mean something, or that have to occur. */
export type Token = {
  /** as typed */
  raw: string
  meanings: readonly Meaning[]
  /** what has to occur, each in place of the others; none where only the meaning counts */
  parts: readonly SearchPart[]
  /** the name of a city, which is a filter, too */
  isCity: boolean
  /** the words were not in the programme: these are instead */
  corrected: readonly string[]
}

export type Query = {
  tokens: readonly Token[]
  isMatch: (course: ListedCourse) => boolean
  /** by how well the words fit; what fits alike stays in its order */
  rank: (courses: ListedCourse[]) => ListedCourse[]
  /** of all words how many a course fits, to find what comes near */
  countFits: (course: ListedCourse) => number
}

function tokensOf(text: string, courses: readonly ListedCourse[], language: Language, longTexts: LongTexts): Token[] {
  const words = wordsOf(text)
  const isInProgramme = (part: SearchPart) =>
    courses.some(course => has(fieldsOf(course, language).all, part) || has(longTexts.get(course.id) ?? '', part))
  const isCity = (part: SearchPart) => courses.some(course => isHeldIn(part, fieldsOf(course, language)))
  const tokens: Token[] = []
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
    // One word alone may be meant as it stands, too.
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
    const [meant] = findNearest(word.collapsed, new Map(LONG_WORDS.map(known => [known, 1])))
    const corrected = meant ? [] : correct(word, courses, language)
    const parts = corrected.length > 0 ? corrected.map(partOf) : [word]
    tokens.push({
      raw,
      meanings: meant ? meaningsOf(meant) : [],
      parts: meant ? [] : parts,
      isCity: false,
      corrected: meant ? [meant] : corrected,
    })
  }
  return tokens
}

function readMeanings(words: readonly Word[]): Meaning[] {
  const meanings = meaningsOf(words.map(({ collapsed }) => collapsed).join(' '))
  // `ue` is an umlaut in `frueh`, and none in `tuesday`.
  return meanings.length > 0 ? meanings : meaningsOf(words.map(({ folded }) => folded).join(' '))
}

/** How well a part fits: best where it begins a word of the name. Short ones say nothing inside of a number or a word. */
function weigherOf(part: SearchPart): (fields: Fields) => number {
  const [word, spelt] = [` ${part.folded}`, ` ${part.collapsed}`]
  const begins = (text: string) => text.includes(word) || (spelt !== word && text.includes(spelt))
  const isShort = part.folded.length < MEANINGFUL
  return fields => {
    const best = FIELDS.find(field =>
      isShort || field === 'number' ? begins(fields[field]) : has(fields[field], part),
    )
    if (!best) return 0
    return WEIGHTS[best] + (best === 'name' && begins(fields.name) ? 2 : 0) + (fields[best] === word ? 3 : 0)
  }
}

let last: { key: readonly unknown[]; query: Query } | null = null

/**
 * What somebody looks for: words that occur in a course, as the specification says, and words that mean something (a day, a time,
 * free of charge), in both languages, with their typing errors. See docs/decisions/0078.
 */
export function readQuery(
  text: string,
  courses: readonly ListedCourse[],
  language: Language,
  longTexts: LongTexts,
): Query {
  const key = [text, courses, language, longTexts]
  if (last?.key.every((part, index) => part === key[index])) return last.query
  const tokens = tokensOf(text, courses, language, longTexts)
  const isMeant = ({ meanings }: Token, course: ListedCourse) =>
    meanings.length > 0 && meanings.every(meaning => isAsMeant(meaning, course))
  const fitsOf = (course: ListedCourse) => {
    const { all } = fieldsOf(course, language)
    const long = longTexts.get(course.id)
    return (token: Token) =>
      isMeant(token, course) || token.parts.some(part => has(all, part) || (long !== undefined && has(long, part)))
  }
  // All of it beside each other in the name is more than each word somewhere.
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
  const query: Query = {
    tokens,
    isMatch: course => tokens.length === 0 || tokens.every(fitsOf(course)),
    countFits: course => tokens.filter(fitsOf(course)).length,
    rank: found => {
      if (tokens.every(({ parts }) => parts.length === 0)) return found
      // Few scores for many courses: to put each into its heap is quicker than to compare them with each other.
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
