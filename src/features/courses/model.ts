import type { IndexedCourse } from '#contract/endpoints/course-index.ts'
import {
  ANONYMOUS_COURSE_STATE,
  type Course,
  type CourseState,
  type CourseTexts,
  type Season,
} from '#contract/endpoints/courses.ts'
import { keysOf, pick } from '#contract/records.ts'
import { EMPTY_FIELD_VALUES, type LabelledField, type LabelledFieldName } from '#contract/tables/course.ts'
import { BOOKING_STATUS, type Language } from '#contract/values.ts'
import { nameInLanguage, textInLanguage } from '#contract/words.ts'
import { toLocalTimeMs } from '#lib/format.ts'
import { reuseIfEqual } from '#lib/reuse-if-equal.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * A course as shown in lists: public data from the course index, joined with the user's booking state. A complete
 * `Course` is assignable to this type.
 */
export type ListedCourse = IndexedCourse & Omit<CourseState, 'id'>

/** A course as shown on a card. Only the user's own courses have dates, changes and meeting data. */
export type CourseCardData = ListedCourse &
  Partial<Pick<Course, 'dates' | 'changes' | 'meetingURL' | 'meetingID' | 'meetingCode'>>

const UNKNOWN: Omit<Course, keyof ListedCourse> = {
  ...EMPTY_FIELD_VALUES,
  dates: [],
  changes: [],
  participatingComplete: false,
  status: 'Ok',
  message: '',
}

/** Adds defaults for newer fields to a course that was cached by an earlier version of the app. */
export const withCourseDefaults = (course: Partial<Course> & Pick<Course, 'day'>): Course =>
  ({
    ...ANONYMOUS_COURSE_STATE,
    ...UNKNOWN,
    weekdays: [course.day],
    cancelled: false,
    ...course,
  }) as Course

export const mergeCourseState = (course: IndexedCourse, state: CourseState | undefined): ListedCourse => ({
  ...course,
  // A booking state that was cached by an earlier version of the app lacks newer fields.
  ...ANONYMOUS_COURSE_STATE,
  ...state,
})

type Joined = {
  indexed: readonly IndexedCourse[]
  states: readonly CourseState[]
  courses: readonly ListedCourse[]
  byId: ReadonlyMap<number, ListedCourse>
}

/**
 * Joins the course index with the user's booking states. Memoized: unchanged courses keep their object identity, and
 * all callers share one result.
 */
export function createCourseMerger() {
  let joined: Joined = { indexed: [], states: [], courses: [], byId: new Map() }
  /**
   * Joined course by index entry. Opening a course changes only one entry; on a phone, joining all courses again would
   * take longer than rendering the course page.
   */
  const made = new WeakMap<IndexedCourse, { state: CourseState | undefined; course: ListedCourse }>()
  return (indexed: readonly IndexedCourse[], states: readonly CourseState[]): Joined => {
    if (joined.indexed === indexed && joined.states === states) return joined
    const stateById = new Map(states.map(state => [state.id, state]))
    const all = indexed.map(of => {
      const state = stateById.get(of.id)
      const known = made.get(of)
      if (known && known.state === state) return known.course
      const course = reuseIfEqual(joined.byId.get(of.id), mergeCourseState(of, state))
      made.set(of, { state, course })
      return course
    })
    const courses = unlessSame(joined.courses, all)
    joined = { indexed, states, courses, byId: new Map(courses.map(course => [course.id, course])) }
    return joined
  }
}

export const courseStateOf = (course: Course): CourseState => ({
  id: course.id,
  ...pick(course, keysOf(ANONYMOUS_COURSE_STATE)),
})

/**
 * Replaces a course in the course index with the server's latest response, except for the descriptions, which the
 * course index contains only as short teasers. Returns the same array if nothing has changed.
 */
export const replaceCourse = (indexed: readonly IndexedCourse[], course: Course): readonly IndexedCourse[] =>
  unlessSame(
    indexed,
    indexed.map(cached => {
      if (cached.id !== course.id) return cached
      return reuseIfEqual(cached, {
        ...pick(course, keysOf(cached)),
        textWeb: cached.textWeb,
        textWeb2: cached.textWeb2,
      })
    }),
  )

/** Replaces the user's booking state for a course with the server's latest response. */
export function replaceCourseState(states: readonly CourseState[], course: Course): readonly CourseState[] {
  const before = states.find(({ id }) => id === course.id)
  const state = reuseIfEqual(before, courseStateOf(course))
  return state === before ? states : [...states.filter(({ id }) => id !== course.id), state]
}

/** Merges all cached data about a course: the index entry, the long texts and the course's own response. */
export const mergeCourseDetails = (
  listed: ListedCourse,
  texts: CourseTexts | undefined,
  answer: Course | undefined,
): Course => ({
  ...UNKNOWN,
  ...answer,
  ...listed,
  ...(texts ?? (answer && { textWeb: answer.textWeb, textWeb2: answer.textWeb2 })),
})

const unlessSame = <Item>(before: readonly Item[], next: readonly Item[]): readonly Item[] =>
  next.length === before.length && next.every((item, index) => item === before[index]) ? before : next

/**
 * Returns `next`, but with the previous objects for unchanged courses, so that memoized rows and cached search texts
 * stay valid, and the previous list if nothing has changed.
 */
