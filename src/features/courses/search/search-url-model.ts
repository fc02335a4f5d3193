import { isOneOf, recordFromKeys } from '#contract/records.ts'
import { EMPTY_CRITERIA, FACETS, type Facet, type SearchCriteria, SORT_ORDERS } from './search-criteria-model.ts'

const NAMES: Record<Facet, string> = {
  seasons: 'season',
  categories: 'category',
  days: 'day',
  parts: 'part',
  cities: 'city',
  venues: 'venue',
}

const dayOf = (value: string | null): string => (value && /^\d{4}-\d\d-\d\d$/.test(value) ? value : '')

/** Converts the criteria to a shareable query string; `''` if there are none. */
export function toSearchUrl({
  text,
  isFreeOnly,
  isCertified,
  isPast,
  from,
  to,
  facets,
  sort,
  isReversed,
}: SearchCriteria): string {
  const query = new URLSearchParams()
  if (text.trim()) query.set('q', text.trim())
  if (isFreeOnly) query.set('free', '1')
  if (isCertified) query.set('certified', '1')
  if (isPast) query.set('past', '1')
  if (from) query.set('from', from)
  if (to) query.set('to', to)
  for (const facet of FACETS) for (const value of facets[facet]) query.append(NAMES[facet], value)
  if (sort !== EMPTY_CRITERIA.sort) query.set('sort', sort)
  if (isReversed) query.set('reversed', '1')
  const written = query.toString()
  return written && `?${written}`
}

/**
 * Parses the criteria from a query string; null if it contains none. Unknown filter values are kept; they match
 * nothing, and the user can remove them.
 */
export function parseSearchUrl(search: string): SearchCriteria | null {
  const query = new URLSearchParams(search)
  const names = ['q', 'free', 'certified', 'past', 'from', 'to', 'sort', 'reversed', ...Object.values(NAMES)]
  if (!names.some(name => query.has(name))) return null
  const sort = query.get('sort')
  return {
    text: query.get('q') ?? '',
    isFreeOnly: query.get('free') === '1',
    isCertified: query.get('certified') === '1',
    isPast: query.get('past') === '1',
    from: dayOf(query.get('from')),
    to: dayOf(query.get('to')),
    facets: recordFromKeys(FACETS, facet => [...new Set(query.getAll(NAMES[facet]))]),
    sort: isOneOf(SORT_ORDERS, sort) ? sort : EMPTY_CRITERIA.sort,
    isReversed: query.get('reversed') === '1',
  }
}
