import type { Course } from '#contract/endpoints/courses.ts'
import { TELEPHONE_BOOK } from '#contract/name-order.ts'
import { recordFromKeys } from '#contract/records.ts'
import type { DateTimeValue, Language } from '#contract/values.ts'
import { cityAndVenueOf, totalPriceOf, weekdayIndex } from '#contract/words.ts'
import { toLocalTimeMs, weekdayOf } from '#lib/format.ts'
import { availabilityOf, isCourseOver, type ListedCourse, localizedTextsOf } from '../model.ts'
import { EMPTY_CRITERIA, FACETS, type Facet, type SearchCriteria, type SortOrder } from './search-criteria-model.ts'
import type { SearchQuery, SearchToken } from './search-model.ts'
import { DAY_PARTS, dayPartsOf, minuteOfDay } from './time-of-day-model.ts'

const PART_ORDER = Object.keys(DAY_PARTS)

/**
 * Filter groups, and the values that a course has in each, as used in the URL. A course may meet on several weekdays.
 */
const FACET_VALUES: Record<Facet, (course: ListedCourse) => readonly string[]> = {
  seasons: course => [String(course.seasonId)],
  categories: course => [String(course.courseCategoryId)],
  days: course => course.weekdays.map(String),
  parts: dayPartsOf,
  cities: course => [course.city],
  venues: course => [course.venue],
}

/** Number of active filters. The query and the sort order do not count. */
export const countFilters = ({ isFreeOnly, isCertified, isPast, from, to, facets }: SearchCriteria): number =>
  FACETS.reduce(
    (sum, facet) => sum + facets[facet].length,
    [isFreeOnly, isCertified, isPast, from !== '' || to !== ''].filter(Boolean).length,
  )

/**
 * Number of hits for each option if it were the only one selected in its group and the other groups remained unchanged.
 * Computed when the group is shown.
 */
export type OptionCounts = { free: number; of: (facet: Facet) => ReadonlyMap<string, number> }
export type SearchResult = { hits: ListedCourse[]; counts: OptionCounts }

/** Formats a date as `YYYY-MM-DD`. */
const dayOf = ({ year, month, day }: DateTimeValue) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

export const hasFreeSeat = (course: ListedCourse) => course.participants > course.currentParticipants

/** Weekdays (0 to 6) of the moved and the extra lessons that are still to come, by course id. */
export type ChangedLessonWeekdays = ReadonlyMap<number, readonly number[]>

export function changedLessonWeekdaysOf(
  texts: ReadonlyMap<number, Pick<Course, 'changes'>>,
  nowWallMs: number,
): ChangedLessonWeekdays {
  const found = new Map<number, number[]>()
  for (const [id, { changes = [] }] of texts) {
    const ahead = changes.filter(
      ({ kind, at }) => (kind === 'moved' || kind === 'extra') && toLocalTimeMs(at) > nowWallMs,
    )
    if (ahead.length > 0) found.set(id, [...new Set(ahead.map(({ at }) => weekdayOf(at)))])
  }
  return found
}

const NO_CHANGES: ChangedLessonWeekdays = new Map()

const valuesOf = (course: ListedCourse, facet: Facet, changedDays: ChangedLessonWeekdays): readonly string[] => {
  const values = FACET_VALUES[facet](course)
  const changed = facet === 'days' ? changedDays.get(course.id) : undefined
  return changed ? [...new Set([...values, ...changed.map(String)])] : values
}

export const matchesFacet = (
  course: ListedCourse,
  facet: Facet,
  { facets }: SearchCriteria,
  changedDays: ChangedLessonWeekdays,
) => valuesOf(course, facet, changedDays).some(value => facets[facet].includes(value))

/**
 * Finds the matching courses, and the courses to count per filter group: a course that fails only the filter of one
 * group is included in the counts of that group's options.
 */
