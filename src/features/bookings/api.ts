import * as accountsContract from '#contract/accounts.ts'
import * as contract from '#contract/bookings.ts'
import type { Course } from '#contract/courses.ts'
import { call } from '#lib/api-client.ts'

/**
 * Timeout per attempt, long enough for a busy server; attempts are repeated, so that a lost response costs no more than
 * this.
 */
const ANSWER_MS = 8000

export const getWebUser = () => call(accountsContract.getWebUser, {})
export const listBookedCourses = (): Promise<Course[]> => call(contract.listBookedCourses, {})
export const bookCourse = (id: number): Promise<Course> =>
  call(contract.bookCourse, { body: { id }, signal: AbortSignal.timeout(ANSWER_MS) })
export const cancelCourse = (id: number): Promise<Course> =>
  call(contract.cancelCourse, { body: { id }, signal: AbortSignal.timeout(ANSWER_MS) })
