import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_UNDONE_CHANGES, type RecordedAttendance } from '#contract/endpoints/attendance.ts'
import { showError } from '#lib/toast.ts'
import { newUuid } from '#lib/uuid.ts'
import { expectedRows, participantRowsOf, pendingPresenceEntriesOf, presenceIndexOf, unrecordedRows } from './model.ts'
import type { OutboxEntry } from './outbox/records.ts'
import { counts, outbox, setPresence, steps, useAttendance } from './store.ts'

type Marked = { webUserId: number; mark: RecordedAttendance }
/** An action that can be undone: the date, and the previous attendance status of each participant it changed. */
type Action = { dateId: number; before: Marked[]; isBulk: boolean }

const FELT_MS = 12

/** Rerenders immediately after a bulk change or undo, which the rows do not display on their own. */
const showAll = () => {
  counts.show()
  steps.show()
}

/** Attendance actions on one date of a course, with undo. */
export function useAttendanceActions(courseId: number, dateId: number, userId: number) {
  const { t } = useTranslation('attendance')
  /** A ref instead of state, because each action changes the outbox, which rerenders the undo button anyway. */
  const done = useRef<Action[]>([])
  /** The last changes made here for each participant and date, `date/participant`. */
  const changeIds = useRef(new Map<string, string[]>())
  const apply = useCallback(
    (on: number, people: Marked[], { isBulk = false, isUndo = false } = {}) => {
      const sent = people.map(person => {
        const key = `${on}/${person.webUserId}`
        const before = changeIds.current.get(key) ?? []
        const changeId = newUuid()
        changeIds.current.set(key, [...before, changeId].slice(-MAX_UNDONE_CHANGES))
        return { ...person, changeId, ...(isBulk && isUndo && { ifChangeIds: before }) }
      })
      setPresence(courseId, on, sent, { ifUnrecorded: isBulk && !isUndo }).catch(error =>
        showError(error.message || t('notStored')),
      )
    },
    [courseId, t],
  )
  const act = useCallback(
    (before: Marked[], mark: RecordedAttendance, isBulk = false) => {
      navigator.vibrate?.(FELT_MS)
      done.current.push({ dateId, before, isBulk })
      apply(
        dateId,
        before.map(({ webUserId }) => ({ webUserId, mark })),
        { isBulk },
      )
    },
    [dateId, apply],
  )
  const onSet = useCallback(
    (webUserId: number, mark: RecordedAttendance, before: RecordedAttendance) => {
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
  // Reads the store when called, because a new callback after each tap would rerender all rows.
  const onDecide = useCallback(
    (webUserId: number, decision: 'discard' | 'sendAgain') => {
      const tick = pendingPresenceEntriesOf(useAttendance.getState().view.entries, courseId, userId).get(
        `${dateId}/${webUserId}`,
      )
      if (tick) decide(tick, decision)
    },
    [courseId, userId, dateId, decide],
  )
  // Both functions read the store when called, because preceding taps may not be rendered yet.
  const setAll = (wanted: RecordedAttendance) => {
    const { view, lists } = useAttendance.getState()
    const list = lists[courseId]
    if (!list) return
    const rows = participantRowsOf(
      list,
      presenceIndexOf(list),
      dateId,
      pendingPresenceEntriesOf(view.entries, courseId, userId),
      view,
    )
    act(
      (wanted === 'present' ? expectedRows(rows) : unrecordedRows(rows)).map(({ webUserId, mark }) => ({
        webUserId,
        mark,
      })),
      wanted,
      true,
    )
    showAll()
  }
  const setAllPresent = () => setAll('present')
  const setRestAbsent = () => setAll('absent')
  const findLast = () => done.current.findLast(action => action.dateId === dateId)
  const undoBulk = async ({ dateId: on, before }: Action) => {
    const ticks = pendingPresenceEntriesOf(useAttendance.getState().view.entries, courseId, userId)
    const pending = before.flatMap(({ webUserId }) => ticks.get(`${on}/${webUserId}`) ?? [])
    const sent = await outbox.discardIneffective(pending)
    const isDiscarded = new Set(pending.flatMap(of => (sent.includes(of) ? [] : of.webUserId)))
    apply(
      on,
      before.filter(({ webUserId }) => !isDiscarded.has(webUserId)),
      { isBulk: true, isUndo: true },
    )
  }
  const undo = async () => {
    const last = findLast()
    if (!last) return
    done.current = done.current.filter(other => other !== last)
    if (last.isBulk) await undoBulk(last)
    else apply(last.dateId, last.before)
    showAll()
  }
  return { onSet, setAllPresent, setRestAbsent, undo, isUndoable: () => findLast() !== undefined, decide, onDecide }
}
