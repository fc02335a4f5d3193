import { type CourseDates, getCourseDates, getParticipantList } from '#contract/attendance.ts'
import { listInstructorCourses } from '#contract/courses.ts'
import { call } from '#lib/api-client.ts'

export const fetchInstructorCourses = () => call(listInstructorCourses, {})
export const fetchCourseDates = (id: number): Promise<CourseDates> => call(getCourseDates, { params: { id } })
export const fetchParticipantList = (id: number): Promise<File> => call(getParticipantList, { params: { id } })
