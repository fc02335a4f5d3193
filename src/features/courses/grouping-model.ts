import type { Language } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import type { ListedCourse } from './model.ts'

/** Courses in one season that share a name: the same course at several times or venues, shown as one list entry. */
export type CourseGroup = { id: number; courses: readonly [ListedCourse, ...ListedCourse[]] }

const keys: Record<Language, WeakMap<ListedCourse, string>> = { de: new WeakMap(), en: new WeakMap() }

/** Cached per course and language, because grouping runs after every keystroke. */
function keyOf(course: ListedCourse, language: Language): string {
  const cached = keys[language].get(course)
  if (cached) return cached
  const key = `${course.seasonId} ${nameInLanguage(language, course).trim().toLowerCase()}`
  keys[language].set(course, key)
  return key
}

/** Groups courses by name. A group takes the position of its first course. See docs/decisions/0078. */
export function groupCoursesByName(courses: readonly ListedCourse[], language: Language): CourseGroup[] {
  const folds = new Map<string, [ListedCourse, ...ListedCourse[]]>()
  for (const course of courses) {
    const key = keyOf(course, language)
    const fold = folds.get(key)
    if (fold) fold.push(course)
    else folds.set(key, [course])
  }
  return [...folds.values()].map(fold => ({ id: fold[0].id, courses: fold }))
}
