import { create } from 'zustand'
import { decodeCourseIndex, type IndexedCourse } from '#contract/course-index.ts'
import type { Course, CourseState, CourseTexts, Season } from '#contract/courses.ts'
import type { Clash, Timed } from '#contract/lessons.ts'
import { useSession } from '#features/session/store.ts'
import { serverNow } from '#lib/clock.ts'
import { useWallClock } from '#lib/use-now.ts'
import { getCourse, listCourseIndex, listCourseStates, listCourseTexts, listSeasons } from './api.ts'
import { indexCache, seasonsCache, statesCache, textsCache } from './cache.ts'
import { clashesOf, ownCourses } from './clash-model.ts'
import { useCriteria } from './criteria-store.ts'
import { NO_CRITERIA } from './filter-model.ts'
import { joinState, keepUnchanged, type ListedCourse, stateOf, takeOver } from './model.ts'

/** Back on the screen after this long, the programme is fetched again. */
const FRESH_MS = 5 * 60_000

const textsById = (texts: CourseTexts[]) => new Map(texts.map(text => [text.id, text]))

type CoursesState = {
  /** `failed`: nothing stored and no answer; with anything to show it is `ready` */
  phase: 'loading' | 'ready' | 'failed'
  courses: readonly ListedCourse[]
  byId: ReadonlyMap<number, ListedCourse>
  texts: ReadonlyMap<number, CourseTexts>
  /** single courses as the server answered them in this session, meeting data included */
  answers: ReadonlyMap<number, Course>
  seasons: readonly Season[]
  /** the device or the server has said which, or neither could */
  areSeasonsKnown: boolean
  /** when the server said so, ms since 1970 by the device; null before the first answer */
  asOf: number | null
  /** the last try to fetch failed: what shows is from `asOf` */
  isStale: boolean
  start: () => Promise<void>
  refresh: () => Promise<void>
  /** asks for one course. @throws ApiError, NoAnswerError */
  load: (id: number) => Promise<Course>
  /** takes over what the server answered for one course */
  accept: (course: Course) => void
  /** fills in whole courses that were fetched or kept elsewhere; what is known already stays */
  merge: (courses: readonly Course[]) => void
}

