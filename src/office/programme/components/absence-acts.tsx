import i18next from 'i18next'
import type { ActDraft, ActRequest } from '#office/frame/act-store.ts'
import { formatFullDate } from '../model.ts'
import type { AbsenceLesson } from '../resource.ts'
import { AbsenceFields } from './absence-fields.tsx'
import { undoLessonChanges } from './lesson-acts.tsx'

/** Without an instructor's e-mail address, the dialog asks for the instructor. */
export type InstructorAbsence = { instructorEmail: string; name: string; from: string; to: string }
type Change = NonNullable<ActDraft<'set-absence'>['lessons']>[number]
type Reversal = NonNullable<ActDraft<'remove-absence'>['lessons']>[number]

/** The change that reverts what an absence changed in a lesson. */
function reverse({ courseDateId, cancel, substituteEmail, ...time }: Change, before: AbsenceLesson): Reversal {
  if (cancel) return { courseDateId, restore: true }
  const isMoved = Object.keys(time).length > 0
  return {
    courseDateId,
    ...(substituteEmail !== undefined && { instructorEmail: before.instructorEmail ?? '' }),
    ...(isMoved && { date: before.date, startTime: before.startTime, endTime: before.endTime }),
  }
}

const t = i18next.getFixedT(null, 'office-programme')
const aboutOf = ({ name, from, to }: InstructorAbsence) => `${name}, ${formatFullDate(from)} – ${formatFullDate(to)}`

/** @param lessons changes that revert those of the absence */
export const removeAbsence = (
  absenceId: number,
  absent: InstructorAbsence,
  lessons: Reversal[] = [],
): ActRequest<'remove-absence'> => ({
  act: { kind: 'remove-absence', absenceId, lessons, quiet: false },
  title: t('act.remove-absence'),
  about: aboutOf(absent),
})

/** Registers the absence of an instructor, with substitutes for the lessons. */
export const setAbsence = (absent: InstructorAbsence): ActRequest<'set-absence'> => {
  const read = new Map<number, AbsenceLesson>()
  const { name, ...span } = absent
  const keep = (lessons: readonly AbsenceLesson[]) => {
    for (const lesson of lessons) read.set(lesson.courseDateId, lesson)
  }
  return {
    act: { kind: 'set-absence', ...span, lessons: [], quiet: false },
    title: t('act.set-absence'),
    about: name,
    isWide: true,
    missing: ({ instructorEmail, from, to }) => [
      ...(instructorEmail ? [] : [t('field.instructor')]),
      ...(from ? [] : [t('absence.from')]),
      ...(to ? [] : [t('absence.to')]),
    ],
    form: fields => <AbsenceFields {...fields} onRead={keep} />,
    undo: ({ result }, { instructorEmail, from, to, lessons }) => {
      const reversals = lessons.flatMap(change => {
        const before = read.get(change.courseDateId)
        return before ? [reverse(change, before)] : []
      })
      const whole = { ...absent, instructorEmail, from, to }
      if (result.isNew) return removeAbsence(Number(result.absenceId), whole, reversals)
      return undoLessonChanges(reversals, aboutOf(whole))
    },
  }
}
