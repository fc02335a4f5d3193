import type { TFunction } from 'i18next'
import { useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { useCriteria } from './criteria-store.ts'
import { type Criteria, chosenFilters, DAY_PARTS, findCourses, optionsOf, sortCourses } from './filter-model.ts'
import { useCourses, useCourseTexts } from './resource.ts'
import { useLongTexts } from './use-long-texts.ts'

const DAYS = [0, 1, 2, 3, 4, 5, 6]

/** The filters that no course has a word for. */
function sayFilters({ from, to }: Criteria, t: TFunction<'courses'>): { free: string; span: string } {
  const [first, last] = [from, to].map(day => day.split('-').reverse().join('.'))
  const key = from && to ? 'spanBoth' : from ? 'spanFrom' : 'spanTo'
  return { free: t('facet.freeShort'), span: t(`facet.${key}`, { from: first, to: last }) }
}

/** The courses that fit what the reader has chosen, and all that can be chosen. */
export function useCourseSearch() {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const today = useToday()
  const courses = useCourses()
  const longTexts = useLongTexts(
    useCourseTexts(state => state.data),
    language,
  )
  const criteria = useCriteria(state => state.criteria)
  // The box and the ticks answer at once, the list a moment later.
  const wanted = useDeferredValue(criteria)

  const options = useMemo(
    () =>
      optionsOf(
        courses,
        language,
        DAYS.map(day => t(`day.long.${day}`)),
        Object.fromEntries(Object.keys(DAY_PARTS).map(part => [part, t(`part.${part}`)])),
      ),
    [courses, language, t],
  )
  const sorted = useMemo(
    () => sortCourses(courses, wanted.sort, language, today),
    [courses, wanted.sort, language, today],
  )
  const result = useMemo(() => findCourses(sorted, wanted, language, longTexts), [sorted, wanted, language, longTexts])
  const chosen = useMemo(() => chosenFilters(criteria, options, sayFilters(criteria, t)), [criteria, options, t])

  /** What giving up one choice would bring; only asked for when nothing fits. */
  const waysOut = useMemo(() => {
    if (result.hits.length > 0) return []
    const words = wanted.text.trim()
    const all = [
      ...(words ? [{ key: 'text', label: words, without: { ...wanted, text: '' } }] : []),
      ...chosenFilters(wanted, options, sayFilters(wanted, t)),
    ]
    return all
      .map(way => ({ ...way, hits: findCourses(sorted, way.without, language, longTexts).hits.length }))
      .filter(({ hits }) => hits > 0)
  }, [result, wanted, options, sorted, language, longTexts, t])

  return { criteria, wanted, options, chosen, waysOut, ...result }
}