export const useCourses = create<CoursesState>((set, get) => {
  let indexed: readonly IndexedCourse[] = []
  let states = new Map<number, CourseState>()
  /** Grows with every question and every accepted course: what was asked for earlier never replaces what was asked later. */
  let requestId = 0
  const shownRequestId = { index: 0, states: 0 }
  const acceptedRequestId = new Map<number, number>()

  const show = (changes: Partial<CoursesState> = {}) => {
    const courses = keepUnchanged(
      get().courses,
      indexed.map(course => joinState(course, states.get(course.id))),
    )
    set({ courses, byId: new Map(courses.map(course => [course.id, course])), ...changes })
  }
  const acceptedSince = (asked: number) =>
    [...get().answers.values()].filter(({ id }) => (acceptedRequestId.get(id) ?? 0) > asked)

  const userName = () => useSession.getState().session?.userName ?? null

  function storeStates(): void {
    const name = userName()
    if (name !== null) statesCache.write({ userName: name, states: [...states.values()] })
  }

  async function refreshStates(): Promise<void> {
    const name = userName()
    if (name === null) return
    const asked = ++requestId
    const answer = await listCourseStates()
    if (asked < shownRequestId.states || name !== userName()) return
    shownRequestId.states = asked
    states = new Map([...answer, ...acceptedSince(asked).map(stateOf)].map(state => [state.id, state]))
    show()
    storeStates()
  }

  async function refreshIndex(): Promise<void> {
    const asked = ++requestId
    const index = await listCourseIndex()
    if (asked < shownRequestId.index) return
    shownRequestId.index = asked
    indexed = acceptedSince(asked).reduce(takeOver, keepUnchanged(indexed, decodeCourseIndex(index)))
    const fetchedAt = serverNow()
    show({ phase: 'ready', asOf: fetchedAt, isStale: false })
    await indexCache.write({ index, fetchedAt })
  }

  async function refreshSeasons(): Promise<void> {
    const seasons = await listSeasons()
    set({ seasons, areSeasonsKnown: true })
    await seasonsCache.write(seasons)
  }

  async function refreshTexts(): Promise<void> {
    const texts = await listCourseTexts()
    set({ texts: textsById(texts) })
    await textsCache.write(texts)
  }

  /** Shows what the device has kept, unless the server was faster. */
  async function recall(): Promise<void> {
    const [index, seasons] = await Promise.all([indexCache.read(), seasonsCache.read()])
    if (index !== null && get().asOf === null) {
      indexed = decodeCourseIndex(index.index)
      show({ phase: 'ready', asOf: index.fetchedAt })
    }
    if (seasons !== null && !get().areSeasonsKnown) set({ seasons, areSeasonsKnown: true })
  }

  async function recallStates(): Promise<void> {
    const stored = await statesCache.read()
    if (stored === null || stored.userName !== userName() || shownRequestId.states > 0) return
    states = new Map(stored.states.map(state => [state.id, state]))
    show()
  }

  function forgetPerson(): void {
    shownRequestId.states = ++requestId
    states = new Map()
    acceptedRequestId.clear()
    statesCache.remove()
    show({ answers: new Map() })
  }

  useSession.subscribe(({ phase, session }, before) => {
    if (phase === before.phase && session?.userName === before.session?.userName) return
    if (before.session !== null || phase === 'none') forgetPerson()
    if (before.phase !== 'checking') get().refresh()
    else if (phase === 'started') Promise.allSettled([recallStates(), refreshStates()])
  })

  return {
    phase: 'loading',
    courses: [],
    byId: new Map(),
    texts: new Map(),
    answers: new Map(),
    seasons: [],
    areSeasonsKnown: false,
    asOf: null,
    isStale: false,

    start: async () => {
      document.addEventListener('visibilitychange', () => {
        const { asOf, refresh } = get()
        if (document.visibilityState === 'visible' && Math.abs(serverNow() - (asOf ?? 0)) > FRESH_MS) refresh()
      })
      await Promise.all([recall(), get().refresh()])
      const texts = await textsCache.read()
      if (texts !== null) set({ texts: textsById(texts) })
      await refreshTexts().catch(() => undefined)
    },

    refresh: async () => {
      if (get().phase === 'failed') set({ phase: 'loading' })
      const seasons = refreshSeasons().catch(() => set({ areSeasonsKnown: true }))
      const [index] = await Promise.allSettled([refreshIndex(), refreshStates(), seasons])
      if (index.status === 'rejected') {
        set(({ asOf }) => ({ isStale: true, phase: asOf === null ? 'failed' : 'ready' }))
      }
    },

    load: async id => {
      const course = await getCourse(id)
      get().accept(course)
      return course
    },

    accept: course => {
      acceptedRequestId.set(course.id, ++requestId)
      states = new Map(states).set(course.id, stateOf(course))
      indexed = takeOver(indexed, course)
      show({ answers: new Map(get().answers).set(course.id, course) })
      storeStates()
    },

    merge: courses =>
      set({ answers: new Map([...courses.map(course => [course.id, course] as const), ...get().answers]) }),
  }
})

let own: { of: CoursesState; courses: Timed[] } | null = null
/** Worked out once for all cards of a page. */
const ownCoursesOf = (state: CoursesState) => {
  const isSame = own?.of.courses === state.courses && own.of.texts === state.texts && own.of.answers === state.answers
  if (!own || !isSame) own = { of: state, courses: ownCourses(state) }
  return own.courses
}

/** The reader's own courses that leave no time for a course, by what the device knows of their dates. */
export function useClashes(course: ListedCourse): readonly Clash[] {
  const state = useCourses()
  return clashesOf(course, state, ownCoursesOf(state), useWallClock())
}

/** The course list opens with this category alone. */
export const preselectCategory = (id: number): void => {
  const { facets } = NO_CRITERIA
  useCriteria.getState().replace({ ...NO_CRITERIA, facets: { ...facets, categories: [String(id)] } })
}

/** The course list opens with these words; go to `/courses?redirect=true`. */
export const searchFor = (text: string): void => useCriteria.getState().replace({ ...NO_CRITERIA, text })
