import {
  type CourseDates,
  changePresence,
  completeParticipation,
  getCourseDates,
  getParticipantList,
} from '#contract/attendance.ts'
import { listInstructorCourses } from '#contract/courses.ts'
import { call } from '#lib/api-client.ts'
import { changedAtOf, type OutboxEntry } from './outbox-records.ts'

export const fetchInstructorCourses = () => call(listInstructorCourses, {})
export const fetchCourseDates = (id: number): Promise<CourseDates> => call(getCourseDates, { params: { id } })
export const fetchParticipantList = (id: number): Promise<Blob> => call(getParticipantList, { params: { id } })

/** Whether the server took it, and its sentence if not; `isEcho` tells that the answer is about this very entry. */
export type SendResult = { isOk: boolean; isEcho: boolean; message: string }

const isOutcome = (status: unknown) => status === 'Ok' || status === 'Failed'

/** Sends one entry of the outbox as the person who recorded it. @throws ApiError, NoAnswerError */
export async function sendEntry(entry: OutboxEntry, token: string): Promise<SendResult> {
  if (entry.kind === 'completion') {
    const { courseId, isCompleted } = entry
    const answer = await call(completeParticipation, { token, body: { courseId, isCompleted } })
    return {
      isOk: answer.state === 'Ok',
      isEcho: isOutcome(answer.state) && answer.courseId === courseId && answer.isCompleted === isCompleted,
      message: answer.message,
    }
  }
  const { courseDateId, webUserId, changeId } = entry
  const changeState = entry.isPresent ? 'added' : 'deleted'
  const answer = await call(changePresence, {
    token,
    body: { changeState, courseDateId, webUserId, changeId, changedAt: changedAtOf(entry) },
  })
  return {
    isOk: answer.status === 'Ok',
    isEcho:
      isOutcome(answer.status) &&
      answer.changeId === changeId &&
      answer.courseDateId === courseDateId &&
      answer.webUserId === webUserId &&
      answer.changeState === changeState,
    message: answer.message,
  }
}
