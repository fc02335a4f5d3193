import type { CourseDates } from '#contract/endpoints/attendance.ts'
import type { Course } from '#contract/endpoints/courses.ts'
import { ApiError } from '#lib/api-error.ts'
import type { EncryptedData, Encryptor } from '#lib/encrypted-storage.ts'
import { createTaskQueue } from '#lib/exclusive.ts'
import { debounce } from '#lib/timers.ts'
import {
  applyConfirmedEntry,
  attendanceListExpiryMs,
  attendanceListKey,
  attendanceListKeysInUse,
  decryptListRow,
  removeExpiredAttendanceLists,
  retainReferencedNames,
  type StoredAttendanceList,
  sessionIdOfListRow,
} from './list-rows.ts'
import type { Outbox } from './outbox.ts'
import type { OpenSessionTracker, OutboxPlatform, OutboxUser } from './platform.ts'
import { entryKey, type OutboxEntry } from './records.ts'

/**
 * An instructor's courses and attendance lists on this device. `coursesFetchedAt`: server time in ms since 1970; 0 if
 * the courses have not been fetched.
 */
export type StoredInstructorData = {
  courses: Course[] | null
  coursesFetchedAt: number
  lists: Record<number, StoredAttendanceList>
}

const NO_LISTS: StoredInstructorData = { courses: null, coursesFetchedAt: 0, lists: {} }

const RECALL_AGAIN_MS = 6_000
const REFRESH_DELAY = { pauseMs: 1_500 }
/**
 * On a phone, encrypting a long list takes longer than the time between two taps, so confirmed entries are written in
 * batches.
 */
const WRITE_DELAY = { pauseMs: 1_000, mostMs: 4_000 }
const ARRIVAL_MS = 10_000

export type AttendanceListsPlatform = Pick<
  OutboxPlatform,
  'now' | 'clockOffsetMs' | 'verifiedServerNow' | 'tell' | 'after'
> & {
  /** @param known entity tag of the list that is shown; replaced by that of the new one. @throws ApiError 304 */
  fetchList(courseId: number, known: { etag: string | null }): Promise<CourseDates>
  fetchCourses(): Promise<Course[]>
  createEncryptor(person: OutboxUser): Promise<Encryptor | null>
  sessions: Pick<OpenSessionTracker, 'enter' | 'list'>
}

/**
 * Attendance lists with names: held in memory while the page is open and encrypted in the database, in both until they
 * expire.
 */
export class AttendanceLists {
  private platform: AttendanceListsPlatform
  private outbox: Outbox
  private listeners = new Set<(shown: StoredInstructorData) => void>()
  private shown: StoredInstructorData = NO_LISTS
  private person: OutboxUser | null = null
  private encryptor: Encryptor | null = null
  private awaiting: ((person: OutboxUser) => void)[] = []
  /** logical clock: incremented by each request and confirmation */
  private revision = 0
  private fetchedRevision = new Map<number, number>()
  /** by course: entity tag of the list that was fetched last */
  private etags = new Map<number, string | null>()
  /**
   * by changeId: each confirmed entry and the revision at which it was confirmed; an attendance list requested before
   * that revision may lack the change
   */
  private confirmed = new Map<string, { entry: OutboxEntry; revision: number }>()
  /**
   * by course: revision at which another page last removed an entry from the outbox, usually because it was
   * acknowledged; an attendance list requested before that revision may lack the change
   */
  private settledElsewhere = new Map<number, number>()
  /** entries by key, as last seen in the outbox */
  private seen = new Map<string, OutboxEntry>()
  private toRefresh = new Set<number>()
  /** courses whose list in the database is older than the one in memory */
  private unwritten = new Set<number>()
  /** whether reading the stored lists was attempted, and whether it has succeeded */
  private recalled = { isTried: false, isDone: false }
  /** serializes changes to attendance lists, including writing the lists to the database */
  private enqueue = createTaskQueue()
  private refreshSoon: () => void
  private writeSoon: () => void

