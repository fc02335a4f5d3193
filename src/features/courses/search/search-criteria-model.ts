export const SORT_ORDERS = ['soonest', 'weekday', 'name', 'place', 'instructor', 'free', 'price'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** Columns of the course table in display order, each with the sort order that its header selects. */
export const SORT_OF_COLUMN = {
  when: 'weekday',
  course: 'name',
  starts: 'soonest',
  where: 'place',
  instructor: 'instructor',
  places: 'free',
  price: 'price',
} as const satisfies Record<string, SortOrder>

export const FACETS = ['seasons', 'categories', 'days', 'parts', 'cities', 'venues'] as const
export type Facet = (typeof FACETS)[number]

/** Search criteria. Kept separate from the search itself, which only the course list loads. */
export type SearchCriteria = {
  text: string
  /** only courses with a free seat */
  isFreeOnly: boolean
  /** only courses certified by the central test institute */
  isCertified: boolean
  /** courses of past seasons instead of the current ones */
  isPast: boolean
  /** earliest and (`to`) latest start date of the course as `YYYY-MM-DD`; '' for no limit */
  from: string
  to: string
  facets: Readonly<Record<Facet, readonly string[]>>
  sort: SortOrder
  /** reverses the usual sort order */
  isReversed: boolean
}

export const EMPTY_CRITERIA: SearchCriteria = {
  text: '',
  isFreeOnly: false,
  isCertified: false,
  isPast: false,
  from: '',
  to: '',
  facets: { seasons: [], categories: [], days: [], parts: [], cities: [], venues: [] },
  sort: 'soonest',
  isReversed: false,
}
