/** What an instructor did and the server has not confirmed yet. No names, no token. */
type Entry = {
  /** names this change for good: the server takes it once */
  changeId: string
  /** the web user who did it: only that person's session sends it */
  userId: number
  courseId: number
  /** device time in ms; grows with every entry of this device, also when its clock is set back */
  recordedAt: number
  /** server time minus device time in ms, as measured last before it was recorded */
  clockOffsetMs: number
  /**
   * `waiting` on this phone; `sending` on its way (found so at start: unknown, so sent again); `refused` by the server;
   * `confirmed` by it, and about to go as soon as the stored list shows it
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

/** One entry per person and date, and one per course for closing: a newer one takes the place of an older one. */
export const entryKey = (entry: OutboxEntry): string =>
  entry.kind === 'tick'
    ? `${entry.userId}/tick/${entry.courseDateId}/${entry.webUserId}`
    : `${entry.userId}/completion/${entry.courseId}`

/** In the order in which they were done: closing waits behind the ticks before it. */
export const inOrder = (entries: OutboxEntry[]): OutboxEntry[] =>
  [...entries].sort((a, b) => a.recordedAt - b.recordedAt || (a.changeId < b.changeId ? -1 : 1))

/** When it was done, in server time, ISO 8601. */
export const changedAtOf = (entry: OutboxEntry): string =>
  new Date(entry.recordedAt + entry.clockOffsetMs).toISOString()

/** Not settled yet: to be sent, or on its way. */
export const isUnsent = ({ state }: OutboxEntry): boolean => state === 'waiting' || state === 'sending'
