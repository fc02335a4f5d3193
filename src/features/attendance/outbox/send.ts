import { changePresence, completeParticipation, type Mark, markOf } from '#contract/attendance.ts'
import type { Call } from '#lib/call.ts'
import type { Sender } from './database.ts'
import { changedAtOf, markOfTick, type OutboxEntry } from './records.ts'

/**
 * Whether the server took it, and its sentence if not; `isEcho` tells that the answer is about this very entry, `overtakenBy` what
 * a later change says, where it says otherwise.
 */
export type SendResult = { isOk: boolean; isEcho: boolean; overtakenBy: Mark | null; message: string }

const isOutcome = (status: unknown) => status === 'Ok' || status === 'Failed'

/** Sends one entry of the outbox as the person who recorded it. @throws ApiError, NoAnswerError */
export type SendEntry = (entry: OutboxEntry, sender: Sender) => Promise<SendResult>

/** @param call the page's or the worker's way to the portal */
export const sendEntryThrough =
  (call: Call): SendEntry =>
  async (entry, { token, language }) => {
    if (entry.kind === 'completion') {
      const { courseId, isCompleted } = entry
      const answer = await call(completeParticipation, { token, language, body: { courseId, isCompleted } })
      return {
        isOk: answer.state === 'Ok',
        isEcho: isOutcome(answer.state) && answer.courseId === courseId && answer.isCompleted === isCompleted,
        overtakenBy: null,
        message: answer.message,
      }
    }
    const { courseDateId, webUserId, changeId, isPresent, isRecorded } = entry
    const changeState = isPresent ? 'added' : 'deleted'
    const answer = await call(changePresence, {
      token,
      language,
      body: {
        ...{ changeState, courseDateId, webUserId, changeId, changedAt: changedAtOf(entry) },
        ...(isRecorded === false ? { isRecorded } : {}),
      },
    })
    const { isUserPresent = answer.changeState === 'added' } = answer
    const stands = markOf({ ...answer, isUserPresent })
    return {
      isOk: answer.status === 'Ok',
      isEcho:
        isOutcome(answer.status) &&
        answer.changeId === changeId &&
        answer.courseDateId === courseDateId &&
        answer.webUserId === webUserId &&
        answer.changeState === changeState,
      overtakenBy: stands === markOfTick(entry) ? null : stands,
      message: answer.message,
    }
  }