  constructor(platform: AttendanceListsPlatform, outbox: Outbox) {
    this.platform = platform
    this.outbox = outbox
    this.writeSoon = debounce(platform.after, WRITE_DELAY, () => this.enqueue(() => this.writeConfirmed()))
    this.refreshSoon = debounce(platform.after, REFRESH_DELAY, async () => {
      const courseIds = [...this.toRefresh]
      this.toRefresh.clear()
      // If the request fails, the list is loaded when it is opened.
      for (const courseId of courseIds) await this.load(courseId).catch(() => undefined)
    })
    outbox.subscribe(({ entries }) => this.follow(entries))
  }

  current = (): StoredInstructorData => this.shown
  subscribe = (listener: (shown: StoredInstructorData) => void) => this.listeners.add(listener)

  private show(changes: Partial<StoredInstructorData>): void {
    this.shown = { ...this.shown, ...changes }
    for (const listener of this.listeners) listener(this.shown)
  }
  private showList = (list: StoredAttendanceList) =>
    this.show({ lists: { ...this.shown.lists, [list.courseId]: list } })

  private async seal(key: string, value: unknown, expiresAt: number | null): Promise<Record<string, EncryptedData>> {
    return this.encryptor ? { [key]: await this.encryptor.seal(key, value, expiresAt) } : {}
  }
  private sealList = (userId: number, list: StoredAttendanceList) =>
    this.seal(attendanceListKey(userId, list.courseId), list, attendanceListExpiryMs(list))

  /** Errors are ignored: without a working database, the lists are available only until the page is closed. */
  private async write(
    changes: Record<string, EncryptedData>,
    settled: OutboxEntry[],
    courseIds: number[],
  ): Promise<void> {
    const isWritten = await this.outbox.settle(changes, settled).then(
      () => true,
      // If writing fails, the list is written along with the next change.
      () => false,
    )
    for (const courseId of courseIds) isWritten ? this.unwritten.delete(courseId) : this.unwritten.add(courseId)
  }

  private follow(entries: OutboxEntry[]): void {
    const before = this.seen
    this.seen = new Map(entries.map(entry => [entryKey(entry), entry]))
    // An entry that disappears before its confirmation is applied here was acknowledged or discarded on another page.
    const settled = [...before].flatMap(([key, entry]) =>
      this.seen.has(key) || this.confirmed.has(entry.changeId) ? [] : entry.courseId,
    )
    if (settled.length > 0) this.revision += 1
    for (const courseId of settled) this.settledElsewhere.set(courseId, this.revision)
    // The user should see the server's current value when deciding about a rejected change.
    const refused = [...this.seen].flatMap(([key, { state, changeId, courseId }]) => {
      const earlier = before.get(key)
      const isNew = earlier?.changeId !== changeId || earlier.state !== 'refused'
      return state === 'refused' && isNew ? courseId : []
    })
    for (const courseId of [...settled.filter(id => this.shown.lists[id]), ...refused]) {
      this.toRefresh.add(courseId)
      this.refreshSoon()
    }
    const isNews = ({ state, changeId }: OutboxEntry) =>
      state === 'confirmed' || (state === 'overtaken' && !this.confirmed.has(changeId))
    if (entries.some(isNews)) this.enqueue(() => this.applyConfirmed())
  }

  private async applyConfirmed(): Promise<void> {
    if (!this.recalled.isTried) return
    const { entries } = this.outbox.entries()
    const news = entries.filter(({ state }) => state === 'confirmed' || state === 'overtaken')
    for (const entry of news) {
      if (this.confirmed.has(entry.changeId)) continue
      this.revision += 1
      this.confirmed.set(entry.changeId, { entry, revision: this.revision })
      const list = this.shown.lists[entry.courseId]
      if (!list || entry.userId !== this.person?.userId) continue
      this.showList(applyConfirmedEntry(list, entry))
      this.unwritten.add(entry.courseId)
    }
    if (news.length > 0) this.writeSoon()
  }

