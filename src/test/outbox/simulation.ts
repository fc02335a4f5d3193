import { removeExpiredAttendanceLists } from '#features/attendance/outbox/list-rows.ts'
import { AttendanceLists } from '#features/attendance/outbox/lists.ts'
import { Outbox } from '#features/attendance/outbox/outbox.ts'
import type { OutboxUser } from '#features/attendance/outbox/platform.ts'
import { entryKey, needsDecision, readEntry, toPresenceFields } from '#features/attendance/outbox/records.ts'
import { Clock, START_MS, Violation } from './clock.ts'
import { Disk, Runtime } from './disk.ts'
import { Judge } from './judge.ts'
import { type Page, Phone } from './phone.ts'
import { type Act, COURSE, PEOPLE, PHONES, type Plan, planOf, type Random, randomOf, USERS, WORK_MS } from './plan.ts'
import { Service } from './service.ts'
import { Wires } from './wires.ts'

/*
 * Three phones, two instructors, an office, people who book meanwhile, the service and everything between them, in one process without a real clock: every wait is a
 * timer of the simulation, every chance comes from the seed. The outbox, its lists and the judgement of a change are the
 * product's own; disk, network, browser and service are made up.
 */

/** Names are stored for 48 hours after the lesson, which is over when a schedule starts. */
const LISTS_EXPIRED_MS = 49 * 3_600_000

export class Simulation {
  private clock = new Clock()
  private service = new Service(this.clock)
  private random: Random
  private phones: Phone[]
  private wires: Wires
  private judge: Judge
  private violation: Violation | null = null
  readonly trace: string[] = []

