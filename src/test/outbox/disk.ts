import type { OutboxDatabase, SenderCredentials } from '#features/attendance/outbox/platform.ts'
import { isUnsent, type KeyedEntry, readEntry } from '#features/attendance/outbox/records.ts'
import type { Clock } from './clock.ts'
import type { DiskHealth, Random } from './plan.ts'

export type Data = {
  generation: string
  entries: Map<string, string>
  kept: Map<string, unknown>
  sender: string | null
}

export const named = (name: string) => Object.assign(new Error(name), { name })

/** A page or a worker of a phone: what it started goes nowhere once it is dead, and waits while it is frozen. */
export class Runtime {
  isDead = false
  isFrozen = false
  /** server time proven by the latest response, which arrived at that moment */
  verifiedMs: number | null = null
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

export type Operation = {
  runtime: Runtime
  isOpening: boolean
  isAborted: boolean
  isDone: boolean
  reject: (error: Error) => void
}

/** A phone's IndexedDB: every step may be slow, hang, fail, or be cut off before or after it counts. */
export class Disk {
  health: DiskHealth = 'ok'
  data: Data | null = null
  /** called for each deleted list */
  onListDeleted: (runtime: Runtime, key: string, value: unknown) => void = () => undefined
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

  isUsedBy = (runtime: Runtime) => this.under.some(of => of.runtime === runtime && !of.isDone && !of.isOpening)

  /** WebKit: a transaction of a frozen page holds up everybody. */
  private isHeldUp = () =>
    this.under.some(({ runtime, isDone, isOpening }) => runtime.isFrozen && !runtime.isDead && !isDone && !isOpening)

  private step<T>(
    runtime: Runtime,
    kind: 'open' | 'read' | 'write',
    isOpen: () => boolean,
    apply: () => T,
    mine: Set<Operation>,
  ) {
    return new Promise<T>((resolve, reject) => {
      const operation: Operation = {
        runtime,
        isOpening: kind === 'open',
        isAborted: false,
        isDone: false,
        reject,
      }
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
      if (health === 'full' && kind === 'write') return end(() => reject(named('QuotaExceededError')))
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
      'open',
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
    const read = <T>(apply: () => T) => this.step(runtime, 'read', isOpen, apply, mine)
    const write = (apply: () => void) => this.step<void>(runtime, 'write', isOpen, apply, mine)
    const ifSame = ({ key, entry }: KeyedEntry, act: () => void) => {
      if (parsed(key)?.entry.changeId === entry.changeId) act()
    }
    return {
      list: () =>
        read(() => ({
          generation: opened.generation,
          hasSender: opened.sender !== null,
          rows: [...opened.entries].map(([key, value]) => ({ key, value: JSON.parse(value) })),
        })),
      put: (entries, sender = null) =>
        write(() => {
          for (const { key, doneAt, entry } of entries) {
            const before = parsed(key)
            if (!before || before.doneAt <= doneAt) opened.entries.set(key, JSON.stringify(entry))
          }
          if (sender) opened.sender = JSON.stringify(sender)
        }),
      replace: of => write(() => ifSame(of, () => opened.entries.set(of.key, JSON.stringify(of.entry)))),
      removeRow: key => write(() => opened.entries.delete(key)),
      readSender: () => read(() => (opened.sender === null ? null : (JSON.parse(opened.sender) as SenderCredentials))),
      releaseSender: (isLost = false) =>
        write(() => {
          const { userId } = JSON.parse(opened.sender ?? '{}') as Partial<SenderCredentials>
          const waits = [...opened.entries.keys()].some(key => {
            const entry = parsed(key)?.entry
            return entry !== undefined && entry.userId === userId && isUnsent(entry)
          })
          if (isLost || !waits) opened.sender = null
        }),
      listStored: () => read(() => [...opened.kept].map(([key, value]) => ({ key, value }))),
      writeStored: (changes, settled = []) =>
        write(() => {
          for (const [key, value] of Object.entries(changes)) {
            if (value !== null) opened.kept.set(key, value)
            else if (opened.kept.has(key)) {
              this.onListDeleted(runtime, key, opened.kept.get(key))
              opened.kept.delete(key)
            }
          }
          for (const of of settled) ifSame(of, () => opened.entries.delete(of.key))
        }),
      close: () => {
        isClosed = true
        for (const operation of [...mine]) {
          operation.isAborted = true
          operation.isDone = true
          this.under = this.under.filter(other => other !== operation)
        }
      },
    }
  }
}
