// @vitest-environment happy-dom
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createWorld, person, taken, tick, USER } from '#test/outbox/world.ts'
import { Outbox } from './outbox.ts'
import type { OutboxPlatform } from './platform.ts'
import { type OutboxDatabase, openOutboxDatabase } from './platform.ts'
import { changeTimeMs, type OutboxEntry, outboxStatusMessages, withEntryKey } from './records.ts'

let device: ReturnType<typeof createWorld>
beforeEach(() => {
  device = createWorld()
})
afterEach(() => {
  vi.useRealTimers()
})

const tap = (webUserId: number, isPresent = true) => ({
  kind: 'tick' as const,
  courseId: 1,
  courseDateId: 11,
  webUserId,
  isPresent,
  about: { name: 'Rückenfit', name2: 'Back fit' },
})

/** A page on this device with the instructor logged in. */
async function openPage(changes: Partial<OutboxPlatform> = {}) {
  const outbox = new Outbox(Object.assign(device, changes))
  await outbox.setPerson(person)
  const says = () => outboxStatusMessages(outbox.entries(), USER).map(({ kind }) => kind)
  return { ...outbox, says }
}

const stored = async () => (await (await openOutboxDatabase(device.factory)).list()).rows.map(({ value }) => value)
const inOldDatabase = async (...rows: [string, unknown][]) => {
  const opening = device.factory.open('attendance', 1)
  opening.onupgradeneeded = () => {
    for (const store of ['entries', 'sender', 'kept']) opening.result.createObjectStore(store)
  }
  await new Promise(resolve => {
    opening.onsuccess = resolve
  })
  const transaction = opening.result.transaction('entries', 'readwrite')
  for (const [key, value] of rows) transaction.objectStore('entries').put(value, key)
  await new Promise(resolve => {
    transaction.oncomplete = resolve
  })
  opening.result.close()
}

test('pending changes of version 1.2.0 are sent', async () => {
  const left: OutboxEntry = tick({ state: 'sending', attempts: 2 })
  await inOldDatabase([`7/tick/11/100`, left])
  const page = await openPage()
  await page.flush()
  expect(device.sent.map(({ changeId }) => changeId)).toEqual([left.changeId])
})

test('sending a change reads it once and writes it twice; background sync is requested if there is no response', async () => {
  const asked: string[] = []
  const { openDatabase } = device
  const page = await openPage({
    askWorker: () => asked.push('worker'),
    openDatabase: async onLost => {
      const database = await openDatabase(onLost)
      const told = Object.entries(database).map(([name, act]) => [
        name,
        (...of: never[]) => {
          asked.push(name)
          return (act as (...of: never[]) => unknown)(...of)
        },
      ])
      return Object.fromEntries(told)
    },
  })
  asked.length = 0
  await page.record([tap(100)])
  await vi.waitFor(() => expect(asked).toEqual(['put', 'list', 'replace', 'releaseSender']))
  asked.length = 0
  device.isReachable = false
  await page.record([tap(101)])
  await vi.waitFor(() => expect(asked).toEqual(['put', 'list', 'replace', 'worker']))
})

test('background sync is requested while the page still waits for a response', async () => {
  const askWorker = vi.fn()
  const page = await openPage({ askWorker, send: () => new Promise(() => {}) })
  await page.record([tap(100)])
  await vi.waitFor(() => expect(askWorker).toHaveBeenCalled(), 5_000)
  expect(page.entries().entries).toMatchObject([{ state: 'sending' }])
})

test('a second tap on a participant while the first is being sent is sent after it', async () => {
  const sent: boolean[] = []
  const page = await openPage({
    send: async entry => {
      sent.push(entry.kind === 'tick' && entry.isPresent)
      if (sent.length === 1) await page.record([tap(100, false)])
      return taken
    },
  })
  await page.record([tap(100)])
  await vi.waitFor(() => expect(page.entries().entries).toMatchObject([{ isPresent: false, state: 'confirmed' }]))
  expect(sent).toEqual([true, false])
})

