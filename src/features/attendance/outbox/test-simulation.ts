import type { CourseDates } from '#contract/attendance.ts'
import { ApiError, NoAnswerError } from '#lib/api-error.ts'
import type { Call } from '#lib/call.ts'
import { judgeChange } from '#server/features/attendance/rules.ts'
import type { OutboxDatabase, Sender } from './database.ts'
import { createLists } from './lists.ts'
import { createOutbox, type OutboxView } from './outbox.ts'
import { doneAtOf, entryKey, isToDecide, isUnsent, type OutboxEntry, readEntry } from './records.ts'
import { judgeSafety } from './safety.ts'
import type { Sealer } from './seal.ts'
import { sendEntryThrough } from './send.ts'
import type { Person, World } from './world.ts'

/*
 * Two phones, two instructors, the service and everything between them, in one process without a real clock: every wait is a
 * timer of the simulation, every chance comes from the seed. The outbox, its lists and the judgement of a change are the
 * product's own; disk, network, browser and service are made up.
 */

const COURSE = 1
const DATES = [11, 12]
const PEOPLE = [100, 101, 102]
const USERS = [7, 8]
const START_MS = Date.parse('2026-11-21T17:00:00Z')
const WORK_MS = 150_000

export type Act =
  | { kind: 'tap'; phone: number; date: number; person: number; isPresent: boolean }
  | { kind: 'tapAll'; phone: number; date: number; isPresent: boolean }
  | { kind: 'complete'; phone: number; isCompleted: boolean }
  | { kind: 'decide'; phone: number; decision: 'discard' | 'sendAgain' }
  | { kind: 'network'; phone: number; weather: Weather }
  | { kind: 'disk'; phone: number; health: DiskHealth }
  | { kind: 'lose'; phone: number; what: 'database' | 'everything' }
  | { kind: 'damage'; phone: number; how: 'null' | 'kind' | 'own' }
  | { kind: 'crash' | 'reopen' | 'newTab' | 'freeze' | 'thaw' | 'worker' | 'load' | 'flush'; phone: number }
  | { kind: 'clock'; phone: number; byMs: number }
  | { kind: 'revoke'; user: number }
  | { kind: 'login'; phone: number; user: number }
  | { kind: 'colleague'; date: number; person: number; isPresent: boolean }
  | { kind: 'office'; isCompleted: boolean }
export type Plan = { at: number; act: Act }[]

type Weather = 'fine' | 'gone' | 'cut' | 'half' | 'html' | 'foreign' | 'busy' | 'stormy'
type DiskHealth = 'ok' | 'slow' | 'hangs' | 'fails' | 'full' | 'dies' | 'shaky'

export class Violation extends Error {
  override name = 'Violation'
}

/** Random numbers of a seed (mulberry32). */
export function randomOf(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
  return { next, pick, between: (low: number, high: number) => low + next() * (high - low) }
}
type Random = ReturnType<typeof randomOf>

/** What happens to the phones of a seed, and when. */
export function planOf(seed: number): Plan {
  const { next, pick, between } = randomOf(seed)
  const phone = () => (next() < 0.7 ? 0 : 1)
  const isPresent = () => next() < 0.5
  const acts: [number, () => Act][] = [
    [14, () => ({ kind: 'tap', phone: phone(), date: pick(DATES), person: pick(PEOPLE), isPresent: isPresent() })],
    [2, () => ({ kind: 'tapAll', phone: phone(), date: pick(DATES), isPresent: isPresent() })],
    [1, () => ({ kind: 'complete', phone: phone(), isCompleted: isPresent() })],
    [2, () => ({ kind: 'decide', phone: phone(), decision: pick(['discard', 'sendAgain']) })],
    [
      5,
      () => ({
        kind: 'network',
        phone: phone(),
        weather: pick(['fine', 'gone', 'gone', 'cut', 'half', 'html', 'foreign', 'busy', 'stormy']),
      }),
    ],
    [
      3,
      () => ({
        kind: 'disk',
        phone: phone(),
        health: pick(['ok', 'ok', 'slow', 'hangs', 'fails', 'full', 'dies', 'shaky']),
      }),
    ],
    [1, () => ({ kind: 'lose', phone: phone(), what: pick(['database', 'database', 'everything']) })],
    [1, () => ({ kind: 'damage', phone: phone(), how: pick(['null', 'kind', 'own']) })],
    [
      6,
      () => ({
        kind: pick(['crash', 'reopen', 'newTab', 'freeze', 'thaw', 'worker', 'load', 'flush'] as const),
        phone: phone(),
      }),
    ],
    [1, () => ({ kind: 'clock', phone: phone(), byMs: pick([-1, 1]) * pick([600_000, 86_400_000, 3.15e11]) })],
    [0.7, () => ({ kind: 'revoke', user: pick(USERS) })],
    [0.7, () => ({ kind: 'login', phone: phone(), user: pick(USERS) })],
    [2, () => ({ kind: 'colleague', date: pick(DATES), person: pick(PEOPLE), isPresent: isPresent() })],
    [0.5, () => ({ kind: 'office', isCompleted: isPresent() })],
  ]
  const total = acts.reduce((sum, [weight]) => sum + weight, 0)
  const draw = (): Act => {
    let left = next() * total
    const [, make] = acts.find(([weight]) => {
      left -= weight
      return left < 0
    }) as (typeof acts)[number]
    return make()
  }
  const count = Math.floor(between(6, 34))
  return Array.from({ length: count }, () => ({ at: between(0, WORK_MS), act: draw() })).sort((a, b) => a.at - b.at)
}

