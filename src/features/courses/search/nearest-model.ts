import type { Language } from '#contract/values.ts'
import type { ListedCourse } from '../model.ts'
import {
  type ActiveFilter,
  activeFiltersOf,
  type ChangedLessonWeekdays,
  type FilterLabels,
  type FilterOptions,
  findCourses,
  hasFreeSeat,
  matchesFacet,
  queryWordFilterOf,
} from './filter-model.ts'
import { FACETS, type SearchCriteria } from './search-criteria-model.ts'
import type { parseSearchQuery, SearchableDescriptions, SearchQuery } from './search-model.ts'

/** A search without hits, as input for suggesting which criteria to remove. */
export type FailedSearch = {
  sorted: readonly ListedCourse[]
  wanted: SearchCriteria
  query: SearchQuery
  parseSearchQuery: typeof parseSearchQuery
  options: FilterOptions
  labels: FilterLabels
  language: Language
  longTexts: SearchableDescriptions
  changedDays: ChangedLessonWeekdays
}

/** The filters and query words whose removal would yield hits, each with the number of hits. */
export function removableCriteriaOf(search: FailedSearch): (ActiveFilter & { hits: number })[] {
  const { sorted, wanted, query, options, labels, language, longTexts, changedDays } = search
  const words =
    query.tokens.length > 1
      ? query.tokens.map(token => queryWordFilterOf(wanted, token))
      : wanted.text.trim()
        ? [{ key: 'text', label: wanted.text.trim(), without: { ...wanted, text: '' } }]
        : []
  return [...words, ...activeFiltersOf(wanted, options, labels)]
    .map(way => {
      const rest = search.parseSearchQuery(way.without.text, sorted, language, longTexts)
      return { ...way, hits: findCourses(sorted, way.without, rest, changedDays).hits.length }
    })
    .filter(({ hits }) => hits > 0)
}

/** Maximum number of nearest matches shown when nothing matches. */
const MOST_NEAR = 5

/** Finds the courses that match most of the words and filters, best match first. */
export function findNearestMatches({ sorted, wanted: criteria, query, changedDays }: FailedSearch): ListedCourse[] {
  const chosen = FACETS.filter(facet => criteria.facets[facet].length > 0)
  const counted = sorted.map(course => {
    const words = query.countFits(course)
    const fits = chosen.filter(facet => matchesFacet(course, facet, criteria, changedDays))
    return { course, words, fits: words + fits.length + (criteria.isFreeOnly && hasFreeSeat(course) ? 1 : 0) }
  })
  const most = Math.max(1, ...counted.map(({ fits }) => fits))
  const near = counted.filter(({ words, fits }) => fits === most && (words > 0 || query.tokens.length === 0))
  return query.rank(near.map(({ course }) => course)).slice(0, MOST_NEAR)
}