test('a decision is dated after the change it overrules, even if the device clock is a second slow', async () => {
  const standsAt = Date.now() + 999
  const page = await openPage({
    send: async entry => (changeTimeMs(entry) < standsAt ? { ...taken, overtakenBy: 'absent' } : taken),
  })
  await page.record([tap(100)])
  await vi.waitFor(() => expect(page.entries().entries).toMatchObject([{ state: 'overtaken' }]))
  for (const entry of page.entries().entries) await page.sendAgain(entry)
  await vi.waitFor(() => expect(page.entries().entries).toMatchObject([{ isPresent: true, state: 'confirmed' }]))
  // The next tap is dated after the decision.
  await page.record([tap(100, false)])
  await vi.waitFor(() => expect(page.entries().entries).toMatchObject([{ isPresent: false, state: 'confirmed' }]))
})

test('a decision about a change of many people is unconditional', async () => {
  const sent: OutboxEntry[] = []
  const page = await openPage({
    send: async entry => (sent.push(entry) === 1 ? { ...taken, overtakenBy: 'absent' } : taken),
  })
  await page.record([{ ...tap(100), ifUnrecorded: true, ifChangeIds: [crypto.randomUUID()] }])
  await vi.waitFor(() => expect(page.entries().entries).toMatchObject([{ state: 'overtaken' }]))
  for (const entry of page.entries().entries) await page.sendAgain(entry)
  await vi.waitFor(() => expect(page.entries().entries).toMatchObject([{ state: 'confirmed' }]))
  expect(sent.map(entry => 'ifUnrecorded' in entry || 'ifChangeIds' in entry)).toEqual([true, false])
})

test('the undo of a change that may have reached the server is sent', async () => {
  device.isReachable = false
  const page = await openPage()
  await page.record([tap(100)])
  await page.flush()
  const { entries } = page.entries()
  expect(await page.discardIneffective(entries)).toEqual(entries)
  expect(page.entries().entries).toEqual(entries)
})

test('the session is stored for background sync only if it lasts, and until the logout', async () => {
  device.isReachable = false
  const page = await openPage()
  const credentials = async () => (await openOutboxDatabase(device.factory)).readSender()
  await page.record([tap(100)])
  expect(await credentials()).toMatchObject({ userId: USER })
  await page.setPerson(null)
  expect(await credentials()).toBeNull()
  await page.setPerson({ ...person, isKept: false })
  await page.record([tap(101)])
  expect(await credentials()).toBeNull()
})

describe('a deleted database', () => {
  test('loses nothing while a page is open: its entries are written again', async () => {
    device.isReachable = false
    const page = await openPage({ notes: null })
    await page.record([tap(100), tap(101), tap(102)])
    await page.flush()
    device.factory = new IDBFactory()
    page.release()
    await page.refresh()
    expect(page.entries().entries).toHaveLength(3)
    expect(await stored()).toHaveLength(3)
    device.isReachable = true
    await page.flush()
    expect(device.sent).toHaveLength(3)
  })

  test('is restored from the journal if no page was open', async () => {
    device.isReachable = false
    const page = await openPage()
    await page.record([tap(100), tap(101)])
    await page.flush()
    page.close()
    device.factory = new IDBFactory()
    const next = await openPage()
    expect(next.says()).toEqual(['waiting'])
    expect(await stored()).toHaveLength(2)
  })

  test('with a damaged journal reports what is lost: when, and in which course', async () => {
    device.isReachable = false
    const page = await openPage()
    await page.record([tap(100)])
    await page.flush()
    page.close()
    device.factory = new IDBFactory()
    const note = device.notesMap.get('AttendanceUnsent') ?? ''
    device.notesMap.set('AttendanceUnsent', `${note.replace('"isPresent":true', '"isPresent":"?"')}\n{"half`)
    const next = await openPage()
    const lost = outboxStatusMessages(next.entries(), USER)
    expect(lost).toMatchObject([
      { kind: 'lost', items: [{ about: { name: 'Rückenfit' }, doneAt: expect.any(Number) }, { courseId: null }] },
    ])
    for (const item of next.entries().shelf) await next.discard(item)
    expect(next.says()).toEqual(['allSafe'])
    expect((await openPage()).says()).toEqual(['allSafe'])
  })

  test('is opened again if its handle is closed without an event', async () => {
    let opened: OutboxDatabase | undefined
    const page = await openPage({
      openDatabase: async onLost => {
        opened = await openOutboxDatabase(device.factory, onLost)
        return opened
      },
    })
    opened?.close()
    device.isReachable = false
    await page.record([tap(100)])
    expect(await stored()).toHaveLength(1)
    expect(page.entries().unstored.size).toBe(0)
  })
})

