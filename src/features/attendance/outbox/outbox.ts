import type { OutboxDatabase, Sender, StoredRow } from './database.ts'
import { createNote } from './note.ts'
import {
  type Change,
  doneAtOf,
  entryKey,
  isUnsent,
  nextToSend,
  type OutboxEntry,
  readEntry,
  type ShelfItem,
  shelve,
} from './records.ts'
import { backoffMs, type SendOutcome, sendWaiting } from './sending.ts'
import { createStorage, type StorageHealth } from './storage.ts'
import type { Person, World } from './world.ts'

/** Where an entry of this page's memory stands on the disk; `since`: the turn in which it was seen or written there. */
type Known = { entry: OutboxEntry; disk: 'stored' | 'saving' | 'missing' }

/** The outbox as it is known at this moment. */
export type OutboxView = {
  /** the stored ones, and those of this page that are not stored (yet) */
  entries: OutboxEntry[]
  /** ids of the changes whose write is under way */
  saving: ReadonlySet<string>
  /** ids of the changes that this phone could not store: they live as long as the page */
  unstored: ReadonlySet<string>
  /** records that cannot be read, or of which only a note is left */
  shelf: ShelfItem[]
  /** this phone's records have been read */
  isRead: boolean
  disk: StorageHealth
  failures: number
  /** when sending was tried last, in server time, ms since 1970; null before the first */
  lastTriedAt: number | null
}

export type Outbox = ReturnType<typeof createOutbox>

const READ_AGAIN_MS = 5_000

