import type { OutboxView } from './records.ts'
import { isToDecide, isUnsent, type OutboxEntry, type ShelfItem } from './records.ts'

/** One thing that is to be said about this phone's ticks. */
export type Statement =
  /** nothing is saving, waiting, to be decided, lost, unreadable or unknown: only then */
  | { kind: 'allSafe' }
  /** this phone's storage fails; nobody knows what lies there */
  | { kind: 'disk'; disk: 'none' | 'newer' | 'slow' }
  /** this phone's records have not been read yet */
  | { kind: 'unknown' }
  | { kind: 'lost' | 'shelved'; items: ShelfItem[] }
  /** in this page only: neither this phone nor the portal has taken it */
  | { kind: 'notStored'; count: number }
  | { kind: 'saving'; count: number }
  | { kind: 'waiting'; count: number }
  | { kind: 'toDecide'; count: number }
  /** of people who are not logged in here */
  | { kind: 'others'; count: number }

/** Everything there is to say to the person who is logged in (0: nobody is), most urgent first. The one place that decides "all safe". */
export function statusMessages(view: OutboxView, userId: number): Statement[] {
  const { saving, unstored, shelf, disk, isRead } = view
  const mine = view.entries.filter(entry => entry.userId === userId)
  const unsent = mine.filter(isUnsent)
  const count = (of: OutboxEntry[]) => of.length
  const lost = shelf.filter(({ kind }) => kind === 'lost')
  const shelved = shelf.filter(({ kind }) => kind === 'damaged')
  const statements: Statement[] = [
    ...(disk === 'ok' ? [] : [{ kind: 'disk', disk } as const]),
    ...(disk === 'ok' && !isRead ? [{ kind: 'unknown' } as const] : []),
    { kind: 'notStored', count: count(unsent.filter(({ changeId }) => unstored.has(changeId))) },
    { kind: 'lost', items: lost },
    { kind: 'shelved', items: shelved },
    { kind: 'toDecide', count: count(mine.filter(isToDecide)) },
    { kind: 'saving', count: count(unsent.filter(({ changeId }) => saving.has(changeId))) },
    {
      kind: 'waiting',
      count: count(unsent.filter(({ changeId }) => !saving.has(changeId) && !unstored.has(changeId))),
    },
    { kind: 'others', count: count(view.entries.filter(entry => entry.userId !== userId && isUnsent(entry))) },
  ]
  const due = statements.filter(of => !('count' in of && of.count === 0) && !('items' in of && of.items.length === 0))
  return due.length === 0 ? [{ kind: 'allSafe' }] : due
}

/** Ticks that wait for somebody's login, by course. */
export function waitingByCourse(view: OutboxView, userId: number): { entry: OutboxEntry; count: number }[] {
  const byCourse = new Map<number, OutboxEntry[]>()
  for (const entry of view.entries) {
    if (entry.userId === userId || entry.state === 'confirmed') continue
    byCourse.set(entry.courseId, [...(byCourse.get(entry.courseId) ?? []), entry])
  }
  return [...byCourse.values()].flatMap(entries => (entries[0] ? [{ entry: entries[0], count: entries.length }] : []))
}
