import { type CourseDates, getCourseDates, getParticipantList } from '#contract/attendance.ts'
import { listInstructorCourses } from '#contract/courses.ts'
import { call } from '#lib/api-client.ts'
import { sendEntryThrough } from './outbox-api.ts'

export const fetchInstructorCourses = () => call(listInstructorCourses, {})
export const fetchCourseDates = (id: number): Promise<CourseDates> => call(getCourseDates, { params: { id } })
export const fetchParticipantList = (id: number): Promise<Blob> => call(getParticipantList, { params: { id } })
/** Sends one entry of the outbox as the person who recorded it. */
export const sendEntry = sendEntryThrough(call)
