import { markOfParticipant } from '#features/attendance/outbox/list-rows.ts'
import {
  countWaitingByCourse,
  entryKey,
  isUnsent,
  markOfEntry,
  needsDecision,
  type OutboxView,
  outboxStatusMessages,
} from '#features/attendance/outbox/records.ts'
import { type Clock, START_MS } from './clock.ts'
import type { Runtime } from './disk.ts'
import type { Page, Phone, Tap } from './phone.ts'
import { COURSE } from './plan.ts'
import type { Service } from './service.ts'
import type { Wires } from './wires.ts'

/** Holds what the phones say against what is true. */
export class Judge {
  private clock: Clock
  private service: Service
  private fail: (text: string) => void
  readonly taps: Tap[] = []

  constructor({ clock, service }: { clock: Clock; service: Service }, fail: (text: string) => void) {
    this.clock = clock
    this.service = service
    this.fail = fail
  }

  /** What a page says is held against what is true. */
  look(phone: Phone, page: Page, view: OutboxView): void {
    if (page.runtime.isDead) return
    const shown = new Map(view.entries.map(entry => [entry.changeId, entry]))
    for (const tap of this.taps) {
      if (tap.phone !== phone || !shown.has(tap.entry.changeId)) continue
      if (!view.saving.has(tap.entry.changeId) && !view.unstored.has(tap.entry.changeId)) tap.isAcknowledged = true
    }
    this.lookAtList(phone, page, view)
    if (page.user === 0) this.lookWithoutSession(phone, page, view)
    else if (outboxStatusMessages(view, page.user)[0]?.kind === 'allSafe') this.lookWhenAllIsSafe(phone, page)
  }

  private lookWhenAllIsSafe(phone: Phone, page: Page): void {
    for (const tap of this.lastTaps(phone)) {
      // The word of a tap is a moment under way to the other pages.
      if (tap.page !== page && this.isOnItsWay(tap, page)) continue
      if (tap.user === page.user && !this.isSettled(tap) && !tap.isExcused) {
        this.fail(`"all safe" was shown, but ${tap.key} (${tap.entry.changeId}) has not arrived`)
      }
    }
  }

  /** Pages tell each other of a tap, but not in no time; a frozen one that alone has it cannot. */
  private isOnItsWay(tap: Tap, page: Page): boolean {
    const isMute = tap.isRobbed && tap.page.runtime.isFrozen
    return isMute || this.clock.now - Math.max(tap.at, tap.robbedAt, page.since, tap.page.since) < 3_000
  }

  /** What a page had confirmed stays so in its list, unless somebody else changed it since. */
  lookAtList(phone: Phone, page: Page, view: OutboxView): void {
    // A second tab that has no list takes a confirmed tick out of the outbox before the first one has fetched it.
    if (phone.hadTabs) return
    const dates = page.lists.current().lists[COURSE]?.courseDates
    for (const tap of this.lastTaps(phone)) {
      const { entry } = tap
      const isMine = tap.page === page && tap.user === page.user && entry.kind === 'tick' && !tap.isExcused
      if (!isMine || !dates || !this.isSettled(tap) || view.entries.some(of => entryKey(of) === tap.key)) continue
      if (this.service.standing.get(`${entry.courseDateId}/${entry.webUserId}`) !== entry.changeId) continue
      const day = dates.find(({ id }) => id === entry.courseDateId)
      const row = day?.participants.find(({ id }) => id === entry.webUserId)
      if (!row || markOfParticipant(row) === markOfEntry(entry)) tap.wrongSince = 0
      else if (tap.wrongSince === 0) tap.wrongSince = this.clock.now
      // Another tab's word may take a moment.
      else if (this.clock.now - tap.wrongSince > 3_000) this.fail(`the list took ${tap.key} back`)
    }
  }

  /** Nobody is logged in: whatever has not arrived is named. */
  private lookWithoutSession(phone: Phone, page: Page, view: OutboxView): void {
    if (!view.isRead || this.clock.now - page.since < 3_000) return
    const named = new Set(countWaitingByCourse(view, 0).map(({ entry }) => entry.courseId))
    for (const tap of this.lastTaps(phone)) {
      if (this.isOnItsWay(tap, page) || this.isSettled(tap) || tap.isExcused || named.has(COURSE)) continue
      this.fail(`nobody is logged in, and nothing says that ${tap.key} waits`)
    }
  }

  private lastTaps(phone: Phone): Tap[] {
    const last = new Map<string, Tap>()
    for (const tap of this.taps) if (tap.phone === phone) last.set(`${tap.user} ${tap.key}`, tap)
    return [...last.values()]
  }

  private isSettled({ entry }: Tap): boolean {
    if (entry.kind === 'completion') return true
    if (entry.kind === 'guest') return this.service.guests.has(entry.guestId)
    return this.service.taken.get(entry.changeId) === 'taken'
  }

  private isDurable({ phone, key, entry }: Tap): boolean {
    const row = phone.disk.data?.entries.get(key)
    const inNote = phone.hasNotes && (phone.notes.get('AttendanceUnsent') ?? '').includes(entry.changeId)
    const inPage = phone
      .alive()
      .some(({ outbox }) => outbox.entries().entries.some(({ changeId }) => changeId === entry.changeId))
    return inNote || inPage || (row?.includes(entry.changeId) ?? false)
  }

