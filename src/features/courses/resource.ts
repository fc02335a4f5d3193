import { useMemo } from 'react'
import { create } from 'zustand'
import { decodeCourseIndex, type IndexedCourse } from '#contract/course-index.ts'
import type { Course, CourseIndex, CourseState, CourseTexts, Season } from '#contract/courses.ts'
import type { Clash } from '#contract/lessons.ts'
import { api } from '#lib/api.ts'
import { haveIds, listResource, resource } from '#lib/resource.ts'
import { useToday, useWallClock } from '#lib/use-now.ts'
import { createClashes } from './clash-model.ts'
import { createJoin, keepUnchanged, type ListedCourse, splitPast, takeOver, takeOverState } from './model.ts'

// The query decides which member of the response's union comes back.
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

export const useCourseIndex = resource<CourseIndex, readonly IndexedCourse[]>({
  of: 'everyone',
  key: 'course-index',
  empty: [],
  fetch: fetchIndex,
  decode: (index, before) => keepUnchanged(before, decodeCourseIndex(index)),
  isUsable: courses =>
    haveIds(courses) && courses.every(({ name, start }) => typeof name === 'string' && Number.isInteger(start.year)),
})

export const useCourseStates = listResource<CourseState>({
  of: 'person',
  key: 'course-states',
  fetch: () => api.listCoursesOfSession({ query: { view: 'states' } }),
})

/** What is too long for the list, by course id. */
export const useCourseTexts = resource<CourseTexts[], ReadonlyMap<number, CourseTexts>>({
  of: 'everyone',
  key: 'course-texts',
  empty: new Map(),
  fetch: fetchTexts,
  decode: texts => new Map(texts.map(text => [text.id, text])),
  isUsable: texts => haveIds(texts.values()),
})

export const useSeasons = listResource<Season>({ of: 'everyone', key: 'seasons', fetch: api.listSeasons })

/** Single courses, whole, as the server has answered them to this person since the app was opened; by id. */
export const useCourseAnswers = create<{ byId: ReadonlyMap<number, Course> }>(() => ({ byId: new Map() }))

const join = createJoin()

/** The courses of the list, each with the person's side. */
export function useCourses(): readonly ListedCourse[] {
  const indexed = useCourseIndex(state => state.data)
  return join(
    indexed,
    useCourseStates(state => state.data),
  ).courses
}

/** The same without the courses of ended seasons, and those apart. */
export function useCoursesBySeason(): ReturnType<typeof splitPast> {
  const courses = useCourses()
  const seasons = useSeasons(state => state.data)
  const todayMs = useToday()
  return useMemo(() => splitPast(courses, seasons, todayMs), [courses, seasons, todayMs])
}

export function useListedCourse(id: number): ListedCourse | undefined {
  const indexed = useCourseIndex(state => state.data)
  return join(
    indexed,
    useCourseStates(state => state.data),
  ).byId.get(id)
}

const findClashes = createClashes()

/** Finds the reader's own courses that leave no time for a course, by the dates that the device has of them. */
export function useFindClashes(): (course: ListedCourse) => readonly Clash[] {
  const courses = useCourses()
  const texts = useCourseTexts(state => state.data)
  const answers = useCourseAnswers(state => state.byId)
  const nowWallMs = useWallClock()
  return course => findClashes(course, courses, texts, answers, nowWallMs)
}

export const useClashes = (course: ListedCourse): readonly Clash[] => useFindClashes()(course)

/** Takes over what the server answered for one course, wherever it shows. */
export function changeCourse(course: Course): void {
  useCourseIndex.change(courses => takeOver(courses, course))
  useCourseStates.change(states => takeOverState(states, course))
  useCourseAnswers.setState(({ byId }) => ({ byId: new Map(byId).set(course.id, course) }))
}

/** Fills in whole courses that were fetched or kept elsewhere; what the server has answered for one alone stays. */
export const addCourses = (courses: readonly Course[]): void =>
  useCourseAnswers.setState(({ byId }) => ({
    byId: new Map([...courses.map(course => [course.id, course] as const), ...byId]),
  }))

/** Asked for before its screen did. */
let early: { id: number; loading: Promise<void> } | null = null

async function askForCourse(id: number): Promise<void> {
  changeCourse(await api.getCourse({ params: { id } }))
}

/** Asks for one course. @throws ApiError, NoAnswerError */
export function loadCourse(id: number): Promise<void> {
  const { loading = null } = early?.id === id ? early : {}
  early = null
  return loading ?? askForCourse(id)
}

/** The same for a screen that is about to come, which does not ask again. @returns the course, null where it does not come */
export async function loadCourseEarly(id: number): Promise<Course | null> {
  early = { id, loading: askForCourse(id) }
  // The screen itself meets the same refusal, and tells of it.
  await early.loading.catch(() => undefined)
  return useCourseAnswers.getState().byId.get(id) ?? null
}

/** Fetches what the programme and the person's side of it are now. */
export async function loadProgramme(): Promise<void> {
  await Promise.all([useCourseIndex.load(), useCourseStates.load(), useSeasons.load()])
}
