export const SORTS = ['soonest', 'weekday', 'name', 'price'] as const
export type Sort = (typeof SORTS)[number]

export const FACETS = ['seasons', 'categories', 'days', 'parts', 'cities', 'venues'] as const
export type Facet = (typeof FACETS)[number]

/** Search criteria. Separate from the search itself, which only the list loads. */
export type SearchCriteria = {
  text: string
  /** only courses with a free place */
  isFreeOnly: boolean
  /** courses of ended seasons instead of the current ones */
  isPast: boolean
  /** the course starts within this range, `YYYY-MM-DD` or '' */
  from: string
  to: string
  facets: Readonly<Record<Facet, readonly string[]>>
  sort: Sort
}

export const EMPTY_CRITERIA: SearchCriteria = {
  text: '',
  isFreeOnly: false,
  isPast: false,
  from: '',
  to: '',
  facets: { seasons: [], categories: [], days: [], parts: [], cities: [], venues: [] },
  sort: 'soonest',
}