/** Time that passes only when nothing else happens. */
class Clock {
  now = START_MS
  private turn = 0
  private timers: { at: number; turn: number; act: () => void }[] = []

  after(ms: number, act: () => void): () => void {
    this.turn += 1
    const timer = { at: this.now + ms, turn: this.turn, act }
    this.timers.push(timer)
    return () => {
      const place = this.timers.indexOf(timer)
      if (place >= 0) this.timers.splice(place, 1)
    }
  }

  /** Lets time pass until then, one event after another. */
  async runUntil(until: number): Promise<void> {
    for (;;) {
      await settle()
      let first: (typeof this.timers)[number] | undefined
      for (const timer of this.timers) {
        if (!first || timer.at < first.at || (timer.at === first.at && timer.turn < first.turn)) first = timer
      }
      if (!first || first.at > until) break
      this.timers.splice(this.timers.indexOf(first), 1)
      this.now = Math.max(this.now, first.at)
      first.act()
    }
    this.now = until
  }
}

/** Whatever follows without waiting for anything outside. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await Promise.resolve()
}

/** The service as its contract says, with the product's own judgement. */
class Service {
  isComplete = false
  sessions = new Map<string, number>()
  presence = new Map<string, { isPresent: boolean; changedAt: number }>()
  /** what became of each change: `taken` it stood at some time, `late` something else stood */
  taken = new Map<string, 'taken' | 'late'>()
  refused = new Set<string>()
  byUser = new Map<string, number>()
  private clock: Clock

  constructor(clock: Clock) {
    this.clock = clock
  }

  login(user: number): string {
    const token = `token-${user}-${this.sessions.size}`
    this.sessions.set(token, user)
    return token
  }

  change(token: string, body: { [field: string]: unknown }): object {
    const { changeId, courseDateId, webUserId, changeState, changedAt } = body as Record<string, string>
    const id = String(changeId)
    const owner = this.byUser.get(id)
    const user = this.sessions.get(token)
    if (owner !== undefined && owner !== user) throw new Violation(`change ${id} of ${owner} was sent as ${user}`)
    const verdict = judgeChange({ isKnown: this.taken.has(id), isComplete: this.isComplete, standing: 'confirmed' })
    if (verdict !== 'recorded' && verdict !== 'known') {
      this.refused.add(id)
      return { ...body, status: 'Failed', message: verdict }
    }
    const key = `${courseDateId}/${webUserId}`
    const isPresent = changeState === 'added'
    if (verdict === 'recorded') {
      const at = Math.min(Date.parse(String(changedAt)), this.clock.now)
      const before = this.presence.get(key)
      const isNewer = !before || before.changedAt <= at
      if (isNewer) this.presence.set(key, { isPresent, changedAt: at })
      this.taken.set(id, isNewer || before?.isPresent === isPresent ? 'taken' : 'late')
    }
    const standing = this.presence.get(key)?.isPresent
    // Asked again when somebody has set the same meanwhile.
    if (standing === isPresent) this.taken.set(id, 'taken')
    return {
      ...body,
      status: 'Ok',
      message: '',
      ...(standing !== undefined && standing !== isPresent ? { isUserPresent: standing } : {}),
    }
  }

  list(): CourseDates {
    const on = (id: number) =>
      PEOPLE.map(person => ({
        id: person,
        name: `Name-${person}`,
        isUserPresent: this.presence.get(`${id}/${person}`)?.isPresent ?? false,
        participation: 0,
      }))
    const day = (id: number) => ({ year: 2026, month: 11, day: id + 10, hour: 18, minute: 0, second: 0 })
    return {
      courseId: COURSE,
      participants: on(11),
      courseDates: DATES.map(id => ({ id, date: day(id), participants: on(id) })),
      preSelectCourseDateId: 11,
      participatingComplete: this.isComplete,
      message: '',
      state: 'Ok',
    }
  }
}

