import type { AttendanceLists } from '#features/attendance/outbox/lists.ts'
import type { Outbox } from '#features/attendance/outbox/outbox.ts'
import type { OutboxEntry } from '#features/attendance/outbox/records.ts'
import type { Disk, Runtime } from './disk.ts'
import type { Weather } from './plan.ts'

/** One tap and what became of it. */
export type Tap = {
  phone: Phone
  page: Page
  at: number
  user: number
  key: string
  entry: OutboxEntry
  /** the phone said that it is stored */
  isAcknowledged: boolean
  /** the phone lost its storage since */
  isRobbed: boolean
  robbedAt: number
  /** since when the list says otherwise; 0 when it does not */
  wrongSince: number
  /** nothing could have kept it, or the person decided otherwise */
  isExcused: boolean
}

export type Page = {
  runtime: Runtime
  /** when it was opened, or thawed last */
  since: number
  outbox: Outbox
  lists: AttendanceLists
  user: number
  /** of the session whose lists this page shows */
  sessionId: string | null
}

/** A device with its disk, its network and what is open on it. */
export class Phone {
  skewMs = 0
  weather: Weather = 'fine'
  disk: Disk
  notes = new Map<string, string>()
  hasNotes = true
  pages: Page[] = []
  workers: Page[] = []
  /** who is logged in for good */
  token: string | null = null
  user = 0
  isSyncAsked = false
  hadTabs = false
  locked = false
  waitingForLock: (() => void)[] = []

  constructor(disk: Disk) {
    this.disk = disk
  }

  alive(): Page[] {
    return this.pages.filter(({ runtime }) => !runtime.isDead)
  }

  /** The page that somebody looks at. */
  front(): Page | undefined {
    return this.alive().find(({ runtime }) => !runtime.isFrozen)
  }

  /** The browser gives the lock of who has gone on. */
  giveLockOn(): void {
    this.locked = false
    this.waitingForLock.shift()?.()
  }
}
