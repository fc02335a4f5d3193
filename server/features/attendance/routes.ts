import type { CourseDates } from '#contract/endpoints/attendance.ts'
import * as contract from '#contract/endpoints/attendance.ts'
import type { Language } from '#contract/values.ts'
import { createKeyedSemaphores } from '#server/platform/db/semaphore.ts'
import { privateJsonResponseWithEtag } from '#server/platform/http/encoded-json.ts'
import type { Api } from '#server/platform/http/mount.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createMessageResponse } from '#server/platform/texts/failure-codes.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { attendanceRecorderOf } from './rules.ts'
import {
  closeAttendanceList,
  createAttendanceRecorder,
  getCourseDates,
  getParticipantList,
  recordWalkInGuest,
} from './service.ts'
import { isCourseOfLessonCancelled } from './tick-repository.ts'

const formatMoment = (language: Language, at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    day: 'numeric',
    month: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(at)

export function mountAttendance(api: Api, { db, config, wakeMailer }: ServerContext): void {
  const { portalName, colors } = config.branding
  const brand = { portal: portalName, color: colors.brand.light }
  const dateLanes = createKeyedSemaphores()
  const courseLanes = createKeyedSemaphores()
  const changePresence = createAttendanceRecorder(db)

  api.mount(contract.getCourseDates, async ({ params, session, language, shows, request }) => {
    const dates = await getCourseDates(db, session, params.id, language)
    shows(dates.participants.map(({ id }) => id))
    const answer: CourseDates = { ...dates, state: 'Ok' }
    return privateJsonResponseWithEtag(request, answer)
  })

  api.mount(contract.changePresence, async ({ body, session, language }) => {
    const outcome = await changePresence(session, body)
    const { verdict } = outcome
    if (verdict === 'overtaken') {
      const { standing } = outcome
      const stands = { isUserPresent: standing.isPresent === true, isRecorded: standing.isPresent !== null }
      const message = `attendance.overtaken.${attendanceRecorderOf(standing, session.id)}.${contract.recordedAttendanceOf(stands)}`
      return { ...body, ...stands, status: 'Ok' as const, message: translate(language, message) }
    }
    if (verdict === 'recordedBefore') {
      const { isPresent, changedAt } = outcome.standing
      const at = formatMoment(language, changedAt, config.timeZone)
      const message = translate(language, `attendance.recordedBefore.${isPresent ? 'present' : 'absent'}`, { at })
      return {
        ...body,
        status: 'Ok' as const,
        message,
        recorded: { isUserPresent: isPresent, changedAt: changedAt.toISOString() },
      }
    }
    const isGood = verdict === 'recorded' || verdict === 'known'
    const isCancelled = verdict === 'fallsOut' && (await isCourseOfLessonCancelled(db, body.courseDateId))
    const key = `attendance.change.${isCancelled ? 'courseCancelled' : verdict}`
    return { ...body, ...createMessageResponse(language, isGood ? 'Ok' : 'Failed', key) }
  })

  api.mount(contract.noteDoorGuest, async ({ body, session, language }) => {
    const verdict = await dateLanes.run(body.courseDateId, () => recordWalkInGuest(db, session, body))
    const isGood = verdict === 'noted' || verdict === 'known' || verdict === 'withdrawn'
    return { ...body, ...createMessageResponse(language, isGood ? 'Ok' : 'Failed', `attendance.guest.${verdict}`) }
  })

  api.mount(contract.completeParticipation, async ({ body, session, language }) => {
    const { courseId, isCompleted } = body
    const hasMail = await courseLanes.run(courseId, () => closeAttendanceList(db, session, courseId, isCompleted))
    if (hasMail) wakeMailer()
    const message = translate(language, isCompleted ? 'attendance.closed' : 'attendance.reopened')
    return { ...body, state: 'Ok' as const, message }
  })

  api.mount(contract.getParticipantList, ({ params, session, language, shows }) =>
    getParticipantList(db, session, params.id, { language, brand, shows }),
  )
}
