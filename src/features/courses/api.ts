import {
  type Course,
  type CourseIndex,
  type CourseState,
  type CourseTexts,
  getCourse,
  listCourses,
  listCoursesOfSession,
  listSeasons,
  type Season,
} from '#contract/courses.ts'
import { call } from '#lib/api-client.ts'

// The query decides which member of the response's union comes back.
export const fetchCourseIndex = () => call(listCourses, { query: { view: 'index' } }) as Promise<CourseIndex>
export const fetchCourseTexts = () => call(listCourses, { query: { view: 'texts' } }) as Promise<CourseTexts[]>
export const fetchCourseStates = () =>
  call(listCoursesOfSession, { query: { view: 'states' } }) as Promise<CourseState[]>
export const fetchSeasons = (): Promise<Season[]> => call(listSeasons, {})
export const fetchCourse = (id: number): Promise<Course> => call(getCourse, { params: { id } })
