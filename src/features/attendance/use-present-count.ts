import { attendanceMarksOnDate, countUnsyncedChanges, pendingPresenceEntriesOf } from './model.ts'
import type { StoredAttendanceList } from './outbox/list-rows.ts'
import { useAttendanceCounts } from './store.ts'

/** Number of participants present on a date. Updates before the list does and rerenders nothing else. */
export function usePresentCount(list: StoredAttendanceList, dateId: number, userId: number) {
  const { courseId } = list
  const { lists, view } = useAttendanceCounts()
  const marks = attendanceMarksOnDate(
    lists[courseId] ?? list,
    dateId,
    pendingPresenceEntriesOf(view.entries, courseId, userId),
  )
  const count = (wanted: (typeof marks)[number]) => marks.filter(mark => mark === wanted).length
  return {
    present: count('present'),
    unrecorded: count('none'),
    all: marks.length,
    ...countUnsyncedChanges(view.entries, userId, { courseId }),
  }
}
