import type { CourseDates } from '#contract/attendance.ts'
import * as contract from '#contract/attendance.ts'
import * as coursesContract from '#contract/courses.ts'
import { call } from '#lib/api-client.ts'

export const listInstructorCourses = () => call(coursesContract.listInstructorCourses, {})
export const getCourseDates = (id: number): Promise<CourseDates> => call(contract.getCourseDates, { params: { id } })
export const getParticipantList = (id: number): Promise<File> => call(contract.getParticipantList, { params: { id } })