type Data = { generation: string; entries: Map<string, string>; kept: Map<string, unknown>; sender: string | null }

const named = (name: string) => Object.assign(new Error(name), { name })

/** A page or a worker of a phone: what it started goes nowhere once it is dead, and waits while it is frozen. */
class Runtime {
  isDead = false
  isFrozen = false
  private held: (() => void)[] = []
  run(act: () => void): void {
    if (this.isDead) return
    if (this.isFrozen) this.held.push(act)
    else act()
  }
  thaw(): void {
    this.isFrozen = false
    for (const act of this.held.splice(0)) this.run(act)
  }
}

type Operation = { runtime: Runtime; isAborted: boolean; isDone: boolean; reject: (error: Error) => void }

/** A phone's IndexedDB: every step may be slow, hang, fail, or be cut off before or after it counts. */
class Disk {
  health: DiskHealth = 'ok'
  data: Data | null = null
  private onLost: (() => void)[] = []
  private made = 0
  private under: Operation[] = []
  private clock: Clock
  private random: Random

  constructor(clock: Clock, random: Random) {
    this.clock = clock
    this.random = random
  }

  private current(): Data {
    this.made += this.data ? 0 : 1
    this.data ??= { generation: `made-${this.made}`, entries: new Map(), kept: new Map(), sender: null }
    return this.data
  }

  /** WebKit: a transaction of a frozen page holds up everybody. */
  private isHeldUp = () => this.under.some(({ runtime, isDone }) => runtime.isFrozen && !runtime.isDead && !isDone)

  private step<T>(runtime: Runtime, isWrite: boolean, isOpen: () => boolean, apply: () => T, mine: Set<Operation>) {
    return new Promise<T>((resolve, reject) => {
      const operation: Operation = { runtime, isAborted: false, isDone: false, reject }
      this.under.push(operation)
      mine.add(operation)
      const end = (act: () => void) => {
        operation.isDone = true
        mine.delete(operation)
        this.under = this.under.filter(other => other !== operation)
        this.clock.after(this.random.between(0, 4), () => runtime.run(act))
      }
      if (!isOpen()) return end(() => reject(named('InvalidStateError')))
      const health =
        this.health === 'shaky' ? this.random.pick(['ok', 'ok', 'slow', 'fails', 'dies'] as const) : this.health
      if (health === 'hangs' || this.isHeldUpBut(operation)) return
      if (health === 'fails') return end(() => reject(named('UnknownError')))
      if (health === 'full' && isWrite) return end(() => reject(named('QuotaExceededError')))
      if (health === 'dies') return end(() => reject(named('InvalidStateError')))
      const wait = health === 'slow' ? this.random.between(1_500, 9_000) : this.random.between(0, 12)
      this.clock.after(wait, () => {
        // A commit that was asked for already counts, whoever closed, aborted or died meanwhile.
        const isTooLate = this.random.next() < 0.5
        if ((operation.isAborted || runtime.isDead || runtime.isFrozen) && !isTooLate)
          return end(() => reject(named('AbortError')))
        if (!isOpen()) return end(() => reject(named('InvalidStateError')))
        const result = apply()
        end(() => (operation.isAborted ? reject(named('AbortError')) : resolve(result)))
      })
    })
  }
  private isHeldUpBut = (operation: Operation) => this.isHeldUp() && !operation.runtime.isFrozen

  /** Takes the database away; some browsers tell, some do not. */
  lose(): void {
    this.data = null
    for (const tell of this.onLost.splice(0))
      if (this.random.next() < 0.6) this.clock.after(this.random.between(1, 50), tell)
  }

