import { useTranslation } from 'react-i18next'
import { type ActDraft, type ActRequest, startAct } from '#office/frame/act-store.ts'
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

/** Actions that close rooms or a site for some days, or reopen them. */
export function useClosureActs() {
  const { t } = useTranslation('office-programme')
  const aboutOf = ({ name, from, to }: Closure) =>
    [name, `${formatFullDate(from)} – ${formatFullDate(to)}`].filter(Boolean).join(', ')
  const removing = (closureId: number, closure: Closure, lessons: Reversal[] = []): ActRequest<'remove-closure'> => ({
    act: { kind: 'remove-closure', closureId, lessons, quiet: false },
    title: t('act.remove-closure'),
    about: aboutOf(closure),
  })
  const setting = ({ name, ...closure }: Closure): ActRequest<'set-closure'> => {
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
        if (result.isNew) return removing(Number(result.closureId), span, reversals)
        return undoLessonChanges(t, reversals, aboutOf(span))
      },
    }
  }
  return {
    set: (closure: Closure) => startAct(setting(closure)),
    remove: (closureId: number, closure: Closure) => startAct(removing(closureId, closure)),
  }
}
