import { useMemo } from 'react'
import { create } from 'zustand'
import { decodeCourseIndex, type IndexedCourse } from '#contract/endpoints/course-index.ts'
import type { Course, CourseIndex, CourseState, CourseTexts, Season } from '#contract/endpoints/courses.ts'
import type { Clash } from '#contract/lessons.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { allItemsHaveIds, createListResource, createResource } from '#lib/resource.ts'
import { useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { createClashFinder } from './clash-model.ts'
import {
  createCourseMerger,
  type ListedCourse,
  replaceCourse,
  replaceCourseState,
  reuseUnchangedCourses,
  splitPastSeasons,
} from './model.ts'

// The query parameter determines which variant of the response union is returned.
async function fetchIndex(): Promise<CourseIndex> {
  const index = await api.listCourses({ query: { view: 'index' } })
  if (Array.isArray(index)) throw new Error('GET /api/course?view=index returned a list')
  return index
}
async function fetchTexts(): Promise<CourseTexts[]> {
  const texts = await api.listCourses({ query: { view: 'texts' } })
  if (!Array.isArray(texts)) throw new Error('GET /api/course?view=texts returned an index')
  return texts
}

export const useCourseIndex = createResource<CourseIndex, readonly IndexedCourse[]>({
  of: 'everyone',
  key: 'course-index',
  empty: [],
  fetch: fetchIndex,
  decode: (index, before) => reuseUnchangedCourses(before, decodeCourseIndex(index)),
  isUsable: courses =>
    allItemsHaveIds(courses) &&
    courses.every(({ name, start }) => typeof name === 'string' && Number.isInteger(start.year)),
})

export const useCourseStates = createListResource<CourseState>({
  of: 'person',
  key: 'course-states',
  fetch: () => api.listCoursesOfSession({ query: { view: 'states' } }),
})

/** Texts that are too long for the course index, by course id. */
export const useCourseTexts = createResource<CourseTexts[], ReadonlyMap<number, CourseTexts>>({
  of: 'everyone',
  key: 'course-texts',
  empty: new Map(),
  fetch: fetchTexts,
  decode: texts => new Map(texts.map(text => [text.id, text])),
  isUsable: texts => allItemsHaveIds(texts.values()),
})

export const useSeasons = createListResource<Season>({ of: 'everyone', key: 'seasons', fetch: api.listSeasons })

/** Complete courses fetched for this user since the app was opened, by id. */
export const useFetchedCourses = create<{ byId: ReadonlyMap<number, Course> }>(() => ({ byId: new Map() }))

const join = createCourseMerger()

/** All courses in the course index, joined with the user's booking states. */
export function useCourses(): readonly ListedCourse[] {
  const indexed = useCourseIndex(state => state.data)
  return join(
    indexed,
    useCourseStates(state => state.data),
  ).courses
}

/** The courses of `useCourses`, split into those of current and of past seasons. */
export function useCoursesBySeason(): ReturnType<typeof splitPastSeasons> {
  const courses = useCourses()
  const seasons = useSeasons(state => state.data)
  const todayMs = useToday()
  return useMemo(() => splitPastSeasons(courses, seasons, todayMs), [courses, seasons, todayMs])
}

export function useListedCourse(id: number): ListedCourse | undefined {
  const indexed = useCourseIndex(state => state.data)
  return join(
    indexed,
    useCourseStates(state => state.data),
  ).byId.get(id)
}

const findClashes = createClashFinder()

/**
 * Returns a function that finds the user's own courses that overlap a course, based on the dates cached on the device.
 */
export function useFindClashes(): (course: ListedCourse) => readonly Clash[] {
  const courses = useCourses()
  const texts = useCourseTexts(state => state.data)
  const answers = useFetchedCourses(state => state.byId)
  const nowWallMs = useLocalTimeMs()
  return course => findClashes(course, courses, texts, answers, nowWallMs)
}

export const useClashes = (course: ListedCourse): readonly Clash[] => useFindClashes()(course)

/** Applies the server's response about a single course to all caches. */
export function applyCourseResponse(course: Course): void {
  useCourseIndex.change(courses => replaceCourse(courses, course))
  useCourseStates.change(states => replaceCourseState(states, course))
  useFetchedCourses.setState(({ byId }) => ({ byId: new Map(byId).set(course.id, course) }))
}

/** Adds complete courses from other responses or caches. Responses about a single course take precedence. */
export const addFetchedCourses = (courses: readonly Course[]): void =>
  useFetchedCourses.setState(({ byId }) => ({
    byId: new Map([...courses.map(course => [course.id, course] as const), ...byId]),
  }))

/** A course that was prefetched before its screen was rendered. */
let early: { id: number; loading: Promise<void> } | null = null

async function askForCourse(id: number): Promise<void> {
  applyCourseResponse(await api.getCourse({ params: { id } }))
}

/** Fetches one course. @throws ApiError, NoResponseError */
export function loadCourse(id: number): Promise<void> {
  const { loading = null } = early?.id === id ? early : {}
  early = null
  return loading ?? askForCourse(id)
}

/**
 * Prefetches a course for a screen that is about to be rendered; the screen then reuses the request.
 * @returns the course, or null if the request failed
 */
export async function prefetchCourse(id: number): Promise<Course | null> {
  early = { id, loading: askForCourse(id) }
  // The screen receives the same error and reports it.
  await early.loading.catch(() => undefined)
  return useFetchedCourses.getState().byId.get(id) ?? null
}

/** Refetches the course index, the user's booking states and the seasons. */
export async function loadProgramme(): Promise<void> {
  await Promise.all([useCourseIndex.load(), useCourseStates.load(), useSeasons.load()])
}

/** Whether the user is a member of the health insurer and the course one that the insurer can refund. */
export const useIsRefundable = ({ centralTestInstitute }: Pick<Course, 'centralTestInstitute'>): boolean =>
  useSession(({ session }) => session?.employeeStatus === EMPLOYEE_STATUS.HealthInsurance) &&
  centralTestInstitute !== ''
