import type { Course, CourseIndex, CourseState, CourseTexts, Season } from '#contract/courses.ts'
import * as contract from '#contract/courses.ts'
import { call } from '#lib/api-client.ts'

// The query decides which member of the response's union comes back.
export async function listCourseIndex(): Promise<CourseIndex> {
  const index = await call(contract.listCourses, { query: { view: 'index' } })
  if (Array.isArray(index)) throw new Error('a list came in place of the index')
  return index
}
export async function listCourseTexts(): Promise<CourseTexts[]> {
  const texts = await call(contract.listCourses, { query: { view: 'texts' } })
  if (!Array.isArray(texts)) throw new Error('the index came in place of a list')
  return texts
}
export const listCourseStates = (): Promise<CourseState[]> =>
  call(contract.listCoursesOfSession, { query: { view: 'states' } })
export const listSeasons = (): Promise<Season[]> => call(contract.listSeasons, {})
export const getCourse = (id: number): Promise<Course> => call(contract.getCourse, { params: { id } })