  private applySince(list: StoredAttendanceList, revision: number): StoredAttendanceList {
    const since = [...this.confirmed.values()].filter(of => of.revision > revision)
    return since
      .filter(({ entry }) => entry.courseId === list.courseId)
      .reduce((before, { entry }) => applyConfirmedEntry(before, entry), list)
  }

  /**
   * Writes the attendance lists to which confirmed entries were applied and, in the same transaction, deletes these
   * entries from the outbox.
   */
  private async writeConfirmed(): Promise<void> {
    const { person, shown } = this
    const isApplied = ({ state, changeId }: OutboxEntry) => state === 'confirmed' && this.confirmed.has(changeId)
    const settled = this.outbox.entries().entries.filter(isApplied)
    const courseIds = [...this.unwritten]
    if (settled.length + courseIds.length === 0) return
    const rows = courseIds.map(courseId => {
      const list = shown.lists[courseId]
      return list && person ? this.sealList(person.userId, list) : {}
    })
    await this.write(Object.assign({}, ...(await Promise.all(rows))), settled, courseIds)
    this.platform.tell('lists')
  }

  /** Reads the user's lists. Deletes all others, except those of sessions that are open in other tabs. */
  private async readStored(): Promise<void> {
    const { person: owner, encryptor } = this
    const rows = await this.outbox.readStored()
    const open = await this.platform.sessions.list()
    const found: StoredInstructorData = { ...NO_LISTS, lists: {} }
    const changes: Record<string, EncryptedData | null> = {}
    for (const row of rows) {
      const sessionId = sessionIdOfListRow(row.value)
      if (sessionId !== null && sessionId !== encryptor?.sessionId && open.has(sessionId)) continue
      const opened = owner && row.key.startsWith(`${owner.userId}/`) ? await decryptListRow(row, encryptor) : null
      if (!opened || sessionId === null) changes[row.key] = null
      if (!owner || !opened) continue
      if ('courses' in opened) {
        found.courses = opened.courses as Course[]
        found.coursesFetchedAt = opened.fetchedAt
        if (sessionId === null) Object.assign(changes, await this.seal(row.key, opened, null))
      } else {
        // The database may have responded late to the first read. The stored list then lacks the entries confirmed in
        // the meantime.
        const list = this.recalled.isDone ? opened : this.applySince(opened, 0)
        if (!this.unwritten.has(list.courseId)) found.lists[list.courseId] = list
        if (list !== opened || sessionId === null) Object.assign(changes, await this.sealList(owner.userId, list))
      }
    }
    if (this.person?.userId !== owner?.userId) return
    this.etags.clear()
    this.recalled.isDone = true
    // A failed deletion is retried at the next start.
    if (Object.keys(changes).length > 0) await this.outbox.settle(changes, []).catch(() => undefined)
    this.show({ ...(this.shown.courses ? {} : found), lists: { ...this.shown.lists, ...found.lists } })
  }

  /**
   * When offline, the database is the only source of the list, so reading it is retried even if it did not respond in
   * time.
   */
  private readLater = (): void => {
    const owner = this.person
    this.platform.after(RECALL_AGAIN_MS, () => {
      if (this.person === owner) this.enqueue(() => this.readStored()).catch(this.readLater)
    })
  }

  /**
   * Resolves with the user, because a screen may load its list before `setPerson` is called.
   * @throws after 10 s without a session
   */
  private personSoon(): Promise<OutboxUser> {
    return new Promise((resolve, reject) => {
      this.awaiting.push(resolve)
      this.platform.after(ARRIVAL_MS, () => reject(new Error('no session')))
    })
  }

  private serverNow = () => this.platform.now() + this.platform.clockOffsetMs()

  /** Fetches and stores the attendance list of a course. @throws ApiError, NoResponseError */
  load = (courseId: number): Promise<void> => this.fetch(courseId, null)