export function reuseUnchangedCourses<C extends { id: number }>(previous: readonly C[], next: C[]): readonly C[] {
  const before = new Map(previous.map(course => [course.id, course]))
  return unlessSame(
    previous,
    next.map(course => reuseIfEqual(before.get(course.id), course)),
  )
}

export const localizedTextsOf = (course: ListedCourse, language: Language) => ({
  name: nameInLanguage(language, course),
  teaser: textInLanguage(language, course.textWeb, course.textWeb2),
  category: textInLanguage(language, course.courseCategory, course.courseCategory2),
  season: textInLanguage(language, course.season, course.season2),
})

/** Labels and texts of the course fields that are not empty and that the user may see. */
export const labelledTexts = <F extends LabelledFieldName>(
  course: Pick<Course, F>,
  fields: readonly LabelledField<F>[],
  language: Language,
): [label: string, text: string][] =>
  fields
    .map(({ field, second, label }): [string, string] => [
      label[language],
      textInLanguage(language, course[field], course[second]),
    ])
    .filter(([, text]) => text !== '')

export type Availability = { kind: 'enough' | 'few' | 'one' | 'full'; free: number }

/** Availability levels as worded in the specification: more than 3 free seats, 2 or 3, exactly 1, none. */
export function availabilityOf({ participants, currentBooked }: Pick<Course, 'participants' | 'currentBooked'>) {
  const free = participants - (currentBooked ?? 0)
  const kind = free > 3 ? 'enough' : free > 1 ? 'few' : free === 1 ? 'one' : 'full'
  return { kind, free } satisfies Availability
}

/**
 * Whether a course is over: the server has closed it, or the day of its last lesson has passed. This is the app's only
 * rule for deciding this.
 * @param todayMs midnight at the start of today in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export const isCourseOver = (
  { end, obstacle }: Pick<Course, 'end'> & Partial<Pick<Course, 'obstacle'>>,
  todayMs: number,
): boolean => obstacle === 'over' || toLocalTimeMs(end) < todayMs

/**
 * Separates the courses of past seasons, which have their own filter, from the others. A season without an end date
 * ends with its last course.
 */
export function splitPastSeasons(
  courses: readonly ListedCourse[],
  seasons: readonly Season[],
  todayMs: number,
): { current: readonly ListedCourse[]; past: readonly ListedCourse[] } {
  const ends = new Map(seasons.filter(({ endsAt }) => endsAt.year > 0).map(({ id, endsAt }) => [id, endsAt]))
  const running = new Set(courses.filter(course => !isCourseOver(course, todayMs)).map(({ seasonId }) => seasonId))
  const isPast = (course: ListedCourse) => {
    const end = ends.get(course.seasonId)
    return isCourseOver(course, todayMs) && (end ? isCourseOver({ end }, todayMs) : !running.has(course.seasonId))
  }
  const past = courses.filter(isPast)
  return past.length === 0 ? { current: courses, past } : { current: courses.filter(of => !isPast(of)), past }
}

/**
 * Whether the course is full for this user. External participants can book only free seats; they cannot join the
 * waiting list.
 */
export const isFullForUser = ({ obstacle }: Pick<Course, 'obstacle'>): boolean => obstacle === 'fullForExternals'

/** Whether the course is fully booked but still open for its waiting list, and the user has not booked it. */
export const isFullyBooked = (course: ListedCourse, todayMs: number): boolean =>
  course.bookingStatus === BOOKING_STATUS.NotBooked &&
  availabilityOf(course).kind === 'full' &&
  !isCourseOver(course, todayMs)

/** Whether a seat is free and this user can book it. Visitors are assumed to log in first. */
export const canBookNow = (course: ListedCourse, isLoggedIn: boolean): boolean =>
  course.seasonBookable && availabilityOf(course).free > 0 && (isLoggedIn ? course.directlyBookable : !course.cancelled)

/**
 * Courses to suggest. `beginning`: courses that have not started yet, with bookable ones first and then by start.
 * `running`: courses that have started and that the user can still book.
 * @param nowWallMs current local time in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export function suggestCourses(
  courses: readonly ListedCourse[],
  nowWallMs: number,
  isLoggedIn: boolean,
): Record<'beginning' | 'running', ListedCourse[]> {
  const todayMs = nowWallMs - (nowWallMs % DAY_MS)
  const startMs = ({ start, startTime: { hour, minute } }: ListedCourse) => toLocalTimeMs({ ...start, hour, minute })
  const bySoonest = (a: ListedCourse, b: ListedCourse) => startMs(a) - startMs(b)
  const rank = (course: ListedCourse) => (course.seasonBookable && availabilityOf(course).free > 0 ? 0 : 1)
  const open = courses.filter(course => !course.cancelled && !isCourseOver(course, todayMs))
  const hasBegun = (course: ListedCourse) => startMs(course) <= nowWallMs
  return {
    beginning: open.filter(course => !hasBegun(course)).sort((a, b) => rank(a) - rank(b) || bySoonest(a, b)),
    running: open.filter(course => hasBegun(course) && canBookNow(course, isLoggedIn)).sort((a, b) => bySoonest(b, a)),
  }
}

/** Finds a course by its course number. Case, hyphens and spaces are ignored. */
export function findCourseByNumber<C extends Pick<Course, 'number'>>(
  courses: readonly C[],
  text: string,
): C | undefined {
  const plain = (number: string) => number.toLowerCase().replace(/[-‐‑–\s]/g, '')
  const wanted = plain(text)
  return wanted === '' ? undefined : courses.find(({ number }) => plain(number) === wanted)
}
