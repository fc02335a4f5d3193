import i18next from 'i18next'
import type { ActDraft, ActRequest } from '#office/frame/act-store.ts'
import { formatFullDate } from '../model.ts'
import type { ClosureLesson } from '../resource.ts'
import { ClosureFields } from './closure-fields.tsx'
import { undoLessonChanges } from './lesson-acts.tsx'

/** What is closed; without rooms and site, the dialog asks for them. */
export type Closure = { roomIds?: number[]; site?: string; name: string; from: string; to: string }
type Change = NonNullable<ActDraft<'set-closure'>['lessons']>[number]
type Reversal = NonNullable<ActDraft<'remove-closure'>['lessons']>[number]

/** The change that reverts what a closure changed in a lesson. */
function reverse({ courseDateId, cancel, roomId, ...time }: Change, before: ClosureLesson): Reversal {
  if (cancel) return { courseDateId, restore: true }
  const isMoved = Object.keys(time).length > 0
  return {
    courseDateId,
    ...(roomId !== undefined && { roomId: before.roomId }),
    ...(isMoved && { date: before.date, startTime: before.startTime, endTime: before.endTime }),
  }
}

const t = i18next.getFixedT(null, 'office-programme')
const aboutOf = ({ name, from, to }: Closure) =>
  [name, `${formatFullDate(from)} – ${formatFullDate(to)}`].filter(Boolean).join(', ')

/** @param lessons changes that revert those of the closure */
export const removeClosure = (
  closureId: number,
  closure: Closure,
  lessons: Reversal[] = [],
): ActRequest<'remove-closure'> => ({
  act: { kind: 'remove-closure', closureId, lessons, quiet: false },
  title: t('act.remove-closure'),
  about: aboutOf(closure),
})

/** Closes rooms or a site for some days. */
export const setClosure = ({ name, ...closure }: Closure): ActRequest<'set-closure'> => {
  const read = new Map<number, ClosureLesson>()
  const keep = (lessons: readonly ClosureLesson[]) => {
    for (const lesson of lessons) read.set(lesson.courseDateId, lesson)
  }
  return {
    act: { kind: 'set-closure', ...closure, lessons: [], quiet: false },
    title: t('act.set-closure'),
    about: name,
    isWide: true,
    missing: ({ roomIds, site, from, to }) => [
      ...(roomIds || site ? [] : [t('closure.place')]),
      ...(from ? [] : [t('absence.from')]),
      ...(to ? [] : [t('absence.to')]),
    ],
    form: fields => <ClosureFields {...fields} onRead={keep} />,
    undo: ({ result }, { from, to, lessons }) => {
      const reversals = lessons.flatMap(change => {
        const before = read.get(change.courseDateId)
        return before ? [reverse(change, before)] : []
      })
      const span = { name, from, to }
      if (result.isNew) return removeClosure(Number(result.closureId), span, reversals)
      return undoLessonChanges(reversals, aboutOf(span))
    },
  }
}
