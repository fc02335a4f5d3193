import { type Criteria, FACETS, type Facet, NO_CRITERIA, SORTS, type Sort } from './filter-model.ts'

const NAMES: Record<Facet, string> = {
  seasons: 'season',
  categories: 'category',
  days: 'day',
  cities: 'city',
  venues: 'venue',
}

const isSort = (value: string | null): value is Sort => SORTS.includes(value as Sort)

/** The criteria as the query of an address that can be shared; `''` for none. */
export function writeAddress({ text, isFreeOnly, facets, sort }: Criteria): string {
  const query = new URLSearchParams()
  if (text.trim()) query.set('q', text.trim())
  if (isFreeOnly) query.set('free', '1')
  for (const facet of FACETS) for (const value of facets[facet]) query.append(NAMES[facet], value)
  if (sort !== NO_CRITERIA.sort) query.set('sort', sort)
  const written = query.toString()
  return written && `?${written}`
}

/** The criteria an address carries; null when it carries none. Values that no course has find nothing and are removable. */
export function readAddress(search: string): Criteria | null {
  const query = new URLSearchParams(search)
  const names = ['q', 'free', 'sort', ...Object.values(NAMES)]
  if (!names.some(name => query.has(name))) return null
  const sort = query.get('sort')
  return {
    text: query.get('q') ?? '',
    isFreeOnly: query.get('free') === '1',
    facets: Object.fromEntries(
      FACETS.map(facet => [facet, [...new Set(query.getAll(NAMES[facet]))]]),
    ) as unknown as Criteria['facets'],
    sort: isSort(sort) ? sort : NO_CRITERIA.sort,
  }
}