/** What an instructor tapped, kept on the phone until the portal has it. One door for page and worker. */
export function createOutbox(world: World) {
  const storage = createStorage(world, () => refresh())
  const note = createNote(world.notes)
  const known = new Map<string, Known>()
  const listeners = new Set<(view: OutboxView) => void>()
  let damaged: ShelfItem[] = []
  let generation: string | null = null
  let person: Person | null = null
  let isRead = false
  let failures = 0
  let lastTriedAt: number | null = null
  let isClosed = false

  const all = () => [...known.values()].map(({ entry }) => entry)
  const idsOnDisk = (disk: Known['disk']) =>
    new Set([...known.values()].filter(of => of.disk === disk).map(({ entry }) => entry.changeId))

  function entries(): OutboxView {
    const missing = idsOnDisk('missing')
    return {
      entries: all(),
      saving: idsOnDisk('saving'),
      unstored: new Set(
        all().flatMap(({ state, changeId }) => (state !== 'confirmed' && missing.has(changeId) ? changeId : [])),
      ),
      shelf: [...damaged, ...note.listLost()],
      isRead,
      disk: storage.health(),
      failures,
      lastTriedAt,
    }
  }

  function show(): void {
    const view = entries()
    for (const listener of listeners) listener(view)
  }

  let queue: Promise<unknown> = Promise.resolve()
  /** What concerns memory and disk together happens one after another; each wait for the disk has its limit. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work)
    queue = turn.catch(() => undefined)
    return turn
  }

  const isStill = (entry: OutboxEntry) => known.get(entryKey(entry))?.entry.changeId === entry.changeId
  /** changes that a newer one took the place of: told by name, for moments of two clocks cannot be compared */
  const replaced = new Set<string>()
  let outdated: OutboxEntry[] = []
  function remember(entry: OutboxEntry, disk: Known['disk']): void {
    const key = entryKey(entry)
    const before = known.get(key)?.entry.changeId
    if (before && before !== entry.changeId) replaced.add(before)
    known.set(key, { entry, disk })
  }

  /** An entry that the disk has no longer, to be written again. @returns false when the page does not know it */
  function missed(key: string): boolean {
    const of = known.get(key)
    if (of?.disk === 'stored') of.disk = 'missing'
    return of !== undefined
  }

  /** Lays what the disk says over what the page remembers. */
  function merge(rows: StoredRow[], ofGeneration: string): void {
    const isTakenAway = generation !== null && generation !== ofGeneration
    // Other pages may have in memory what this database does not have.
    if (generation !== ofGeneration) world.tell('changed')
    generation = ofGeneration
    damaged = []
    outdated = []
    const stored = new Map<string, OutboxEntry>()
    for (const { key, value } of rows) {
      const entry = readEntry(key, value)
      // A write that was given up came through after all, when the newer change was settled already.
      if (entry && !known.has(key) && replaced.has(entry.changeId)) outdated.push(entry)
      else if (entry) stored.set(key, entry)
      // What the page still knows is written over it.
      else if (!missed(key)) damaged.push(shelve('damaged', key, value))
    }
    if (!isRead && !note.isInOrder()) followStored([...stored.values()])
    for (const [key, { entry, disk }] of known) {
      const row = stored.get(key)
      if (disk === 'saving' && (!row || doneAtOf(row) < doneAtOf(entry))) continue
      // Settled, and the note of it did not reach the disk.
      const isAhead = row?.changeId === entry.changeId && isUnsent(row) && !isUnsent(entry)
      // Tapped in another page after everything was taken away: what is confirmed here may not cover it, whatever the clocks say.
      const isSince =
        isTakenAway &&
        entry.state === 'confirmed' &&
        row?.changeId !== entry.changeId &&
        !replaced.has(row?.changeId ?? '')
      if (row && !isAhead && (isSince || doneAtOf(row) >= doneAtOf(entry))) remember(row, 'stored')
      // Gone from the same database: another page has settled it. From another one: it was taken away.
      else if (!row && disk === 'stored' && !isTakenAway) known.delete(key)
      else remember(entry, 'missing')
    }
    for (const [key, entry] of stored) if (!known.has(key)) remember(entry, 'stored')
    restoreNoted()
    isRead = true
    const isKnownToAll = ({ entry, disk }: Known) =>
      entry.state === 'confirmed' || (!isUnsent(entry) && disk === 'stored')
    note.remove([...known.values()].filter(isKnownToAll).map(({ entry }) => entry.changeId))
  }

  /** What was tapped before this page could read the disk, and without a note of the last moment, comes after what lies there. */
  function followStored(rows: OutboxEntry[]): void {
    const own = new Set(all().map(({ changeId }) => changeId))
    const last = Math.max(...rows.filter(({ changeId }) => !own.has(changeId)).map(doneAtOf))
    const laterMs = last + 1 - Math.min(...all().map(doneAtOf))
    if (!(laterMs > 0 && laterMs < Number.POSITIVE_INFINITY)) return
    for (const { entry, disk } of known.values()) {
      remember({ ...entry, recordedAt: entry.recordedAt + laterMs }, disk)
    }
  }

  /** Takes over what another page noted and the disk does not have, before it died or because it cannot write. */
  function restoreNoted(): void {
    for (const entry of note.readEntries()) {
      const other = known.get(entryKey(entry))?.entry
      if (!other || doneAtOf(other) < doneAtOf(entry)) remember({ ...entry, state: 'waiting' }, 'missing')
    }
  }

  /** The small storage may have been taken away too. */
  function noteMissing(): void {
    const isAll = note.wasTakenAway()
    const missing = [...known.values()].filter(
      ({ entry, disk }) => entry.state !== 'confirmed' && (isAll || disk === 'missing'),
    )
    if (missing.length > 0) note.put(missing.map(({ entry }) => entry))
  }

  /** Writes once more what is not on the disk. */
  async function writeMissing(): Promise<void> {
    for (const entry of outdated) await storage.run(database => database.remove(entry))
    const missing = [...known.values()].filter(({ disk }) => disk === 'missing').map(({ entry }) => entry)
    if (missing.length === 0) return
    noteMissing()
    // Settled ones too: an earlier change of the same person may lie in their place.
    await write(missing)
    world.tell('changed')
  }

  async function write(asked: OutboxEntry[]): Promise<void> {
    const written = asked.flatMap(entry => (isStill(entry) ? (known.get(entryKey(entry))?.entry ?? []) : []))
    if (written.length === 0) return
    const isToSend = written.some(entry => isUnsent(entry) && entry.userId === person?.userId)
    const sender = person?.isKept && isToSend ? senderOf(person) : null
    await storage.run(database => database.put(written, sender))
    for (const entry of written) {
      const now = known.get(entryKey(entry))
      if (now?.entry.changeId === entry.changeId) remember(now.entry, 'stored')
    }
  }

  const senderOf = ({ userId, token, language }: Person): Sender => ({ userId, token, language })

  let stopReadAgain = () => {}

  /** Reads the disk anew, and writes again what it lost. @returns false when it cannot be read */
  const refresh = (): Promise<boolean> =>
    inTurn(async () => {
      stopReadAgain()
      try {
        const { rows, generation: ofGeneration } = await storage.run(database => database.list())
        merge(rows, ofGeneration)
        await writeMissing()
        return true
      } catch {
        restoreNoted()
        noteMissing()
        if (isClosed) return false
        stopReadAgain = world.after(READ_AGAIN_MS, async () => {
          if (await refresh()) flush()
        })
        return false
      } finally {
        show()
      }
    })

  function changed(): void {
    show()
    world.tell('changed')
  }

  const change = (entry: OutboxEntry): Promise<boolean> =>
    inTurn(async () => {
      const before = known.get(entryKey(entry))
      if (before?.entry.changeId !== entry.changeId) return false
      remember(entry, before.disk)
      if (entry.state === 'confirmed') note.remove([entry.changeId])
      if (before.disk === 'stored') await storage.run(database => database.replace(entry)).catch(() => undefined)
      changed()
      return true
    })

  let running: Promise<SendOutcome | null> | null = null
  let isAskedAgain = false
  let stopRetry = () => {}

  async function sendOnce(): Promise<SendOutcome | null> {
    isAskedAgain = false
    const sender = person && senderOf(person)
    if (!sender) return null
    const read = async () => {
      await refresh()
      return all()
    }
    const result = await sendWaiting(world, { read, change }, sender)
    lastTriedAt = world.now() + world.clockOffsetMs()
    stopRetry()
    if (result.outcome === 'later') {
      failures += 1
      if (!isClosed)
        stopRetry = world.after(Math.max(result.retryAfterMs ?? 0, backoffMs(failures, world.random())), flush)
    } else {
      failures = 0
      await storage.run(database => database.releaseSender(result.outcome === 'login')).catch(() => undefined)
    }
    show()
    // What was added just when the last entry went may have been missed.
    return isAskedAgain && result.outcome === 'done' ? sendOnce() : result
  }

  /** Sends what waits; safe to call at any time and any number of times. */
  async function flush(): Promise<SendOutcome | null> {
    if (!person || (isRead && !nextToSend(all(), person.userId))) return null
    isAskedAgain = true
    running ??= sendOnce().finally(() => {
      running = null
    })
    return running
  }

  function makeEntry(of: Change, { userId }: Person): OutboxEntry {
    const clockOffsetMs = world.clockOffsetMs()
    return {
      ...of,
      changeId: world.newId(),
      userId,
      recordedAt: note.nextDoneAt(world.now() + clockOffsetMs, all()) - clockOffsetMs,
      clockOffsetMs,
      state: 'waiting',
      attempts: 0,
      lastError: '',
    }
  }

  const currentPerson = (): Person => {
    if (!person) throw new Error('no session')
    return person
  }

  /** A closing that never left the phone is simply taken back by the reopening that follows. */
  async function takeBackClosing({ courseId }: Change, { userId }: Person): Promise<boolean> {
    const pending = all().filter(
      entry => entry.kind === 'completion' && entry.courseId === courseId && entry.userId === userId && isUnsent(entry),
    )
    const closing = pending.find(entry => entry.kind === 'completion' && entry.isCompleted)
    if (closing?.state !== 'waiting' || closing.attempts > 0) return false
    await discard(closing)
    // The ticks since an earlier reopening still need it where it stands.
    return pending.length > 1
  }

  async function take(taken: OutboxEntry[]): Promise<void> {
    for (const entry of taken) remember(entry, 'saving')
    note.put(taken)
    changed()
    await inTurn(() => write(taken)).catch(() => {
      for (const entry of taken) {
        const now = known.get(entryKey(entry))
        if (now?.entry.changeId === entry.changeId && now.disk === 'saving') remember(now.entry, 'missing')
      }
    })
    changed()
    world.askWorker()
    // Without an answer the next try is on its way: not every tap has to be one.
    const isStored = taken.every(entry => known.get(entryKey(entry))?.disk !== 'missing')
    if (isStored && failures === 0) flush()
    if (isStored) return
    // The server's answer is then the only safe place.
    await flush()
    const { unstored } = entries()
    if (taken.some(({ changeId }) => unstored.has(changeId))) throw new Error('')
  }

  /**
   * Records what was tapped at once: on the disk first, then sent.
   * @throws when this phone could not store it and the portal does not answer either: it is in this page only, and tried again
   */
  async function record(changes: Change[]): Promise<void> {
    const by = currentPerson()
    const [first] = changes
    if (first?.kind === 'completion' && !first.isCompleted && (await takeBackClosing(first, by))) return
    await take(changes.map(of => makeEntry(of, by)))
  }

  /** Forgets an entry: the instructor's decision that the server's value stands, or that an unreadable record is of no use. */
  async function discard(item: OutboxEntry | ShelfItem): Promise<void> {
    await inTurn(async () => {
      if ('changeId' in item) {
        note.remove([item.changeId])
        if (known.get(entryKey(item))?.disk === 'stored') await storage.run(database => database.remove(item))
        if (isStill(item)) known.delete(entryKey(item))
      } else if (item.kind === 'lost') note.removeLost(item.key)
      else {
        await storage.run(database => database.removeRow(item.key))
        damaged = damaged.filter(({ key }) => key !== item.key)
      }
    })
    changed()
  }

  /** The instructor's decision on a refused entry: it holds, as of now. */
  async function sendAgain(entry: OutboxEntry): Promise<void> {
    await take([makeEntry(entry, currentPerson())])
  }

  return {
    record,
    discard,
    sendAgain,
    entries,
    subscribe(listener: (view: OutboxView) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh,
    flush,
    /** Whose entries are sent from now on. What is unsent of others stays. */
    async setPerson(next: Person | null): Promise<void> {
      const isEnd = person !== null && next === null
      person = next
      stopRetry()
      failures = 0
      if (isEnd) await inTurn(() => storage.run(database => database.releaseSender(true))).catch(() => undefined)
      await refresh()
    },
    /** As the person whose entries wait, while no page is open. @returns null when nobody may send */
    async sendAsStored(): Promise<SendOutcome | null> {
      const sender = await storage.run(database => database.readSender())
      if (!sender) return null
      person = { language: 'de', ...sender, isKept: true }
      return flush()
    },
    /** Writes (null: removes) what is kept beside the entries, and forgets confirmed entries that it shows now. */
    settle: (changes: Record<string, unknown>, settled: OutboxEntry[]): Promise<void> =>
      inTurn(async () => {
        for (const entry of settled) if (isStill(entry)) known.delete(entryKey(entry))
        show()
        await storage.run(database => database.writeKept(changes, settled))
      }),
    readKept: (): Promise<StoredRow[]> => inTurn(() => storage.run((database: OutboxDatabase) => database.listKept())),
    /** The page is left: the browser may freeze it with the database open. */
    release: storage.release,
    /** Nothing is tried again. */
    close(): void {
      isClosed = true
      person = null
      stopRetry()
      stopReadAgain()
      storage.close()
    },
  }
}