describe('a database that does not respond', () => {
  const hanging = (): OutboxDatabase =>
    new Proxy({} as OutboxDatabase, {
      get: (_, name) => (name === 'close' ? () => undefined : () => new Promise(() => undefined)),
    })

  test.each([
    ['opens and then hangs', async () => hanging()],
    ['does not even open', () => new Promise<OutboxDatabase>(() => undefined)],
  ])(
    '%s: after two seconds the change is sent without being stored, and nothing is reported as saved',
    async (_, openDatabase) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const outbox = new Outbox(Object.assign(device, { openDatabase }))
      const says = () => outboxStatusMessages(outbox.entries(), USER).map(({ kind }) => kind)
      expect(says()).toEqual(['unknown'])
      const starting = outbox.setPerson(person)
      const recording = outbox.record([tap(100)])
      expect(says()).toContain('saving')
      await vi.advanceTimersByTimeAsync(1_900)
      expect(device.sent).toEqual([])
      await vi.advanceTimersByTimeAsync(2_200)
      await Promise.all([starting, recording])
      expect(device.sent).toHaveLength(1)
      expect(says()).toEqual(['disk'])

      device.isReachable = false
      const failing = outbox.record([tap(101)]).catch(error => error)
      await vi.advanceTimersByTimeAsync(4_200)
      expect(await failing).toBeInstanceOf(Error)
      expect(says()).toEqual(['disk', 'notStored'])
      outbox.close()
    },
  )

  test('and then responds again: entries held only in the page are stored, then sent', async () => {
    let isSilent = true
    device.isReachable = false
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const outbox = new Outbox(
      Object.assign(device, {
        openDatabase: (onLost: () => void) =>
          isSilent ? Promise.resolve(hanging()) : openOutboxDatabase(device.factory, onLost),
      }),
    )
    outbox.setPerson(person)
    const recording = outbox.record([tap(100)]).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(4_200)
    await recording
    isSilent = false
    await vi.advanceTimersByTimeAsync(6_000)
    vi.useRealTimers()
    await expect.poll(stored).toHaveLength(1)
    expect(outboxStatusMessages(outbox.entries(), USER)).toEqual([{ kind: 'waiting', count: 1 }])
    outbox.close()
  })
})

test('a tap made before the first read is ordered after stored entries, whatever the clock showed', async () => {
  device.isReachable = false
  const tomorrow = Date.now() + 86_400_000
  const earlier = await openPage({ notes: null, now: () => tomorrow })
  await earlier.record([tap(100, true)])
  earlier.close()

  const refused = () => Promise.reject(new DOMException('no', 'UnknownError'))
  const next = await openPage({ openDatabase: refused, now: () => tomorrow, clockOffsetMs: () => -86_400_000 })
  await next.record([tap(100, false)]).catch(() => undefined)
  device.openDatabase = onLost => openOutboxDatabase(device.factory, onLost)
  await next.refresh()
  expect(await stored()).toMatchObject([{ isPresent: false, state: 'waiting' }])
  device.isReachable = true
  await next.flush()
  expect(device.sent).toMatchObject([{ isPresent: false }])
  next.close()
})

test('a change sent while the database did not respond is not followed by the older stored one', async () => {
  device.isReachable = false
  const earlier = await openPage()
  await earlier.record([tap(100, true)])
  device.openDatabase = () => Promise.reject(new DOMException('no', 'UnknownError'))
  earlier.release()
  await earlier.record([tap(100, false)]).catch(() => undefined)
  earlier.close()

  const next = await openPage()
  device.isReachable = true
  await next.flush()
  await next.settle({}, next.entries().entries).catch(() => undefined)
  device.openDatabase = onLost => openOutboxDatabase(device.factory, onLost)
  await next.refresh()
  await next.flush()
  expect(device.sent).toMatchObject([{ isPresent: false }])
  expect(await stored()).toEqual([])
  next.close()
})

