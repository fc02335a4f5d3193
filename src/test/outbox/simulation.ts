import { listedMark } from '#features/attendance/outbox/list-rows.ts'
import { createLists } from '#features/attendance/outbox/lists.ts'
import { createOutbox } from '#features/attendance/outbox/outbox.ts'
import type { OutboxView } from '#features/attendance/outbox/records.ts'
import {
  entryKey,
  isToDecide,
  isUnsent,
  markOfTick,
  type OutboxEntry,
  readEntry,
  tickOf,
} from '#features/attendance/outbox/records.ts'
import { judgeSafety, waitingByCourse } from '#features/attendance/outbox/safety.ts'
import { sendEntryThrough } from '#features/attendance/outbox/send.ts'
import type { Person, World } from '#features/attendance/outbox/world.ts'
import { ApiError, NoAnswerError } from '#lib/api-error.ts'
import type { Call } from '#lib/call.ts'
import type { Sealer } from '#lib/seal.ts'
import { Clock, START_MS, Violation } from './clock.ts'
import { Disk, named, Runtime } from './disk.ts'
import {
  type Act,
  COURSE,
  PEOPLE,
  type Plan,
  planOf,
  type Random,
  randomOf,
  USERS,
  type Weather,
  WORK_MS,
} from './plan.ts'
import { Service } from './service.ts'

/*
 * Two phones, two instructors, the service and everything between them, in one process without a real clock: every wait is a
 * timer of the simulation, every chance comes from the seed. The outbox, its lists and the judgement of a change are the
 * product's own; disk, network, browser and service are made up.
 */