  constructor(seed: number) {
    this.random = randomOf(seed ^ 0x5eed)
    const fail = (text: string) => this.fail(text)
    this.wires = new Wires({ clock: this.clock, random: this.random, service: this.service }, fail)
    this.judge = new Judge({ clock: this.clock, service: this.service }, fail)
    this.phones = Array.from({ length: PHONES }, () => new Phone(new Disk(this.clock, this.random)))
    for (const phone of this.phones)
      phone.disk.onListDeleted = (runtime, key, value) => this.judge.checkDeletion(phone, runtime, key, value)
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

  private openPage(phone: Phone): Page {
    const runtime = new Runtime()
    const onLost = (token: string) => {
      if (phone.token !== token) return
      phone.token = null
      phone.user = 0
      for (const page of phone.pages) page.runtime.run(() => this.follow(phone, page))
    }
    const world = this.wires.worldOf(phone, runtime, false, onLost)
    const outbox = new Outbox(world)
    const lists = new AttendanceLists(
      {
        now: world.now,
        clockOffsetMs: world.clockOffsetMs,
        verifiedServerNow: world.verifiedServerNow,
        tell: world.tell,
        after: world.after,
        fetchList: () => this.wires.exchange(phone, runtime, () => this.service.list()),
        fetchCourses: () => this.wires.exchange(phone, runtime, () => []),
        createEncryptor: async person => this.wires.encryptorOf(person),
        sessions: {
          enter: async sessionId => {
            page.sessionId = sessionId
          },
          list: async () => new Set(phone.alive().flatMap(of => of.sessionId ?? [])),
        },
      },
      outbox,
    )
    const page: Page = { runtime, since: this.clock.now, outbox, lists, user: 0, sessionId: null }
    outbox.subscribe(view => this.judge.look(phone, page, view))
    lists.subscribe(() => this.judge.lookAtList(phone, page, outbox.entries()))
    phone.pages.push(page)
    this.follow(phone, page)
    return page
  }

  private async follow(phone: Phone, page: Page): Promise<void> {
    const { token, user } = phone
    page.user = user
    const person: OutboxUser | null = token === null ? null : { userId: user, token, language: 'de', isKept: true }
    await page.outbox.setPerson(person)
    await page.lists.setPerson(person)
    if (!person) return
    page.outbox.flush()
    page.lists.load(COURSE).catch(() => undefined)
  }

  private kill(phone: Phone, page: Page): void {
    page.runtime.isDead = true
    phone.pages = phone.pages.filter(other => other !== page)
    // The browser gives the locks of a dead page on.
    phone.giveLockOn()
    this.judge.excuseWhatIsGone(phone)
  }

  private rob(phone: Phone): void {
    for (const tap of this.judge.taps)
      if (tap.phone === phone) Object.assign(tap, { isRobbed: true, robbedAt: this.clock.now })
    this.judge.excuseWhatIsGone(phone)
  }

  private login(phone: Phone, user: number): void {
    phone.token = this.service.login(user)
    phone.user = user
    for (const page of phone.alive()) page.runtime.run(() => this.follow(phone, page))
  }

  private tap(phone: Phone, page: Page, changes: Parameters<Page['outbox']['record']>[0], isBulk = false): void {
    if (page.user === 0) return
    const before = new Set(page.outbox.entries().entries.map(({ changeId }) => changeId))
    page.outbox.record(changes).catch(() => undefined)
    this.enlist(phone, page, before, isBulk)
  }

  private enlist(phone: Phone, page: Page, before: Set<string>, isBulk = false): void {
    for (const entry of page.outbox.entries().entries) {
      if (before.has(entry.changeId)) continue
      this.service.byUser.set(entry.changeId, entry.userId)
      this.service.phoneOf.set(entry.changeId, phone)
      if (entry.kind === 'tick' && entry.ifChangeIds) this.service.undone.set(entry.changeId, phone)
      if (isBulk) this.service.bulk.add(entry.changeId)
      this.judge.taps.push({
        phone,
        page,
        at: this.clock.now,
        user: entry.userId,
        key: entryKey(entry),
        entry,
        isAcknowledged: false,
        isRobbed: false,
        robbedAt: 0,
        wrongSince: 0,
        isExcused: false,
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
    if (act.kind === 'book') {
      this.service.book(act.person, act.isBooked)
      return
    }
    this.doOn(this.phones[act.phone] as Phone, act)
  }

  private doOn(phone: Phone, act: Exclude<Act, { kind: 'revoke' | 'colleague' | 'office' | 'book' }>): void {
    const page = phone.front()
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
        for (const other of phone.alive()) this.kill(phone, other)
        this.openPage(phone)
        return
      case 'thaw':
        for (const other of phone.alive().filter(({ runtime }) => runtime.isFrozen)) this.thaw(other)
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
      case 'wake':
        page.lists.dropExpired().catch(() => undefined)
        return
      case 'flush':
        page.outbox.flush()
        return
      case 'tap':
      case 'tapAll': {
        const people = act.kind === 'tap' ? [act.person] : PEOPLE
        const tick = (webUserId: number) => ({
          kind: 'tick' as const,
          courseId: COURSE,
          courseDateId: act.date,
          webUserId,
          ...toPresenceFields(act.mark),
          ...(act.kind === 'tapAll' && { ifUnrecorded: true as const }),
        })
        this.tap(phone, page, people.map(tick), act.kind === 'tapAll')
        return
      }
      case 'undoAll': {
        const own = this.judge.taps.filter(tap => tap.phone === phone && tap.user === page.user)
        const undone = PEOPLE.flatMap(webUserId => {
          const ids = own.flatMap(({ entry }) =>
            entry.kind === 'tick' && entry.webUserId === webUserId && entry.courseDateId === act.date
              ? entry.changeId
              : [],
          )
          const change = { kind: 'tick' as const, courseId: COURSE, courseDateId: act.date, webUserId }
          return ids.length > 0 ? { ...change, ...toPresenceFields('none'), ifChangeIds: ids } : []
        })
        this.tap(phone, page, undone)
        return
      }
      case 'guest': {
        const guestId = this.wires.newId(1)
        const noted = { courseDateId: act.date, guestId, name: `Guest-${guestId.slice(-6)}`, isNoted: true }
        this.tap(phone, page, [{ kind: 'guest', courseId: COURSE, ...noted }])
        return
      }
      case 'complete':
        this.tap(phone, page, [{ kind: 'completion', courseId: COURSE, isCompleted: act.isCompleted }])
        return
      case 'decide': {
        const { entries } = page.outbox.entries()
        const [item] = entries.filter(entry => needsDecision(entry) && entry.userId === page.user)
        if (!item) return
        const before = new Set(entries.map(({ changeId }) => changeId))
        page.outbox[act.decision](item).catch(() => undefined)
        if (act.decision === 'sendAgain') this.enlist(phone, page, before)
        else for (const tap of this.judge.taps) tap.isExcused ||= tap.entry.changeId === item.changeId
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

  /** A started worker deletes expired lists. */
  private async expireLists(phone: Phone): Promise<void> {
    const runtime = new Runtime()
    const world = this.wires.worldOf(phone, runtime, true, () => undefined)
    const outbox = new Outbox(world)
    await this.wires.exchange(phone, runtime, () => null).catch(() => undefined)
    await removeExpiredAttendanceLists(outbox, world.verifiedServerNow()).catch(() => undefined)
    outbox.close()
  }

  private wakeWorker(phone: Phone): void {
    this.expireLists(phone)
    if (!phone.isSyncAsked) return
    const runtime = new Runtime()
    const outbox = new Outbox(this.wires.worldOf(phone, runtime, true, () => undefined))
    if (this.random.next() < 0.2)
      this.clock.after(this.random.between(1, 500), () => {
        runtime.isDead = true
        phone.giveLockOn()
      })
    outbox
      .sendAsStored()
      .then(result => {
        if (result?.outcome !== 'later') phone.isSyncAsked = false
      })
      .catch(() => undefined)
      .finally(() => outbox.close())
  }

  /** All faults end; everybody logs in where they have been. */
  private async heal(): Promise<void> {
    for (const phone of this.phones) {
      phone.weather = 'fine'
      phone.disk.health = 'ok'
      for (const page of phone.alive()) if (page.runtime.isFrozen) this.thaw(page)
    }
    await this.clock.runUntil(this.clock.now + 90_000)
    for (const user of [...USERS, USERS[0] as number]) {
      for (const phone of this.phones) {
        const page = phone.front() ?? this.openPage(phone)
        this.login(phone, user)
        this.clock.after(80_000, () => page.lists.load(COURSE).catch(() => undefined))
      }
      await this.clock.runUntil(this.clock.now + 100_000)
      for (const phone of this.phones) this.judge.checkPhone(phone, user)
    }
    await this.clock.runUntil(this.clock.now + LISTS_EXPIRED_MS)
    for (const phone of this.phones)
      for (const page of phone.alive()) page.runtime.run(() => page.lists.loadCourses().catch(() => undefined))
    await this.clock.runUntil(this.clock.now + 10_000)
    for (const phone of this.phones) this.judge.checkExpired(phone)
  }

  async run(plan: Plan): Promise<Violation | null> {
    for (const [place, phone] of this.phones.entries()) {
      this.login(phone, USERS[place % USERS.length] as number)
      this.openPage(phone)
    }
    for (const { at, act } of plan) {
      await this.clock.runUntil(START_MS + at)
      this.do(act)
    }
    await this.clock.runUntil(START_MS + WORK_MS)
    await this.heal()
    this.judge.checkPace(this.wires.sends)
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
