import type { Course, CourseIndex, CourseState, CourseTexts, Season } from '#contract/courses.ts'
import * as contract from '#contract/courses.ts'
import { call } from '#lib/api-client.ts'

// The query decides which member of the response's union comes back.
export const listCourseIndex = () => call(contract.listCourses, { query: { view: 'index' } }) as Promise<CourseIndex>
export const listCourseTexts = () => call(contract.listCourses, { query: { view: 'texts' } }) as Promise<CourseTexts[]>
export const listCourseStates = () =>
  call(contract.listCoursesOfSession, { query: { view: 'states' } }) as Promise<CourseState[]>
export const listSeasons = (): Promise<Season[]> => call(contract.listSeasons, {})
export const getCourse = (id: number): Promise<Course> => call(contract.getCourse, { params: { id } })
