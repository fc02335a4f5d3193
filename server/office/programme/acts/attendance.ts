import type { Language } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import { insertAttendanceChanges } from '#server/features/attendance/tick-repository.ts'
import { type ActHandler, accountIdOf } from '#server/office/frame/office-context-service.ts'
import type { Notice, NoticeDelivery } from '#server/platform/outbox/notices.ts'
import { translate } from '#server/platform/texts/translate.ts'
import {
  type AttendanceGap,
  listAttendanceGaps,
  listRecordedAttendance,
  updateLessonsReminded,
} from '../attendance-repository.ts'
import { formatWeekdayTime, lockLessonToEdit } from '../course-service.ts'

/**
 * Records the attendance at a past lesson on behalf of its instructor, for example from a list on paper. Overwriting
 * what somebody else has recorded requires a reason.
 */
const recordAttendance: ActHandler<'record-attendance'> = async (office, { courseDateId, present, absent }) => {
  const { tx } = office
  const isPresent = new Map([...present.map(id => [id, true] as const), ...absent.map(id => [id, false] as const)])
  if (isPresent.size < present.length + absent.length) office.fail('failed.personTwice')
  const { lesson } = await lockLessonToEdit(office, courseDateId)
  if (!lesson.isPast) office.fail('failed.lessonAhead')
  if (lesson.state === 'cancelled') office.fail('failed.lessonCancelled')
  const actorId = accountIdOf(office.actor)
  const before = await listRecordedAttendance(tx, courseDateId, actorId)
  const replaced = before.filter(
    ({ webUserId, ...one }) => (isPresent.get(webUserId) ?? one.isPresent) !== one.isPresent,
  )
  const foreign = replaced.filter(({ isOwn }) => !isOwn)
  if (foreign.length > 0) office.askReason('reason.recordedAttendance', { count: foreign.length })
  const known = new Map(before.map(one => [one.webUserId, one.isPresent]))
  const changes = [...isPresent].filter(([webUserId, value]) => known.get(webUserId) !== value)
  const results = await insertAttendanceChanges(
    tx,
    changes.map(([webUserId, value]) => ({
      changeId: null,
      courseDateId,
      webUserId,
      isPresent: value,
      changedAt: null,
      recordedBy: actorId,
      email: null,
    })),
  )
  const verdicts = results.map(result => (result === null || result === 'left' ? result : result.verdict))
  if (verdicts.includes('fallsOut')) office.fail('failed.lessonCancelled')
  if (verdicts.includes('consentWithdrawn')) office.fail('failed.attendanceConsent')
  if (verdicts.some(verdict => verdict !== 'recorded')) office.fail('failed.notInLesson')
  const idsIn = (people: Iterable<readonly [number, boolean]>, wanted: boolean) =>
    [...people].flatMap(([webUserId, value]) => (value === wanted ? webUserId : []))
  const was = replaced.map(one => [one.webUserId, one.isPresent] as const)
  office.note({
    ...(was.length > 0 && { before: { present: idsIn(was, true), absent: idsIn(was, false) } }),
    after: { present: idsIn(changes, true), absent: idsIn(changes, false) },
  })
  office.addAffected({ people: changes.map(([webUserId]) => webUserId) })
  return { recorded: changes.length }
}

function reminderOf(gaps: readonly AttendanceGap[]): Notice {
  const wordsIn = (language: Language) => {
    const say = (part: string, values: Record<string, string | number> = {}) =>
      translate(language, `office.notice.remindAttendance.${part}`, values)
    const lines = gaps.map(
      gap => `${gap.number} ${nameInLanguage(language, gap)}, ${formatWeekdayTime(language, gap.heldAt)}`,
    )
    return { title: say('title', { count: gaps.length }), paragraphs: [say('text'), lines.join('\n'), say('end')] }
  }
  const [first] = gaps
  const isOneCourse = first !== undefined && gaps.every(({ courseId }) => courseId === first.courseId)
  return {
    words: { de: wordsIn('de'), en: wordsIn('en') },
    path: isOneCourse ? `/course-participation/${first.courseId}` : '/courses/instructor',
  }
}

/**
 * Reminds the instructors of past lessons without recorded attendance. Each of them gets a single notice about all of
 * their lessons. Lessons that have been recorded or cancelled meanwhile are ignored.
 */
export const remindAttendance: ActHandler<'remind-attendance'> = async (office, { courseDateIds }) => {
  const found = await listAttendanceGaps(office.tx, courseDateIds)
  if (found.length < new Set(courseDateIds).size) office.fail('unknown.lesson')
  const gaps = found.filter(({ isGap }) => isGap)
  if (gaps.length === 0) office.fail('failed.noGap')
  const ids = gaps.map(({ courseDateId }) => courseDateId)
  const byRecipient = new Map<number | string, AttendanceGap[]>()
  for (const gap of gaps)
    for (const recipient of [...gap.people, ...gap.addresses])
      byRecipient.set(recipient, [...(byRecipient.get(recipient) ?? []), gap])
  const deliveries = [...byRecipient].map(
    ([recipient, own]): NoticeDelivery => ({
      people: typeof recipient === 'number' ? [recipient] : [],
      addresses: typeof recipient === 'string' ? [recipient] : [],
      notice: reminderOf(own),
    }),
  )
  await office.sendDeliveries(deliveries, new Set(gaps.flatMap(({ unreachable }) => unreachable)))
  await updateLessonsReminded(office.tx, ids)
  office.addAffected({ courses: [...new Set(gaps.map(({ courseId }) => courseId))] })
  office.note({ objects: { courseDateIds: ids.join(' ') } })
  return { lessons: ids.length, instructors: byRecipient.size }
}

export const attendanceHandlers = {
  'record-attendance': recordAttendance,
  'remind-attendance': remindAttendance,
}
