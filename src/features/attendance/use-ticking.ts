import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Mark } from '#contract/attendance.ts'
import { showError } from '#lib/toast.ts'
import { notPresentOf, presencesOf, rowsOf, ticksOf } from './model.ts'
import type { OutboxEntry } from './outbox/records.ts'
import { counts, outbox, setPresence, steps, useAttendance } from './store.ts'

type Marked = { webUserId: number; mark: Mark }
/** What a tap changed, and what stood before it. */
type Action = { dateId: number; before: Marked[] }

const FELT_MS = 12

/** No row shows by itself what was done to several, or taken back. */
const showAll = () => {
  counts.show()
  steps.show()
}

/** What a tap does on one date of a course, and how it is taken back. */
export function useTicking(courseId: number, dateId: number, userId: number) {
  const { t } = useTranslation('attendance')
  /** No state: what is done changes the view, with which it is looked at. */
  const done = useRef<Action[]>([])
  const apply = useCallback(
    (on: number, people: Marked[]) =>
      setPresence(courseId, on, people).catch(error => showError(error.message || t('notStored'))),
    [courseId, t],
  )
  const act = useCallback(
    (before: Marked[], mark: Mark) => {
      navigator.vibrate?.(FELT_MS)
      done.current.push({ dateId, before })
      apply(
        dateId,
        before.map(({ webUserId }) => ({ webUserId, mark })),
      )
    },
    [dateId, apply],
  )
  const onSet = useCallback(
    (webUserId: number, mark: Mark, before: Mark) => {
      for (const follower of [counts, steps]) follower.hold()
      act([{ webUserId, mark: before }], mark)
    },
    [act],
  )
  const decide = useCallback(
    (entry: OutboxEntry, decision: 'discard' | 'sendAgain') =>
      outbox[decision](entry).catch(error => showError(error.message || t('notStored'))),
    [t],
  )
  // Asks the store when it is called: a new function after every tap would render all rows.
  const onDecide = useCallback(
    (webUserId: number, decision: 'discard' | 'sendAgain') => {
      const tick = ticksOf(useAttendance.getState().view.entries, courseId, userId).get(`${dateId}/${webUserId}`)
      if (tick) decide(tick, decision)
    },
    [courseId, userId, dateId, decide],
  )
  // These two ask when they are called as well: what was tapped a moment before is not rendered yet.
  const setAllPresent = () => {
    const { view, lists } = useAttendance.getState()
    const list = lists[courseId]
    if (!list) return
    const rows = rowsOf(list, presencesOf(list), dateId, ticksOf(view.entries, courseId, userId), view)
    act(
      notPresentOf(rows).map(({ webUserId, mark }) => ({ webUserId, mark })),
      'present',
    )
    showAll()
  }
  const findLast = () => done.current.findLast(action => action.dateId === dateId)
  const undo = () => {
    const last = findLast()
    if (!last) return
    done.current = done.current.filter(other => other !== last)
    apply(last.dateId, last.before)
    showAll()
  }
  return { onSet, setAllPresent, undo, isUndoable: () => findLast() !== undefined, decide, onDecide }
}