  /** Fetches the attendance list of a course if it has changed since the last time. @throws the same errors */
  refresh = async (courseId: number): Promise<void> => {
    const etag = this.shown.lists[courseId] ? (this.etags.get(courseId) ?? null) : null
    try {
      await this.fetch(courseId, etag)
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 304)) throw error
    }
  }

  private async fetch(courseId: number, etag: string | null): Promise<void> {
    const owner = this.person ?? (await this.personSoon())
    this.revision += 1
    const requested = this.revision
    const known = { etag }
    const response = await this.platform.fetchList(courseId, known)
    if ((this.settledElsewhere.get(courseId) ?? 0) > requested) return await this.fetch(courseId, null)
    this.settledElsewhere.delete(courseId)
    if (response.state !== 'Ok') throw new Error(response.message)
    const fetched = { ...response, fetchedAt: this.serverNow() }
    await this.enqueue(async () => {
      if (this.person?.userId !== owner.userId || (this.fetchedRevision.get(courseId) ?? 0) > requested) return
      this.fetchedRevision.set(courseId, requested)
      const { entries } = this.outbox.entries()
      const own = entries.filter(of => of.userId === owner.userId && of.courseId === courseId)
      const list = retainReferencedNames(this.applySince(fetched, requested), this.shown.lists[courseId], own)
      this.showList(list)
      this.etags.set(courseId, known.etag)
      await this.write(await this.sealList(owner.userId, list), [], [courseId])
    })
    this.platform.tell('lists')
  }

  /** Fetches and stores the instructor's courses. @throws ApiError, NoResponseError */
  loadCourses = async (): Promise<Course[]> => {
    const owner = this.person ?? (await this.personSoon())
    const fetchedAt = this.serverNow()
    const courses = await this.platform.fetchCourses()
    if (this.person?.userId !== owner.userId) return []
    this.show({ courses, coursesFetchedAt: fetchedAt })
    const row = await this.seal(`${owner.userId}/courses`, { courses, fetchedAt }, null)
    // Without a working database, the courses are available only until the page is closed.
    await this.outbox.settle(row, []).catch(() => undefined)
    // If deleting expired lists fails, it is retried after the next fetch.
    await this.dropExpired().catch(() => undefined)
    return courses
  }

  /**
   * Sets the user whose lists are shown. If there is none, names are deleted from the page and the device; entries
   * never are.
   */
  setPerson = async (next: OutboxUser | null): Promise<void> => {
    if (this.person?.userId !== next?.userId || !next) {
      this.show(NO_LISTS)
      this.fetchedRevision.clear()
      this.etags.clear()
      this.unwritten.clear()
    }
    this.person = next
    if (next) for (const resolve of this.awaiting.splice(0)) resolve(next)
    this.recalled = { isTried: false, isDone: false }
    await this.enqueue(async () => {
      // If Web Crypto is unavailable, names are not stored on the device.
      this.encryptor = next && (await this.platform.createEncryptor(next).catch(() => null))
      await this.platform.sessions.enter(this.encryptor?.sessionId ?? null)
      await this.readStored().catch(this.readLater)
      this.recalled.isTried = true
      await this.applyConfirmed()
    })
  }

  /** Reads the lists that another page has stored. */
  recall = (): Promise<void> => this.enqueue(async () => (this.person ? this.readStored() : undefined))

  /** Deletes expired lists from the page and the device, provided that the server time is verified. */
  dropExpired = async (): Promise<void> => {
    const now = this.platform.verifiedServerNow()
    if (now === null) return
    await removeExpiredAttendanceLists(this.outbox, now)
    const needed = attendanceListKeysInUse(this.outbox.entries())
    const isNeeded = ({ courseId }: StoredAttendanceList) =>
      needed.has(attendanceListKey(this.person?.userId ?? 0, courseId))
    const current = Object.values(this.shown.lists)
    const remaining = current.filter(list => attendanceListExpiryMs(list) > now || isNeeded(list))
    if (remaining.length === current.length) return
    this.show({ lists: Object.fromEntries(remaining.map(list => [list.courseId, list])) })
  }
}