export function findCourses(
  courses: readonly ListedCourse[],
  criteria: SearchCriteria,
  query: SearchQuery,
  changedDays = NO_CHANGES,
): SearchResult {
  const chosen = FACETS.filter(facet => criteria.facets[facet].length > 0)
  const hits: ListedCourse[] = []
  const nearly = recordFromKeys(FACETS, (): ListedCourse[] => [])
  let free = 0

  for (const course of courses) {
    if (!query.isMatch(course)) continue
    if (criteria.from && dayOf(course.start) < criteria.from) continue
    if (criteria.to && dayOf(course.start) > criteria.to) continue
    if (criteria.isCertified && !course.centralTestInstitute) continue
    const isFree = hasFreeSeat(course)
    const [failed, more] = chosen.filter(facet => !matchesFacet(course, facet, criteria, changedDays))
    if (more) continue
    if (isFree && !failed) free++
    if (criteria.isFreeOnly && !isFree) continue
    if (failed) nearly[failed].push(course)
    else hits.push(course)
  }
  const of = (facet: Facet) => {
    const counts = new Map<string, number>()
    for (const course of hits.concat(nearly[facet])) {
      for (const value of valuesOf(course, facet, changedDays)) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return counts
  }
  // A query sorts the hits by relevance unless the user has chosen a sort order.
  const isUsual = criteria.sort === EMPTY_CRITERIA.sort && !criteria.isReversed
  const sorted = isUsual ? query.rank(hits) : hits
  return { hits: sorted, counts: { free, of } }
}

const firstDay = ({ weekdays }: ListedCourse) => Math.min(...weekdays.map(weekdayIndex))

/** Sort key: first future courses by ascending start, then running ones by descending start, then past ones. */
function soonestKey(course: ListedCourse, todayMs: number): number {
  const start = toLocalTimeMs(course.start)
  if (start >= todayMs) return start
  return (isCourseOver(course, todayMs) ? 2 : 1) * 1e14 + todayMs - start
}

/**
 * Sorts courses in the selected order.
 * @param todayMs midnight at the start of today in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export function sortCourses(
  courses: readonly ListedCourse[],
  sort: SortOrder,
  language: Language,
  todayMs: number,
  isReversed = false,
): ListedCourse[] {
  const collator = new Intl.Collator(language)
  const personNames = new Intl.Collator(TELEPHONE_BOOK)
  const byTime = (a: ListedCourse, b: ListedCourse) => minuteOfDay(a) - minuteOfDay(b)
  const keyed = courses.map(course => ({
    course,
    soonest: soonestKey(course, todayMs),
    name: localizedTextsOf(course, language).name,
  }))
  type Keyed = (typeof keyed)[number]
  const byText = (a: Keyed, b: Keyed, textOf: (course: ListedCourse) => string) =>
    collator.compare(textOf(a.course), textOf(b.course))
  const bySoonest = (a: Keyed, b: Keyed) => a.soonest - b.soonest || byTime(a.course, b.course)
  const orders: Record<SortOrder, (a: Keyed, b: Keyed) => number> = {
    soonest: bySoonest,
    weekday: (a, b) => firstDay(a.course) - firstDay(b.course) || byTime(a.course, b.course) || bySoonest(a, b),
    name: (a, b) => collator.compare(a.name, b.name) || bySoonest(a, b),
    place: (a, b) => byText(a, b, cityAndVenueOf) || bySoonest(a, b),
    instructor: (a, b) => personNames.compare(a.course.instructor, b.course.instructor) || bySoonest(a, b),
    free: (a, b) => availabilityOf(b.course).free - availabilityOf(a.course).free || bySoonest(a, b),
    price: (a, b) => totalPriceOf(a.course) - totalPriceOf(b.course) || bySoonest(a, b),
  }
  const sorted = keyed.sort(orders[sort]).map(({ course }) => course)
  return isReversed ? sorted.reverse() : sorted
}

export type FilterOption = { value: string; label: string }
export type FilterOptions = Readonly<Record<Facet, readonly FilterOption[]>>

/**
 * The filter options that occur in the programme, by group: seasons by start, weekdays from Monday, all others by name.
 * @param weekdays names of the weekdays, Sunday first
 */
export function filterOptionsOf(
  courses: readonly ListedCourse[],
  language: Language,
  weekdays: readonly string[],
  parts: Readonly<Record<string, string>> = {},
): FilterOptions {
  const collator = new Intl.Collator(language, { numeric: true })
  const labels = recordFromKeys(FACETS, () => new Map<string, string>())
  const seasonStart = new Map<string, number>()
  for (const course of courses) {
    const { category, season } = localizedTextsOf(course, language)
    const names: Record<Facet, (value: string) => string> = {
      seasons: () => season,
      categories: () => category,
      days: day => weekdays[Number(day)] ?? '',
      parts: part => parts[part] ?? part,
      cities: city => city,
      venues: venue => venue,
    }
    for (const facet of FACETS) {
      for (const value of FACET_VALUES[facet](course)) labels[facet].set(value, names[facet](value))
    }
    const start = toLocalTimeMs(course.start)
    const seasonId = String(course.seasonId)
    seasonStart.set(seasonId, Math.min(start, seasonStart.get(seasonId) ?? start))
  }
  const orders: Partial<Record<Facet, (a: FilterOption, b: FilterOption) => number>> = {
    seasons: (a, b) => (seasonStart.get(a.value) ?? 0) - (seasonStart.get(b.value) ?? 0),
    days: (a, b) => weekdayIndex(Number(a.value)) - weekdayIndex(Number(b.value)),
    parts: (a, b) => PART_ORDER.indexOf(a.value) - PART_ORDER.indexOf(b.value),
  }
  const byName = (a: FilterOption, b: FilterOption) => collator.compare(a.label, b.label)
  return recordFromKeys(FACETS, facet =>
    [...labels[facet]]
      .filter(([, label]) => label !== '')
      .map(([value, label]) => ({ value, label }))
      .sort(orders[facet] ?? byName),
  )
}

/** Number of cities that have their own chip; the filter panel lists all of them. */
const QUICK_CITIES = 5

/** The cities that have a filter chip next to those for the time of day. */
export const quickFilterCitiesOf = ({ cities }: FilterOptions): readonly FilterOption[] =>
  cities.length > 1 ? cities.slice(0, QUICK_CITIES) : []

/** An active filter (or query word), and the criteria without it. `isPressed`: already visible as a pressed chip. */
export type ActiveFilter = { key: string; label: string; without: SearchCriteria; isPressed?: boolean }

/** Labels of the filters whose values do not depend on the course data, such as the date range. */
export type FilterLabels = Record<'free' | 'certified' | 'past' | 'span', string>

/** Removable chip for a word of the query, with the criteria that remain when it is removed. */
export const queryWordFilterOf = (criteria: SearchCriteria, { raw }: Pick<SearchToken, 'raw'>): ActiveFilter => ({
  key: `word ${raw}`,
  label: raw,
  without: { ...criteria, text: criteria.text.replace(raw, ' ').replace(/\s+/g, ' ').trim() },
})

/** All active filters, as removable chips. A value that no course has any longer is labelled with the value itself. */
export function activeFiltersOf(
  criteria: SearchCriteria,
  options: FilterOptions,
  { free, certified, past, span }: FilterLabels,
): ActiveFilter[] {
  const cities = new Set(quickFilterCitiesOf(options).map(({ value }) => value))
  const isPressed = (facet: Facet, value: string) =>
    facet === 'days' || facet === 'parts' || (facet === 'cities' && cities.has(value))
  const chosen = FACETS.flatMap(facet =>
    criteria.facets[facet].map(value => ({
      key: `${facet} ${value}`,
      isPressed: isPressed(facet, value),
      label: options[facet].find(option => option.value === value)?.label ?? value,
      without: {
        ...criteria,
        facets: { ...criteria.facets, [facet]: criteria.facets[facet].filter(other => other !== value) },
      },
    })),
  )
  return [
    ...(criteria.isPast ? [{ key: 'past', label: past, without: { ...criteria, isPast: false } }] : []),
    ...(criteria.isFreeOnly
      ? [{ key: 'free', label: free, isPressed: true, without: { ...criteria, isFreeOnly: false } }]
      : []),
    ...(criteria.isCertified
      ? [{ key: 'certified', label: certified, isPressed: true, without: { ...criteria, isCertified: false } }]
      : []),
    ...chosen,
    ...(criteria.from || criteria.to ? [{ key: 'span', label: span, without: { ...criteria, from: '', to: '' } }] : []),
  ]
}
