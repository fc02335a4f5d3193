import { useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { useCriteria } from './criteria-store.ts'
import { chosenFilters, findCourses, optionsOf, sortCourses } from './filter-model.ts'
import { useCourses, useCourseTexts } from './resource.ts'
import { useLongTexts } from './use-long-texts.ts'

const DAYS = [0, 1, 2, 3, 4, 5, 6]

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
      ),
    [courses, language, t],
  )
  const sorted = useMemo(
    () => sortCourses(courses, wanted.sort, language, today),
    [courses, wanted.sort, language, today],
  )
  const result = useMemo(() => findCourses(sorted, wanted, language, longTexts), [sorted, wanted, language, longTexts])
  const chosen = useMemo(() => chosenFilters(criteria, options, t('facet.freeShort')), [criteria, options, t])

  /** What giving up one choice would bring; only asked for when nothing fits. */
  const waysOut = useMemo(() => {
    if (result.hits.length > 0) return []
    const words = wanted.text.trim()
    const all = [
      ...(words ? [{ key: 'text', label: words, without: { ...wanted, text: '' } }] : []),
      ...chosenFilters(wanted, options, t('facet.freeShort')),
    ]
    return all
      .map(way => ({ ...way, hits: findCourses(sorted, way.without, language, longTexts).hits.length }))
      .filter(({ hits }) => hits > 0)
  }, [result, wanted, options, sorted, language, longTexts, t])

  return { criteria, wanted, options, chosen, waysOut, ...result }
}
