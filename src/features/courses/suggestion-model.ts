import type { Language } from '#contract/values.ts'
import { type ListedCourse, textsOf } from './model.ts'
import { fold } from './search-model.ts'

const MOST = 6

/**
 * What somebody may be about to type: names first, then categories, instructors, places, in which a word begins with the last one
 * typed. The words before it stay.
 */
export function suggest(text: string, courses: readonly ListedCourse[], language: Language): string[] {
  const before = text.slice(0, text.lastIndexOf(' ') + 1)
  const begun = fold(text.slice(before.length)).trim()
  if (begun.length < 2) return []
  const found = new Map<string, number>()
  for (const course of courses) {
    const { name, category } = textsOf(course, language)
    for (const [weight, known] of [name, category, course.instructor, course.city, course.venue].entries()) {
      if (found.has(known) || !` ${fold(known)}`.includes(` ${begun}`)) continue
      found.set(known, weight)
    }
  }
  return [...found]
    .sort(([a, first], [b, second]) => first - second || a.length - b.length)
    .slice(0, MOST)
    .map(([known]) => before + (/\s/.test(known) ? `"${known}"` : known))
    .filter(known => fold(known).trim() !== fold(text).trim())
}