  async open(runtime: Runtime, onLost: () => void): Promise<OutboxDatabase> {
    const mine = new Set<Operation>()
    const opened = await this.step(
      runtime,
      false,
      () => true,
      () => this.current(),
      mine,
    )
    this.onLost.push(() => runtime.run(onLost))
    let isClosed = false
    const isOpen = () => !isClosed && this.data === opened
    const parsed = (key: string) => {
      const row = opened.entries.get(key)
      return row === undefined ? null : readEntry(key, JSON.parse(row))
    }
    const read = <T>(apply: () => T) => this.step(runtime, false, isOpen, apply, mine)
    const write = (apply: () => void) => this.step<void>(runtime, true, isOpen, apply, mine)
    const ifSame = (entry: OutboxEntry, act: (key: string) => void) => {
      const key = entryKey(entry)
      if (parsed(key)?.changeId === entry.changeId) act(key)
    }
    return {
      list: () =>
        read(() => ({
          generation: opened.generation,
          rows: [...opened.entries].map(([key, value]) => ({ key, value: JSON.parse(value) })),
        })),
      put: (entries, sender = null) =>
        write(() => {
          for (const entry of entries) {
            const key = entryKey(entry)
            const before = parsed(key)
            if (!before || doneAtOf(before) <= doneAtOf(entry)) opened.entries.set(key, JSON.stringify(entry))
          }
          if (sender) opened.sender = JSON.stringify(sender)
        }),
      replace: entry => write(() => ifSame(entry, key => opened.entries.set(key, JSON.stringify(entry)))),
      remove: entry => write(() => ifSame(entry, key => opened.entries.delete(key))),
      removeRow: key => write(() => opened.entries.delete(key)),
      readSender: () => read(() => (opened.sender === null ? null : (JSON.parse(opened.sender) as Sender))),
      releaseSender: (isLost = false) =>
        write(() => {
          const { userId } = JSON.parse(opened.sender ?? '{}') as Partial<Sender>
          const waits = [...opened.entries.keys()].some(key => {
            const entry = parsed(key)
            return entry !== null && entry.userId === userId && isUnsent(entry)
          })
          if (isLost || !waits) opened.sender = null
        }),
      listKept: () => read(() => [...opened.kept].map(([key, value]) => ({ key, value }))),
      writeKept: (changes, settled = []) =>
        write(() => {
          for (const [key, value] of Object.entries(changes)) {
            if (value === null) opened.kept.delete(key)
            else opened.kept.set(key, value)
          }
          for (const entry of settled) ifSame(entry, key => opened.entries.delete(key))
        }),
      close: () => {
        isClosed = true
        for (const operation of mine) {
          operation.isAborted = true
          if (!this.isHeldUpBut(operation)) continue
        }
        for (const operation of [...mine]) {
          operation.isDone = true
          this.under = this.under.filter(other => other !== operation)
        }
      },
    }
  }
}

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
    seal: async (key, value, expiresAt) => {
      const data = new TextEncoder().encode(JSON.stringify({ key, token, value })).buffer
      return { kind: 'sealed', expiresAt, iv: new Uint8Array(12), data: data as ArrayBuffer }
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
        tell: world.tell,
        fetchList: () => this.exchange(phone, runtime, () => this.service.list()),
        fetchCourses: async () => [],
        createSealer: async person => this.sealerOf(person),
      },
      outbox,
    )
    const page: Page = { runtime, since: this.clock.now, outbox, lists, user: 0 }
    outbox.subscribe(view => this.look(phone, page, view))
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
    if (page.user === 0 || judgeSafety(view, page.user)[0]?.kind !== 'allSafe') return
    for (const tap of this.lastTaps(phone)) {
      // The word of a tap is a moment under way to the other pages.
      if (tap.page !== page && this.clock.now - Math.max(tap.at, tap.robbedAt, page.since) < 3_000) continue
      if (tap.user === page.user && !this.isSettled(tap) && !tap.isExcused) {
        this.fail(`"all safe" was shown, but ${tap.key} (${tap.entry.changeId}) has not arrived`)
      }
    }
  }

  private lastTaps(phone: Phone): Tap[] {
    const last = new Map<string, Tap>()
    for (const tap of this.taps) if (tap.phone === phone) last.set(`${tap.user} ${tap.key}`, tap)
    return [...last.values()]
  }

  private isSettled({ entry }: Tap): boolean {
    if (entry.kind === 'completion') return true
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
        ...{ isAcknowledged: false, isRobbed: false, robbedAt: 0, isExcused: false },
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
      this.service.presence.set(key, { isPresent: act.isPresent, changedAt: this.clock.now })
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
          ...{ webUserId, isPresent: act.isPresent },
        })
        this.tap(phone, page, people.map(tick))
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
        readEntry(null, JSON.parse(entries.get(key) ?? 'null'))?.changeId ?? '-',
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
      }
      const list = lists.kept().lists[COURSE]
      if (!list) this.fail('no list after all')
      for (const { id, participants } of list?.courseDates ?? []) {
        for (const person of participants) {
          const atServer = this.service.presence.get(`${id}/${person.id}`)?.isPresent ?? false
          if (person.isUserPresent !== atServer) this.fail(`the list of ${user} shows ${id}/${person.id} as it is not`)
        }
      }
    }
    for (const key of phone.disk.data?.kept.keys() ?? []) {
      if (!key.startsWith(`${user}/`)) this.fail(`names of another person stayed: ${key}`)
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
