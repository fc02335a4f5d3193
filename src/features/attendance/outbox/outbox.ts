import { backoffMs } from '#lib/backoff.ts'
import type { StoredRow } from '#lib/indexed-db.ts'
import { createStorageWithTimeout } from '#lib/storage-with-timeout.ts'
import type { OutboxDatabase, Sender } from './database.ts'
import { createPendingEntries } from './pending-entries.ts'
import type { Person, Platform } from './platform.ts'
import { createQueue } from './queue.ts'
import { type Change, type KeyedEntry, type OutboxEntry, type ShelfItem, UNSENT } from './records.ts'
import { type SendOutcome, sendWaiting } from './send.ts'

export type Outbox = ReturnType<typeof createOutbox>

const READ_AGAIN_MS = 5_000
/** Without an answer for so long there may be no network: should the page be closed meanwhile, the worker sends. */
const ASK_WORKER_MS = 1_000
/** So much may this clock be behind the portal's, which says whole seconds and takes no moment to come for more than now. */
const CLOCK_SLOW_MS = 1_000

/**
 * What an instructor tapped, kept on the phone until the portal has it. One door for page and worker. A tap goes down this file:
 * `record`, `take` (memory and note, then the disk), `flush`, `sendOnce`; the lists lay what was confirmed over themselves
 * and `settle` it.
 * See docs/decisions/0013.
 */
