import { IDBFactory } from 'fake-indexeddb'
import type { OutboxPlatform, OutboxUser, SendResult } from '#features/attendance/outbox/platform.ts'
import { openOutboxDatabase } from '#features/attendance/outbox/platform.ts'
import type { ListCompletionEntry, OutboxEntry, PresenceEntry } from '#features/attendance/outbox/records.ts'

type TestWorld = OutboxPlatform & {
  factory: IDBFactory
  isReachable: boolean
  notesMap: Map<string, string>
  sent: OutboxEntry[]
}

export const USER = 7
export const person: OutboxUser = { userId: USER, token: 'token', language: 'de', isKept: true }
export const taken: SendResult = { isOk: true, isEcho: true, overtakenBy: null, message: '' }

export const tick = (changes: Partial<PresenceEntry> = {}): PresenceEntry => ({
  kind: 'tick',
  changeId: crypto.randomUUID(),
  userId: USER,
  courseId: 1,
  courseDateId: 11,
  webUserId: 100,
  isPresent: true,
  recordedAt: 1_000,
  clockOffsetMs: 0,
  state: 'waiting',
  attempts: 0,
  lastError: '',
  ...changes,
})

export const completion = (changes: Partial<ListCompletionEntry> = {}): ListCompletionEntry => {
  const { courseDateId: _date, webUserId: _person, isPresent: _present, ...common } = tick()
  return { ...common, kind: 'completion', isCompleted: true, ...changes }
}

/** A phone with a real (in-memory) IndexedDB, a small storage and a portal that takes everything, unless told otherwise. */
export function createWorld(changes: Partial<OutboxPlatform> = {}): TestWorld {
  const notes = new Map<string, string>()
  const sent: OutboxEntry[] = []
  const world: TestWorld = {
    factory: new IDBFactory(),
    isReachable: true,
    notesMap: notes,
    sent,
    now: () => Date.now(),
    clockOffsetMs: () => 0,
    verifiedServerNow: () => null,
    random: () => 0,
    newId: () => crypto.randomUUID(),
    language: () => 'de',
    after: (ms: number, act: () => void) => {
      const timer = setTimeout(act, ms)
      return () => clearTimeout(timer)
    },
    openDatabase: (onLost: () => void) => openOutboxDatabase(world.factory, onLost),
    notes: {
      getItem: (key: string) => notes.get(key) ?? null,
      setItem: (key: string, value: string) => void notes.set(key, value),
    },
    send: async (entry: OutboxEntry) => {
      if (!world.isReachable) throw new Error('no network')
      sent.push(entry)
      return taken
    },
    locks: undefined,
    tell: () => undefined,
    askWorker: () => undefined,
    ...changes,
  }
  return world
}
