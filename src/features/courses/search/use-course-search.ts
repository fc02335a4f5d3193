import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { useCoursesBySeason, useCourseTexts } from '../resource.ts'
import {
  type ActiveFilter,
  activeFiltersOf,
  changedLessonWeekdaysOf,
  type FilterLabels,
  filterOptionsOf,
  findCourses,
  queryWordFilterOf,
  sortCourses,
} from './filter-model.ts'
import type { FailedSearch } from './nearest-model.ts'
import type { SearchCriteria } from './search-criteria-model.ts'
import { useDeferredCriteria } from './search-criteria-store.ts'
import type { SearchToken } from './search-model.ts'
import { DAY_PARTS } from './time-of-day-model.ts'
import { useSearchableDescriptions } from './use-long-texts.ts'
import { useSearchQueryParser } from './use-read-query.ts'

const DAYS = [0, 1, 2, 3, 4, 5, 6]

/** Labels of the filters whose values do not depend on the course data, such as the date range. */
function sayFilters({ from, to }: SearchCriteria, t: TFunction<'courses'>): FilterLabels {
  const [first, last] = [from, to].map(day => day.split('-').reverse().join('.'))
  const key = from && to ? 'spanBoth' : from ? 'spanFrom' : 'spanTo'
  return {
    free: t('facet.freeShort'),
    certified: t('facet.certified'),
    past: t('facet.past'),
    span: t(`facet.${key}`, { from: first, to: last }),
  }
}

/**
 * Query words that act as filters, such as days or cities, as removable chips. None for a query of a single token,
 * because the search box already shows it.
 */
const chosenWords = (criteria: SearchCriteria, tokens: readonly SearchToken[]): ActiveFilter[] =>
  tokens.length < 2
    ? []
    : tokens
        .filter(({ meanings, isCity, raw }) => (meanings.length > 0 || isCity) && criteria.text.includes(raw))
        .map(token => queryWordFilterOf(criteria, token))

/** The matching courses, and all filter options. */
export function useCourseSearch() {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const today = useToday()
  const wanted = useDeferredCriteria()
  const { current, past } = useCoursesBySeason()
  const courses = wanted.isPast ? past : current
  const texts = useCourseTexts(state => state.data)
  const longTexts = useSearchableDescriptions(texts, courses, language)
  const nowWallMs = useLocalTimeMs()
  const changedDays = useMemo(() => changedLessonWeekdaysOf(texts, nowWallMs), [texts, nowWallMs])

  const options = useMemo(
    () =>
      filterOptionsOf(
        courses,
        language,
        DAYS.map(day => t(`day.long.${day}`)),
        Object.fromEntries(Object.keys(DAY_PARTS).map(part => [part, t(`part.${part}`)])),
      ),
    [courses, language, t],
  )
  const hasCertified = useMemo(
    () => wanted.isCertified || courses.some(({ centralTestInstitute }) => centralTestInstitute !== ''),
    [courses, wanted.isCertified],
  )
  const sorted = useMemo(
    () => sortCourses(courses, wanted.sort, language, today, wanted.isReversed),
    [courses, wanted.sort, wanted.isReversed, language, today],
  )
  const parseSearchQuery = useSearchQueryParser(wanted.text)
  const query = useMemo(
    () => parseSearchQuery(wanted.text, sorted, language, longTexts),
    [parseSearchQuery, wanted.text, sorted, language, longTexts],
  )
  const result = useMemo(() => findCourses(sorted, wanted, query, changedDays), [sorted, wanted, query, changedDays])
  const chosen = useMemo(
    () => [...chosenWords(wanted, query.tokens), ...activeFiltersOf(wanted, options, sayFilters(wanted, t))],
    [wanted, query, options, t],
  )
  const corrected = query.tokens.flatMap(({ raw, corrected: [word] }) => (word ? [{ raw, word }] : []))

  const labels = useMemo(() => sayFilters(wanted, t), [wanted, t])
  /** Input for the suggestions that are shown when there are no hits. */
  const search: FailedSearch = useMemo(
    () => ({ sorted, wanted, query, parseSearchQuery, options, labels, language, longTexts, changedDays }),
    [sorted, wanted, query, parseSearchQuery, options, labels, language, longTexts, changedDays],
  )
  return { wanted, options, chosen, search, corrected, past: past.length, hasCertified, ...result }
}