export function createOutbox(world: Platform) {
  const memory = createPendingEntries(world.notes)
  const { condition } = memory
  const storage = createStorageWithTimeout<OutboxDatabase>({
    open: onLost => world.openDatabase(onLost),
    after: world.after,
    onLost: () => refresh(),
    condition,
  })
  let person: Person | null = null
  let isClosed = false
  /** who may send while no page is open may lie on the disk, as far as this page knows */
  let mayHaveSender = true
  /** the ways to stop what is to be tried again */
  const timers = { readAgain: () => {}, retry: () => {} }

  /** For what concerns memory and disk together; each wait for the disk has its limit. */
  const enqueue = createQueue()

  /** Records what was tapped: on the disk first, then sent. @throws when neither took it: it is in this page only, and tried again */
  async function record(changes: Change[]): Promise<void> {
    const [first] = changes
    if (first?.kind === 'completion' && !first.isCompleted && (await takeBackClosing(first))) return
    await take(changes)
  }

  /** A closing that never left the phone is simply taken back by the reopening that follows. */
  async function takeBackClosing({ courseId }: Change): Promise<boolean> {
    const pending = memory
      .view()
      .entries.filter(
        of =>
          of.kind === 'completion' && of.courseId === courseId && of.userId === person?.userId && UNSENT.has(of.state),
      )
    const closing = pending.find(of => of.kind === 'completion' && of.isCompleted)
    if (closing?.state !== 'waiting' || closing.attempts > 0) return false
    await discard(closing)
    // The ticks since an earlier reopening still need it where it stands.
    return pending.length > 1
  }

  async function take(changes: Change[], laterMs = 0): Promise<void> {
    if (!person) throw new Error('no session')
    const { userId } = person
    const clockOffsetMs = world.clockOffsetMs()
    const taken = memory.add(changes, world.now() + clockOffsetMs + laterMs, (change, doneAt) => ({
      ...change,
      changeId: world.newId(),
      userId,
      recordedAt: doneAt - clockOffsetMs,
      clockOffsetMs,
      state: 'waiting',
      attempts: 0,
      lastError: '',
    }))
    world.tell('changed')
    // Noted as missing, it is written again and the person is told.
    await enqueue(() => write(taken)).catch(() => memory.noteWritten(taken, 'missing'))
    world.tell('changed')
    const isMissing = memory.findAll(taken).some(({ disk }) => disk === 'missing')
    // Without an answer the next try is on its way: not every tap has to be one.
    if (!isMissing && condition.failures === 0) flush()
    if (!isMissing) return
    // The server's answer is then the only safe place.
    await flush()
    const isLeft = memory.findAll(taken).some(({ disk, entry }) => disk === 'missing' && entry.state !== 'confirmed')
    if (isLeft) throw new Error('')
  }

  async function write(asked: KeyedEntry[]): Promise<void> {
    const written = memory.findAll(asked)
    if (written.length === 0) return
    const isToSend = written.some(({ entry }) => UNSENT.has(entry.state) && entry.userId === person?.userId)
    const sender = person?.isKept && isToSend ? senderNow(person) : null
    if (sender) mayHaveSender = true
    await storage.run(database => database.put(written, sender))
    memory.noteWritten(written, 'stored')
  }

  /** The sentences of the portal are in the language chosen at the time. */
  const senderNow = ({ userId, token, language }: Person): Sender => ({
    userId,
    token,
    language: language ?? world.language(),
  })

  let running: Promise<SendOutcome | null> | null = null
  let isAskedAgain = false

  /** Sends what waits; safe to call at any time and any number of times. */
  async function flush(): Promise<SendOutcome | null> {
    if (!person || memory.isIdle(person.userId)) return null
    isAskedAgain = true
    running ??= sendOnce().finally(() => {
      running = null
    })
    return running
  }

  async function sendOnce(): Promise<SendOutcome | null> {
    isAskedAgain = false
    if (!person) return null
    const known = () => memory.view().entries
    const dontAsk = world.after(ASK_WORKER_MS, world.askWorker)
    const result = await sendWaiting(world, { read, known, change }, senderNow(person)).finally(dontAsk)
    condition.lastTriedAt = world.now() + world.clockOffsetMs()
    timers.retry()
    if (result.outcome === 'later') {
      condition.failures += 1
      const waitMs = Math.max(result.retryAfterMs ?? 0, backoffMs(condition.failures, world.random()))
      if (!isClosed) timers.retry = world.after(waitMs, flush)
      world.askWorker()
    } else {
      condition.failures = 0
      const isLost = result.outcome === 'login'
      // Left behind, it is only sent with until its session ends.
      if (mayHaveSender) await storage.run(database => database.releaseSender(isLost)).catch(() => undefined)
    }
    memory.publish()
    // What was added just when the last entry went may have been missed.
    return isAskedAgain && result.outcome === 'done' ? sendOnce() : result
  }

  /** All entries, as new as can be had. */
  async function read(): Promise<OutboxEntry[]> {
    await refresh()
    return memory.view().entries
  }

  /** An entry goes on. False when it is no longer the same change. */
  const change = (entry: OutboxEntry): Promise<boolean> =>
    enqueue(async () => {
      const changed = memory.change(entry)
      // Of a closing it is to be known that it may have left: then it cannot be taken back.
      const isTold = changed?.disk === 'stored' && (entry.state !== 'sending' || entry.kind === 'completion')
      // Memory goes on; an older entry on the disk is sent once more, which changes nothing.
      if (isTold) await storage.run(database => database.replace(changed)).catch(() => undefined)
      if (changed) world.tell('changed')
      return changed !== null
    })

  /** Reads the disk anew, and writes again what it lost. @returns false when it cannot be read */
  const refresh = (): Promise<boolean> =>
    enqueue(async () => {
      timers.readAgain()
      try {
        const { rows, generation, hasSender } = await storage.run(database => database.list())
        mayHaveSender = hasSender
        if (memory.merge(rows, generation)) world.tell('changed')
        await writeMissing()
        return true
      } catch {
        // The disk does not answer: memory counts, and the disk is asked again.
        memory.restoreNoted()
        memory.noteMissing()
        if (!isClosed) {
          timers.readAgain = world.after(READ_AGAIN_MS, async () => {
            if (await refresh()) flush()
          })
        }
        return false
      } finally {
        memory.publish()
      }
    })

  /** Writes once more what is not on the disk. */
  async function writeMissing(): Promise<void> {
    for (const of of memory.listOutdated()) await storage.run(database => database.remove(of))
    const missing = memory.listMissing()
    if (missing.length === 0) return
    memory.noteMissing()
    // Settled ones too: an earlier change of the same person may lie in their place.
    await write(missing)
    world.tell('changed')
  }

  /** Forgets an entry: the instructor's decision that the server's value stands, or that an unreadable record is of no use. */
  async function discard(item: OutboxEntry | ShelfItem): Promise<void> {
    await enqueue(async () => {
      if ('changeId' in item) {
        const of = memory.find(item.changeId)
        if (of?.disk === 'stored') await storage.run(database => database.remove(of))
        memory.forget([item], true)
        return
      }
      if (item.kind === 'damaged') await storage.run(database => database.removeRow(item.key))
      memory.dropShelved(item)
    })
    world.tell('changed')
  }

  return {
    record,
    discard,
    /** The instructor's decision on a refused entry: it holds, as of now, and after what it decides on. */
    sendAgain: (entry: OutboxEntry): Promise<void> => take([entry], CLOCK_SLOW_MS),
    entries: memory.view,
    subscribe: memory.subscribe,
    refresh,
    flush,
    /** Whose entries are sent from now on. What is unsent of others stays. */
    async setPerson(next: Person | null): Promise<void> {
      const isEnd = person !== null && next === null
      person = next
      timers.retry()
      condition.failures = 0
      // The next start releases it.
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
        const gone = memory.forget(settled)
        await storage.run(database => database.writeStored(changes, gone))
      }),
    readStored: (): Promise<StoredRow[]> => enqueue(() => storage.run(database => database.listStored())),
    /** The page is left: the browser may freeze it with the database open. */
    release: storage.release,
    /** Nothing is tried again. */
    close(): void {
      isClosed = true
      person = null
      for (const stop of Object.values(timers)) stop()
      storage.close()
    },
  }
}