/** One tap and what became of it. */
type Tap = {
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

type Page = {
  runtime: Runtime
  /** when it was opened, or thawed last */
  since: number
  outbox: ReturnType<typeof createOutbox>
  lists: ReturnType<typeof createLists>
  user: number
}

class Phone {
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
}

export class Simulation {
  private clock = new Clock()
  private service = new Service(this.clock)
  private random: Random
  private phones: Phone[]
  private taps: Tap[] = []
  private violation: Violation | null = null
  private made = 0
  private sends: { at: number; changeId: string; runtime: Runtime }[] = []
  readonly trace: string[] = []

  constructor(seed: number) {
    this.random = randomOf(seed ^ 0x5eed)
    this.phones = [0, 1].map(() => new Phone(new Disk(this.clock, this.random)))
    // Some people block the small storage; they have one tab here.
    if (this.random.next() < 0.15) for (const phone of this.phones) phone.hasNotes = false
  }

  private note(text: string): void {
    this.trace.push(`${((this.clock.now - START_MS) / 1000).toFixed(2)} ${text}`)
  }

  private fail(text: string): void {
    this.violation ??= new Violation(text)
    this.note(`VIOLATION ${text}`)
  }

  /** The network of a phone: what becomes of one call. */
  private async exchange<T>(phone: Phone, runtime: Runtime, ask: () => T): Promise<T> {
    const pause = (low: number, high: number) =>
      new Promise<void>(resolve => this.clock.after(this.random.between(low, high), () => runtime.run(resolve)))
    const weather =
      phone.weather === 'stormy'
        ? this.random.pick(['fine', 'gone', 'cut', 'half', 'html', 'foreign', 'busy'] as const)
        : phone.weather
    await pause(2, 120)
    if (weather === 'gone') throw new NoAnswerError('gone')
    if (weather === 'html') throw new NoAnswerError('html')
    if (weather === 'busy') throw new ApiError(this.random.pick([429, 500, 503]), 'busy', 3)
    if (weather === 'foreign') return {} as T
    const answer = ask()
    phone.notes.set('offset', String(this.clock.now - (this.clock.now + phone.skewMs)))
    if (weather === 'cut') {
      await pause(2, 20_000)
      throw new NoAnswerError('cut')
    }
    if (weather === 'half') throw new NoAnswerError('half')
    await pause(2, 400)
    return answer
  }

  private callOf(phone: Phone, runtime: Runtime, onLost: (token: string) => void): Call {
    const service = this.service
    return (async (endpoint: { path: string }, { token, body }: { token: string; body: Record<string, unknown> }) => {
      try {
        return await this.exchange(phone, runtime, () => {
          if (!service.sessions.has(token)) throw new ApiError(401, 'session')
          if (endpoint.path.endsWith('/participatingcomplete')) {
            service.isComplete = body.isCompleted === true
            return { ...body, state: 'Ok', message: '' }
          }
          if (endpoint.path.endsWith('/guest')) return service.note(body)
          this.sends.push({ at: this.clock.now, changeId: String(body.changeId), runtime })
          return service.change(token, body)
        })
      } catch (error) {
        if (error instanceof Violation) this.fail(error.message)
        if (error instanceof ApiError && error.status === 401) onLost(token)
        throw error
      }
    }) as unknown as Call
  }

  private worldOf(phone: Phone, runtime: Runtime, isWorker: boolean, onLost: (token: string) => void): World {
    const { clock, random } = this
    return {
      now: () => clock.now + phone.skewMs,
      clockOffsetMs: () => Number(phone.notes.get('offset') ?? 0),
      random: random.next,
      language: () => 'de',
      newId: () => {
        this.made += 1
        return `00000000-0000-4000-8000-${String(this.made).padStart(12, '0')}`
      },
      after: (ms, act) => clock.after(ms, () => runtime.run(act)),
      openDatabase: onLost => phone.disk.open(runtime, onLost),
      notes:
        isWorker || !phone.hasNotes
          ? null
          : {
              getItem: key => phone.notes.get(key) ?? null,
              setItem: (key, value) => void phone.notes.set(key, value),
            },
      send: sendEntryThrough(this.callOf(phone, runtime, onLost)),
      locks: {
        request: (_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<unknown>) =>
          this.underLock(phone, runtime, signal, work),
      } as unknown as World['locks'] & object,
      tell: message => {
        for (const { runtime: other, outbox, lists } of phone.pages) {
          if (other === runtime) continue
          clock.after(random.between(1, 8), () =>
            other.run(() => {
              if (message === 'lists') lists.recall().catch(() => undefined)
              outbox.refresh()
            }),
          )
        }
      },
      askWorker: () => {
        phone.isSyncAsked = true
      },
    }
  }

  private underLock(phone: Phone, runtime: Runtime, signal: AbortSignal, work: () => Promise<unknown>) {
    return new Promise((resolve, reject) => {
      const take = () => {
        if (signal.aborted || runtime.isDead) return giveOn()
        phone.locked = true
        work().then(resolve, reject).finally(giveOn)
      }
      const giveOn = () => {
        phone.locked = false
        phone.waitingForLock.shift()?.()
      }
      signal.addEventListener('abort', () => reject(named('AbortError')))
      if (phone.locked) phone.waitingForLock.push(take)
      else take()
    })
  }

  /** A token stands for the key: what another session sealed cannot be opened. */
  private sealerOf = ({ token }: Person): Sealer => ({
    sessionId: token,
    seal: async (key, value, expiresAt) => {
      const data = new TextEncoder().encode(JSON.stringify({ key, token, value })).buffer
      return { kind: 'sealed', sessionId: token, expiresAt, iv: new Uint8Array(12), data: data as ArrayBuffer }
    },
    open: async (key, { data }) => {
      const inside = JSON.parse(new TextDecoder().decode(data))
      if (inside.key !== key || inside.token !== token) throw named('OperationError')
      return inside.value
    },
  })

  private openPage(phone: Phone): Page {
    const runtime = new Runtime()
    const onLost = (token: string) => {
      if (phone.token !== token) return
      phone.token = null
      phone.user = 0
      for (const page of phone.pages) page.runtime.run(() => this.follow(phone, page))
    }
    const world = this.worldOf(phone, runtime, false, onLost)
    const outbox = createOutbox(world)
    const lists = createLists(
      {
        now: world.now,
        clockOffsetMs: world.clockOffsetMs,
        tell: world.tell,
        after: world.after,
        fetchList: () => this.exchange(phone, runtime, () => this.service.list()),
        fetchCourses: async () => [],
        createSealer: async person => this.sealerOf(person),
        sessions: { enter: async () => undefined, list: async () => new Set() },
      },
      outbox,
    )
    const page: Page = { runtime, since: this.clock.now, outbox, lists, user: 0 }
    outbox.subscribe(view => this.look(phone, page, view))
    lists.subscribe(() => this.lookAtList(phone, page, outbox.entries()))
    phone.pages.push(page)
    this.follow(phone, page)
    return page
  }

  private async follow(phone: Phone, page: Page): Promise<void> {
    const { token, user } = phone
    page.user = user
    const person: Person | null = token === null ? null : { userId: user, token, language: 'de', isKept: true }
    await page.outbox.setPerson(person)
    await page.lists.setPerson(person)
    if (!person) return
    page.outbox.flush()
    page.lists.load(COURSE).catch(() => undefined)
  }

  /** What a page says is held against what is true. */
  private look(phone: Phone, page: Page, view: OutboxView): void {
    if (page.runtime.isDead) return
    const shown = new Map(view.entries.map(entry => [entry.changeId, entry]))
    for (const tap of this.taps) {
      if (tap.phone !== phone || !shown.has(tap.entry.changeId)) continue
      if (!view.saving.has(tap.entry.changeId) && !view.unstored.has(tap.entry.changeId)) tap.isAcknowledged = true
    }
    this.lookAtList(phone, page, view)
    if (page.user === 0) this.lookWithoutSession(phone, page, view)
    else if (judgeSafety(view, page.user)[0]?.kind === 'allSafe') this.lookWhenAllIsSafe(phone, page)
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
  private lookAtList(phone: Phone, page: Page, view: OutboxView): void {
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
      if (!row || listedMark(row) === markOfTick(entry)) tap.wrongSince = 0
      else if (tap.wrongSince === 0) tap.wrongSince = this.clock.now
      // Another tab's word may take a moment.
      else if (this.clock.now - tap.wrongSince > 3_000) this.fail(`the list took ${tap.key} back`)
    }
  }

  /** Nobody is logged in: whatever has not arrived is named. */
  private lookWithoutSession(phone: Phone, page: Page, view: OutboxView): void {
    if (!view.isRead || this.clock.now - page.since < 3_000) return
    const named = new Set(waitingByCourse(view, 0).map(({ entry }) => entry.courseId))
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

  private alive = (phone: Phone) => phone.pages.filter(({ runtime }) => !runtime.isDead)
  private front = (phone: Phone) => this.alive(phone).find(({ runtime }) => !runtime.isFrozen)

  private isDurable({ phone, key, entry }: Tap): boolean {
    const row = phone.disk.data?.entries.get(key)
    const inNote = phone.hasNotes && (phone.notes.get('AttendanceUnsent') ?? '').includes(entry.changeId)
    const inPage = this.alive(phone).some(({ outbox }) =>
      outbox.entries().entries.some(({ changeId }) => changeId === entry.changeId),
    )
    return inNote || inPage || (row?.includes(entry.changeId) ?? false)
  }

  /** What only a dead page or a lost disk had is gone; it may not have been called stored without a reason. */
  private excuseWhatIsGone(phone: Phone): void {
    for (const tap of this.lastTaps(phone)) {
      if (this.isSettled(tap) || tap.isExcused || this.isDurable(tap)) continue
      if (tap.isAcknowledged && !tap.isRobbed) this.fail(`${tap.key} was called stored and was not`)
      tap.isExcused = true
    }
  }

  private kill(phone: Phone, page: Page): void {
    page.runtime.isDead = true
    phone.pages = phone.pages.filter(other => other !== page)
    // The browser gives the locks of a dead page on.
    phone.locked = false
    phone.waitingForLock.shift()?.()
    this.excuseWhatIsGone(phone)
  }

  private rob(phone: Phone): void {
    for (const tap of this.taps)
      if (tap.phone === phone) Object.assign(tap, { isRobbed: true, robbedAt: this.clock.now })
    this.excuseWhatIsGone(phone)
  }

  private login(phone: Phone, user: number): void {
    phone.token = this.service.login(user)
    phone.user = user
    for (const page of this.alive(phone)) page.runtime.run(() => this.follow(phone, page))
  }

  private tap(phone: Phone, page: Page, changes: Parameters<Page['outbox']['record']>[0]): void {
    if (page.user === 0) return
    const before = new Set(page.outbox.entries().entries.map(({ changeId }) => changeId))
    page.outbox.record(changes).catch(() => undefined)
    this.enlist(phone, page, before)
  }

  private enlist(phone: Phone, page: Page, before: Set<string>): void {
    for (const entry of page.outbox.entries().entries) {
      if (before.has(entry.changeId)) continue
      this.service.byUser.set(entry.changeId, entry.userId)
      this.taps.push({
        ...{ phone, page, at: this.clock.now, user: entry.userId, key: entryKey(entry), entry },
        ...{ isAcknowledged: false, isRobbed: false, robbedAt: 0, wrongSince: 0, isExcused: false },
      })
    }
  }

  private do(act: Act): void {
    this.note(JSON.stringify(act))
    if (act.kind === 'revoke') {
      for (const [token, user] of this.service.sessions) if (user === act.user) this.service.sessions.delete(token)
      return
    }
    if (act.kind === 'colleague') {
      const key = `${act.date}/${act.person}`
      this.service.presence.set(key, { mark: act.mark, changedAt: this.clock.now })
      this.service.standing.delete(key)
      return
    }
    if (act.kind === 'office') {
      this.service.isComplete = act.isCompleted
      return
    }
    this.doOn(this.phones[act.phone] as Phone, act)
  }

  private doOn(phone: Phone, act: Exclude<Act, { kind: 'revoke' | 'colleague' | 'office' }>): void {
    const page = this.front(phone)
    switch (act.kind) {
      case 'network':
        phone.weather = act.weather
        return
      case 'disk':
        phone.disk.health = act.health
        return
      case 'clock':
        phone.skewMs += act.byMs
        return
      case 'lose':
        phone.disk.lose()
        if (act.what === 'everything') phone.notes.clear()
        this.rob(phone)
        return
      case 'damage':
        this.damage(phone, act.how)
        return
      case 'login':
        this.login(phone, act.user)
        return
      case 'worker':
        this.wakeWorker(phone)
        return
      case 'newTab':
        if (phone.hasNotes) this.openPage(phone)
        phone.hadTabs = true
        return
      case 'reopen':
        for (const other of this.alive(phone)) this.kill(phone, other)
        this.openPage(phone)
        return
      case 'thaw':
        for (const other of this.alive(phone).filter(({ runtime }) => runtime.isFrozen)) this.thaw(other)
        return
    }
    if (!page) return
    switch (act.kind) {
      case 'crash':
        this.kill(phone, page)
        return
      case 'freeze':
        page.outbox.release()
        if (phone.disk.isUsedBy(page.runtime)) this.fail('a page was frozen in the middle of a transaction')
        page.runtime.isFrozen = true
        return
      case 'load':
        page.lists.load(COURSE).catch(() => undefined)
        return
      case 'flush':
        page.outbox.flush()
        return
      case 'tap':
      case 'tapAll': {
        const people = act.kind === 'tap' ? [act.person] : PEOPLE
        const tick = (webUserId: number) => ({
          ...{ kind: 'tick' as const, courseId: COURSE, courseDateId: act.date },
          ...{ webUserId, ...tickOf(act.mark) },
        })
        this.tap(phone, page, people.map(tick))
        return
      }
      case 'guest': {
        this.made += 1
        const guestId = `10000000-0000-4000-8000-${String(this.made).padStart(12, '0')}`
        const noted = { courseDateId: act.date, guestId, name: `Guest-${this.made}`, isNoted: true }
        this.tap(phone, page, [{ kind: 'guest', courseId: COURSE, ...noted }])
        return
      }
      case 'complete':
        this.tap(phone, page, [{ kind: 'completion', courseId: COURSE, isCompleted: act.isCompleted }])
        return
      case 'decide': {
        const { entries } = page.outbox.entries()
        const [item] = entries.filter(entry => isToDecide(entry) && entry.userId === page.user)
        if (!item) return
        const before = new Set(entries.map(({ changeId }) => changeId))
        page.outbox[act.decision](item).catch(() => undefined)
        if (act.decision === 'sendAgain') this.enlist(phone, page, before)
        else for (const tap of this.taps) tap.isExcused ||= tap.entry.changeId === item.changeId
      }
    }
  }

  private thaw(page: Page): void {
    const { runtime, outbox } = page
    page.since = this.clock.now
    runtime.thaw()
    outbox.refresh().then(() => outbox.flush())
  }

  private damage({ disk, notes }: Phone, how: 'null' | 'kind' | 'own'): void {
    const entries = disk.data?.entries
    if (!entries) return
    if (how === 'null') entries.set('strange', 'null')
    if (how === 'kind') {
      const [sample] = entries.values()
      entries.set(
        '7/later/1',
        JSON.stringify({ ...JSON.parse(sample ?? '{}'), kind: 'later', state: 'waiting', userId: 7 }),
      )
    }
    const [key] = entries.keys()
    // One that a page or the note still has.
    if (
      how === 'own' &&
      key &&
      (notes.get('AttendanceUnsent') ?? '').includes(
        readEntry(null, JSON.parse(entries.get(key) ?? 'null'))?.entry.changeId ?? '-',
      )
    ) {
      entries.set(key, '{"kind":"tick"}')
    }
  }

  private wakeWorker(phone: Phone): void {
    if (!phone.isSyncAsked) return
    const runtime = new Runtime()
    const outbox = createOutbox(this.worldOf(phone, runtime, true, () => undefined))
    if (this.random.next() < 0.2)
      this.clock.after(this.random.between(1, 500), () => {
        runtime.isDead = true
        phone.locked = false
        phone.waitingForLock.shift()?.()
      })
    outbox
      .sendAsStored()
      .then(result => {
        if (result?.outcome !== 'later') phone.isSyncAsked = false
      })
      .catch(() => undefined)
      .finally(() => outbox.close())
  }

  private checkPace(): void {
    for (const [place, send] of this.sends.entries()) {
      const burst = this.sends
        .slice(place, place + 400)
        .filter(of => of.changeId === send.changeId && of.runtime === send.runtime && of.at - send.at < 1_000)
      if (burst.length > 8) this.fail(`${send.changeId} was sent ${burst.length} times within a second`)
    }
  }

  /** All faults end; everybody logs in where they have been. */
  private async heal(): Promise<void> {
    for (const phone of this.phones) {
      phone.weather = 'fine'
      phone.disk.health = 'ok'
      for (const page of this.alive(phone)) if (page.runtime.isFrozen) this.thaw(page)
    }
    await this.clock.runUntil(this.clock.now + 90_000)
    for (const user of [...USERS, USERS[0] as number]) {
      for (const phone of this.phones) {
        const page = this.front(phone) ?? this.openPage(phone)
        this.login(phone, user)
        this.clock.after(80_000, () => page.lists.load(COURSE).catch(() => undefined))
      }
      await this.clock.runUntil(this.clock.now + 100_000)
      for (const phone of this.phones) this.checkPhone(phone, user)
    }
  }

  private checkPhone(phone: Phone, user: number): void {
    for (const { outbox, lists } of this.alive(phone)) {
      const view = outbox.entries()
      const mine = view.entries.filter(entry => entry.userId === user)
      const stuck = mine.filter(entry => isUnsent(entry) || entry.state === 'confirmed')
      if (stuck.length > 0 || view.saving.size > 0) {
        this.fail(`stuck for ever: ${JSON.stringify(stuck)} saving ${[...view.saving]}`)
      }
      for (const tap of this.lastTaps(phone).filter(of => of.user === user && !of.isExcused)) {
        const isInSight = mine.some(entry => isToDecide(entry) && entryKey(entry) === tap.key)
        if (!this.isSettled(tap) && !isInSight) this.fail(`lost: ${tap.key} ${JSON.stringify(tap.entry)}`)
        if (this.isSettled(tap) && !phone.hadTabs) this.checkNoEarlierStands(tap)
      }
      const list = lists.current().lists[COURSE]
      if (!list) this.fail('no list after all')
      for (const { id, participants, guests = [] } of list?.courseDates ?? []) {
        const shown = guests.map(({ guestId }) => guestId).sort()
        const atServer = [...this.service.guests].filter(([, of]) => of.courseDateId === id).map(([guestId]) => guestId)
        if (shown.join() !== atServer.sort().join()) this.fail(`the list of ${user} shows other guests than there are`)
        for (const person of participants) {
          const atServer = this.service.presence.get(`${id}/${person.id}`)?.mark ?? 'none'
          if (listedMark(person) !== atServer) this.fail(`the list of ${user} shows ${id}/${person.id} as it is not`)
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
    if (isOwn && stands.entry.kind === 'tick' && markOfTick(stands.entry) !== markOfTick(entry)) {
      this.fail(`an earlier tap on ${key} took the place of the last one`)
    }
  }

  async run(plan: Plan): Promise<Violation | null> {
    for (const [place, phone] of this.phones.entries()) {
      this.login(phone, USERS[place] as number)
      this.openPage(phone)
    }
    for (const { at, act } of plan) {
      await this.clock.runUntil(START_MS + at)
      this.do(act)
    }
    await this.clock.runUntil(START_MS + WORK_MS)
    await this.heal()
    this.checkPace()
    return this.violation
  }
}

export type Finding = { seed: number; message: string; plan: Plan; trace: string[] }

async function tryPlan(seed: number, plan: Plan): Promise<{ message: string; trace: string[] } | null> {
  const simulation = new Simulation(seed)
  const violation = await simulation.run(plan).catch(error => new Violation(String(error?.stack ?? error)))
  return violation && { message: violation.message, trace: simulation.trace }
}

/** Runs the schedule of a seed. @returns what went wrong with the fewest acts that still show it, or null */
export async function simulate(seed: number): Promise<Finding | null> {
  let plan = planOf(seed)
  let found = await tryPlan(seed, plan)
  if (!found) return null
  for (let size = Math.ceil(plan.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < plan.length; ) {
      const fewer = [...plan.slice(0, start), ...plan.slice(start + size)]
      const still = await tryPlan(seed, fewer)
      if (still) {
        plan = fewer
        found = still
      } else start += size
    }
  }
  return { seed, plan, ...found }
}
