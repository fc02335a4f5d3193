import type { OutboxDatabase, Sender, StoredRow } from './database.ts'
import { createMemory } from './memory.ts'
import { createNote } from './note.ts'
import { type Change, isUnsent, nextToSend, type OutboxEntry, type ShelfItem } from './records.ts'
import { backoffMs, type SendOutcome, sendWaiting } from './sending.ts'
import { createStorage, type StorageHealth } from './storage.ts'
import type { Person, World } from './world.ts'

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

/**
 * What an instructor tapped, kept on the phone until the portal has it. One door for page and worker.
 * See docs/decisions/0013.
 */
export function createOutbox(world: World) {
  const storage = createStorage(world, () => refresh())
  const note = createNote(world.notes)
  const memory = createMemory(note)
  const listeners = new Set<(view: OutboxView) => void>()
  let person: Person | null = null
  let failures = 0
  let lastTriedAt: number | null = null
  let isClosed = false

  const idsOnDisk = (disk: 'saving' | 'missing') => new Set(memory.entriesOnDisk(disk).map(({ changeId }) => changeId))

  function entries(): OutboxView {
    const missing = idsOnDisk('missing')
    return {
      entries: memory.entries(),
      saving: idsOnDisk('saving'),
      unstored: new Set(
        memory
          .entries()
          .flatMap(({ state, changeId }) => (state !== 'confirmed' && missing.has(changeId) ? changeId : [])),
      ),
      shelf: [...memory.damaged(), ...note.listLost()],
      isRead: memory.isRead(),
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
  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }

  /** Writes once more what is not on the disk. */
  async function writeMissing(): Promise<void> {
    for (const entry of memory.outdated()) await storage.run(database => database.remove(entry))
    const missing = memory.entriesOnDisk('missing')
    if (missing.length === 0) return
    memory.noteMissing()
    // Settled ones too: an earlier change of the same person may lie in their place.
    await write(missing)
    world.tell('changed')
  }

  async function write(asked: OutboxEntry[]): Promise<void> {
    const written = asked.flatMap(entry => (memory.isStill(entry) ? (memory.find(entry)?.entry ?? []) : []))
    if (written.length === 0) return
    const isToSend = written.some(entry => isUnsent(entry) && entry.userId === person?.userId)
    const sender = person?.isKept && isToSend ? senderOf(person) : null
    await storage.run(database => database.put(written, sender))
    for (const entry of written) memory.noteWritten(entry, 'stored')
  }

  const senderOf = ({ userId, token, language }: Person): Sender => ({ userId, token, language })

  let stopReadAgain = () => {}

  /** Reads the disk anew, and writes again what it lost. @returns false when it cannot be read */
  const refresh = (): Promise<boolean> =>
    enqueue(async () => {
      stopReadAgain()
      try {
        const { rows, generation: ofGeneration } = await storage.run(database => database.list())
        if (memory.merge(rows, ofGeneration)) world.tell('changed')
        await writeMissing()
        return true
      } catch {
        memory.restoreNoted()
        memory.noteMissing()
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
    enqueue(async () => {
      const before = memory.find(entry)
      if (before?.entry.changeId !== entry.changeId) return false
      memory.remember(entry, before.disk)
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
      return memory.entries()
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
    if (!person || (memory.isRead() && !nextToSend(memory.entries(), person.userId))) return null
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
      recordedAt: note.nextDoneAt(world.now() + clockOffsetMs, memory.entries()) - clockOffsetMs,
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
    const pending = memory
      .entries()
      .filter(
        entry =>
          entry.kind === 'completion' && entry.courseId === courseId && entry.userId === userId && isUnsent(entry),
      )
    const closing = pending.find(entry => entry.kind === 'completion' && entry.isCompleted)
    if (closing?.state !== 'waiting' || closing.attempts > 0) return false
    await discard(closing)
    // The ticks since an earlier reopening still need it where it stands.
    return pending.length > 1
  }

  async function take(taken: OutboxEntry[]): Promise<void> {
    for (const entry of taken) memory.remember(entry, 'saving')
    note.put(taken)
    changed()
    await enqueue(() => write(taken)).catch(() => {
      for (const entry of taken) if (memory.find(entry)?.disk === 'saving') memory.noteWritten(entry, 'missing')
    })
    changed()
    world.askWorker()
    // Without an answer the next try is on its way: not every tap has to be one.
    const isStored = taken.every(entry => memory.find(entry)?.disk !== 'missing')
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
    await enqueue(async () => {
      if ('changeId' in item) {
        note.remove([item.changeId])
        if (memory.find(item)?.disk === 'stored') await storage.run(database => database.remove(item))
        if (memory.isStill(item)) memory.forget(item)
      } else if (item.kind === 'lost') note.removeLost(item.key)
      else {
        await storage.run(database => database.removeRow(item.key))
        memory.dropDamaged(item.key)
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
      if (isEnd) await enqueue(() => storage.run(database => database.releaseSender(true))).catch(() => undefined)
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
      enqueue(async () => {
        for (const entry of settled) if (memory.isStill(entry)) memory.forget(entry)
        show()
        await storage.run(database => database.writeStored(changes, settled))
      }),
    readStored: (): Promise<StoredRow[]> =>
      enqueue(() => storage.run((database: OutboxDatabase) => database.listStored())),
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
