import type { Language } from '#contract/values.ts'
import { type ListedCourse, localizedTextsOf } from '../model.ts'
import { foldText } from './search-model.ts'

const MOST = 6

type Known = { text: string; folded: string; weight: number }
const cache: Record<Language, WeakMap<readonly ListedCourse[], readonly Known[]>> = {
  de: new WeakMap(),
  en: new WeakMap(),
}

/** The distinct names, categories, instructors, cities and venues in a programme. Cached per language. */
function knownOf(courses: readonly ListedCourse[], language: Language): readonly Known[] {
  const cached = cache[language].get(courses)
  if (cached) return cached
  const weights = new Map<string, number>()
  for (const course of courses) {
    const { name, category } = localizedTextsOf(course, language)
    for (const [weight, text] of [name, category, course.instructor, course.city, course.venue].entries()) {
      if (text && !weights.has(text)) weights.set(text, weight)
    }
  }
  const known = [...weights].map(([text, weight]) => ({ text, folded: ` ${foldText(text)}`, weight }))
  cache[language].set(courses, known)
  return known
}

/**
 * Completes the last word of the query with course names, then categories, instructors, cities and venues. The
 * preceding words remain unchanged.
 */
export function suggestCompletions(text: string, courses: readonly ListedCourse[], language: Language): string[] {
  const before = text.slice(0, text.lastIndexOf(' ') + 1)
  const begun = foldText(text.slice(before.length)).trim()
  if (begun.length < 2) return []
  return knownOf(courses, language)
    .filter(({ folded }) => folded.includes(` ${begun}`))
    .sort((a, b) => a.weight - b.weight || a.text.length - b.text.length)
    .slice(0, MOST)
    .map(known => before + (/\s/.test(known.text) ? `"${known.text}"` : known.text))
    .filter(suggestion => foldText(suggestion).trim() !== foldText(text).trim())
}
