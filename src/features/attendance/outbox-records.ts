/** What an instructor did and the server has not confirmed yet. No names, no token. */
type Entry = {
  /** names this change for good: the server takes it once */
  changeId: string
  /** the web user who did it: only that person's session sends it */
  userId: number
  courseId: number
  /** device time in ms, never before the entry made last on this device, also when its clock is set back */
  recordedAt: number
  /** server time minus device time in ms, as measured last before it was recorded */
  clockOffsetMs: number
  /**
   * `waiting` on this phone; `sending` on its way (found so at start: unknown, so sent again); `refused` by the server;
   * `confirmed` by it, kept until a list that was asked for afterwards is on the phone
   */
  state: 'waiting' | 'sending' | 'refused' | 'confirmed'
  attempts: number
  /** why it was refused, or why the last try failed: a sentence of the server, or '' */
  lastError: string
}

/** One person present or absent on one date. */
export type Tick = Entry & { kind: 'tick'; courseDateId: number; webUserId: number; isPresent: boolean }

/** The attendance of a course closed or reopened. */
export type Completion = Entry & { kind: 'completion'; isCompleted: boolean }

export type OutboxEntry = Tick | Completion

/** One entry per person and date, and one per course for closing and for reopening: a newer one takes the older one's place. */
export const entryKey = (entry: OutboxEntry): string =>
  entry.kind === 'tick'
    ? `${entry.userId}/tick/${entry.courseDateId}/${entry.webUserId}`
    : `${entry.userId}/${entry.isCompleted ? 'close' : 'reopen'}/${entry.courseId}`

/** When it was done, in server time, ms. */
export const doneAtOf = (entry: OutboxEntry): number => entry.recordedAt + entry.clockOffsetMs

/** The same as ISO 8601. */
export const changedAtOf = (entry: OutboxEntry): string => new Date(doneAtOf(entry)).toISOString()

/** Not settled yet: to be sent, or on its way. */
export const isUnsent = ({ state }: OutboxEntry): boolean => state === 'waiting' || state === 'sending'

/**
 * The entry to send next, or undefined. Closing waits behind the earlier ticks of its course, ticks behind an earlier
 * reopening. Among the others what failed least goes first, so that one entry that always fails holds up nothing else.
 */
export function nextToSend(entries: OutboxEntry[], userId: number): OutboxEntry | undefined {
  const unsent = entries.filter(entry => entry.userId === userId && isUnsent(entry))
  const completions = unsent.filter(({ kind }) => kind === 'completion')
  const isBehind = (entry: OutboxEntry) =>
    (entry.kind === 'completion' ? unsent : completions).some(
      other => other.courseId === entry.courseId && doneAtOf(other) < doneAtOf(entry),
    )
  const before = (a: OutboxEntry, b: OutboxEntry) => a.attempts - b.attempts || doneAtOf(a) - doneAtOf(b)
  return unsent.sort(before).find(entry => !isBehind(entry))
}