  /** What only a dead page or a lost disk had is gone; it may not have been called stored without a reason. */
  excuseWhatIsGone(phone: Phone): void {
    for (const tap of this.lastTaps(phone)) {
      if (this.isSettled(tap) || tap.isExcused || this.isDurable(tap)) continue
      if (tap.isAcknowledged && !tap.isRobbed) this.fail(`${tap.key} was called stored and was not`)
      tap.isExcused = true
    }
  }

  /** No session that is still open loses a list before 48 hours have passed, whatever the device clock shows. */
  checkDeletion(phone: Phone, runtime: Runtime, key: string, value: unknown): void {
    const isOpen = (value as { sessionId?: string } | undefined)?.sessionId === phone.token
    const page = phone.pages.find(of => of.runtime === runtime)
    if (!key.includes('/list/') || !isOpen || (page && page.sessionId !== phone.token)) return
    if (this.clock.now - START_MS < 40 * 3_600_000) this.fail(`${key} was deleted before its time`)
  }

  /** Only unconfirmed changes prevent the deletion of expired lists. */
  checkExpired(phone: Phone): void {
    const entries = phone.alive().flatMap(({ outbox }) => outbox.entries().entries)
    const needed = entries.map(({ userId, courseId }) => `${userId}/list/${courseId}`)
    const left = [...(phone.disk.data?.kept.keys() ?? [])].filter(key => key.includes('/list/'))
    for (const key of left) if (!needed.includes(key)) this.fail(`${key} was not deleted in time`)
    const shown = phone
      .alive()
      .flatMap(({ lists, user }) => Object.keys(lists.current().lists).map(id => `${user}/list/${id}`))
    for (const key of shown) if (!needed.includes(key)) this.fail(`${key} is shown after its time`)
  }

  checkPace(sends: Wires['sends']): void {
    for (const [place, send] of sends.entries()) {
      const burst = sends
        .slice(place, place + 400)
        .filter(of => of.changeId === send.changeId && of.runtime === send.runtime && of.at - send.at < 1_000)
      if (burst.length > 8) this.fail(`${send.changeId} was sent ${burst.length} times within a second`)
    }
  }

  checkPhone(phone: Phone, user: number): void {
    for (const { outbox, lists } of phone.alive()) {
      const view = outbox.entries()
      const mine = view.entries.filter(entry => entry.userId === user)
      const stuck = mine.filter(entry => isUnsent(entry) || entry.state === 'confirmed')
      if (stuck.length > 0 || view.saving.size > 0) {
        this.fail(`stuck for ever: ${JSON.stringify(stuck)} saving ${[...view.saving]}`)
      }
      for (const tap of this.lastTaps(phone).filter(of => of.user === user && !of.isExcused)) {
        const isInSight = mine.some(entry => needsDecision(entry) && entryKey(entry) === tap.key)
        if (!this.isSettled(tap) && !isInSight) this.fail(`lost: ${tap.key} ${JSON.stringify(tap.entry)}`)
        if (this.isSettled(tap) && !phone.hadTabs) this.checkNoEarlierStands(tap)
      }
      const list = lists.current().lists[COURSE]
      if (!list) this.fail('no list after all')
      for (const { id, participants, guests = [] } of list?.courseDates ?? []) {
        const shown = guests.map(({ guestId }) => guestId).sort()
        const atServer = [...this.service.guests].filter(([, of]) => of.courseDateId === id).map(([guestId]) => guestId)
        if (shown.join() !== atServer.sort().join()) this.fail(`the list of ${user} shows other guests than there are`)
        const listed = participants.map(person => person.id).sort()
        if (listed.join() !== [...this.service.booked].sort().join())
          this.fail(`the list of ${user} does not follow who books and cancels`)
        for (const person of participants) {
          const atServer = this.service.presence.get(`${id}/${person.id}`)?.mark ?? 'none'
          if (markOfParticipant(person) !== atServer)
            this.fail(`the list of ${user} shows ${id}/${person.id} as it is not`)
        }
      }
    }
    for (const key of phone.disk.data?.kept.keys() ?? []) {
      if (!key.startsWith(`${user}/`)) this.fail(`names of another person stayed: ${key}`)
    }
  }

  /** Whatever the clock of a phone did: its last tap is the one that counts among its own. */
  private checkNoEarlierStands({ phone, user, key, entry }: Tap): void {
    if (entry.kind !== 'tick') return
    const standing = this.service.standing.get(`${entry.courseDateId}/${entry.webUserId}`)
    if (standing === undefined || standing === entry.changeId) return
    const stands = this.taps.find(of => of.entry.changeId === standing)
    const isOwn = stands?.phone === phone && stands.user === user && stands.key === key
    if (isOwn && stands.entry.kind === 'tick' && markOfEntry(stands.entry) !== markOfEntry(entry)) {
      this.fail(`an earlier tap on ${key} took the place of the last one`)
    }
  }
}