test('an entry whose write timed out and completes after a newer tap was settled is not sent', async () => {
  const page = await openPage()
  device.isReachable = false
  await page.record([tap(100, true)])
  const earlier = page.entries().entries
  await page.flush()
  device.isReachable = true
  await page.record([tap(100, false)])
  const [settled] = page.entries().entries
  await page.flush()
  await page.settle({}, page.entries().entries)
  await (await openOutboxDatabase(device.factory)).put(earlier.map(withEntryKey))
  await page.refresh()
  await page.flush()
  expect(device.sent.map(({ changeId }) => changeId)).toEqual([settled?.changeId])
  expect(await stored()).toEqual([])
  page.close()
})

test('a change confirmed before all storage was deleted does not hide a later change of another page', async () => {
  const page = await openPage({ now: () => Date.now() + 86_400_000 })
  await page.record([tap(100)])
  await page.flush()
  device.factory = new IDBFactory()
  device.notesMap.clear()
  page.release()
  const since = tick({ changeId: crypto.randomUUID(), recordedAt: Date.now(), state: 'refused', lastError: 'closed' })
  await (await openOutboxDatabase(device.factory)).put([withEntryKey(since)])
  await page.refresh()
  expect(page.says()).toEqual(['toDecide'])
  expect(await stored()).toEqual([since])
  page.close()
})

describe('records that this version cannot read', () => {
  const strange: [string, unknown][] = [
    ['7/later/1', { ...tick(), kind: 'later' }],
    ['7/tick/11/1', null],
    ['7/tick/11/2', { ...tick(), recordedAt: 'yesterday' }],
    ['7/tick/11/3', tick({ webUserId: 4 })],
  ]

  test('are set aside and block no other entry', async () => {
    await inOldDatabase(...strange, ['7/tick/11/100', tick()])
    const page = await openPage()
    await page.flush()
    expect(device.sent).toHaveLength(1)
    expect(page.entries().shelf).toHaveLength(4)
    expect(page.says()).toEqual(['shelved'])
    expect(await stored()).toHaveLength(5)
    for (const item of page.entries().shelf) await page.discard(item)
    expect(await stored()).toHaveLength(1)
    expect(page.says()).toEqual(['allSafe'])
  })

  test('are overwritten if the page still has the change', async () => {
    device.isReachable = false
    const page = await openPage({ notes: null })
    await page.record([tap(100)])
    await inOldDatabase(['7/tick/11/100', { kind: 'tick' }])
    await page.refresh()
    expect(page.says()).toEqual(['waiting'])
    expect(await stored()).toMatchObject([{ webUserId: 100, state: 'waiting' }])
  })
})

test('a timed-out write that completes late does not undo the newer tap', async () => {
  const database = await openOutboxDatabase(device.factory)
  const newer = tick({ isPresent: false, recordedAt: 2_000 })
  await database.put([withEntryKey(newer)])
  await database.put([withEntryKey(tick({ recordedAt: 1_000 }))])
  expect(await stored()).toEqual([newer])
})

test('closing the attendance is not discarded locally if it may have reached the server', async () => {
  const page = await openPage()
  const close = (isCompleted: boolean) => ({ kind: 'completion' as const, courseId: 1, isCompleted })
  device.isReachable = false
  await page.record([close(true)])
  await page.flush()
  await page.record([close(false)])
  device.isReachable = true
  await page.flush()
  expect(device.sent.map(entry => entry.kind === 'completion' && entry.isCompleted)).toEqual([true, false])
})

test('closing the attendance is stored as sent before the server responds', async () => {
  const page = await openPage({ send: () => new Promise(() => {}) })
  await page.record([{ kind: 'completion', courseId: 1, isCompleted: true }])
  await vi.waitFor(async () => expect(await stored()).toMatchObject([{ state: 'sending' }]))
})

test('a sent entry leaves the journal only when the server responds', async () => {
  device.isReachable = false
  const page = await openPage()
  await page.record([tap(100)])
  await page.flush()
  expect(device.notesMap.get('AttendanceUnsent')).toContain('"webUserId":100')
  expect(device.notesMap.get('AttendanceUnsent')).not.toMatch(/token/)
  device.isReachable = true
  await page.flush()
  expect(device.notesMap.get('AttendanceUnsent')).toBe('')
})
