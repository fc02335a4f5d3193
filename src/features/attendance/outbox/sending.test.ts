// @vitest-environment happy-dom
import { IDBFactory } from 'fake-indexeddb'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ApiError, NoResponseError } from '#lib/api-error.ts'
import { backoffMs } from '#lib/timers.ts'
import { completion, createWorld, taken as ok, tick, USER } from '#test/outbox/world.ts'
import { sendWaitingEntries } from './outbox.ts'
import type { SendEntry, SendResult } from './platform.ts'
import { openOutboxDatabase } from './platform.ts'
import { changedAtIso, type OutboxEntry, type PresenceEntry, readEntry, withEntryKey } from './records.ts'

const sender = { userId: USER, token: 'token' }

async function database() {
  const opened = await openOutboxDatabase(new IDBFactory())
  const entries = async () => (await opened.list()).rows.flatMap(({ key, value }) => readEntry(key, value)?.entry ?? [])
  return { ...opened, entries }
}
type Box = Awaited<ReturnType<typeof database>>

const locks = {
  request: (_name: string, _options: unknown, work: () => Promise<unknown>) => work(),
} as unknown as LockManager

const filled = async (...entries: OutboxEntry[]) => {
  const box = await database()
  await box.put(entries.map(withEntryKey))
  return box
}

const boxOf = (of: Box) => {
  let known: OutboxEntry[] = []
  return {
    async read() {
      known = await of.entries()
      return known
    },
    known: () => known,
    async change(entry: OutboxEntry) {
      known = known.map(other => (other.changeId === entry.changeId ? entry : other))
      await of.replace(withEntryKey(entry))
      return true
    },
  }
}

/** Sends entries from a database, as the service worker does. */
const flushOutbox = (of: { database: Box; send: SendEntry; locks?: LockManager }) =>
  sendWaitingEntries(createWorld({ locks: of.locks ?? locks, send: of.send }), boxOf(of.database), sender)

describe('the state of an entry after each response', () => {
  const cases: [string, () => SendResult | Error, OutboxEntry['state'], string][] = [
    ['Ok for this entry', () => ok, 'confirmed', 'done'],
    ['Ok for another entry', () => ({ ...ok, isEcho: false }), 'waiting', 'later'],
    ['Failed', () => ({ ...ok, isOk: false, message: 'closed' }), 'refused', 'done'],
    [
      'Ok, but a later change prevails',
      () => ({ ...ok, overtakenBy: 'absent', message: 'later' }),
      'overtaken',
      'done',
    ],
    ['no network', () => new NoResponseError('no answer'), 'waiting', 'later'],
    ['408', () => new ApiError(408, ''), 'waiting', 'later'],
    ['425', () => new ApiError(425, ''), 'waiting', 'later'],
    ['429', () => new ApiError(429, '', 30), 'waiting', 'later'],
    ['500', () => new ApiError(500, ''), 'waiting', 'later'],
    ['503', () => new ApiError(503, ''), 'waiting', 'later'],
    ['401', () => new ApiError(401, ''), 'waiting', 'login'],
    ['403', () => new ApiError(403, 'not yours'), 'refused', 'done'],
    ['404', () => new ApiError(404, 'gone'), 'refused', 'done'],
  ]
  it.each(cases)('%s', async (_name, answer, state, outcome) => {
    const box = await filled(tick())
    const result = await flushOutbox({
      database: box,
      send: async () => {
        const given = answer()
        if (given instanceof Error) throw given
        return given
      },
    })
    expect(result.outcome).toBe(outcome)
    expect((await box.entries()).map(entry => entry.state)).toEqual([state])
  })
})

it('resends an entry left in state "sending", with the same change id', async () => {
  const left = tick({ state: 'sending', attempts: 1 })
  const box = await filled(left)
  const sent: string[] = []
  const send = async ({ changeId }: OutboxEntry) => {
    sent.push(changeId)
    return ok
  }
  await flushOutbox({ database: box, send })
  expect(sent).toEqual([left.changeId])
})

it('shows an entry that a closed page was sending as waiting, even while another one is sent first', async () => {
  const box = await filled(
    tick({ recordedAt: 1 }),
    tick({ recordedAt: 2, webUserId: 101, state: 'sending', attempts: 1 }),
  )
  const shown: string[][] = []
  const send = async () => {
    shown.push((await box.entries()).map(({ state }) => state))
    throw new NoResponseError('no answer')
  }
  expect((await flushOutbox({ database: box, send })).outcome).toBe('later')
  expect(shown).toEqual([['sending', 'waiting']])
  expect((await box.entries()).map(({ state }) => state)).toEqual(['waiting', 'waiting'])
})

describe('a response that does not arrive', () => {
  /** @param beatMs how far the clock advances with each timer */
  const sentWhile = async (beatMs: number, send: (sent: string[], signal: AbortSignal) => Promise<SendResult>) => {
    let now = 0
    const asked = tick()
    const box = await filled(asked)
    const sent: string[] = []
    const world = createWorld({
      locks,
      now: () => now,
      after: (_ms, act) => {
        const timer = setTimeout(() => {
          now += beatMs
          act()
        })
        return () => clearTimeout(timer)
      },
      send: ({ changeId }, _sender, signal) => {
        sent.push(changeId)
        return send(sent, signal)
      },
    })
    const result = await sendWaitingEntries(world, boxOf(box), sender)
    return {
      sent: sent.map(id => id === asked.changeId),
      outcome: result.outcome,
      states: (await box.entries()).map(({ state }) => state),
    }
  }

  it('is requested again with the same change id after the device slept', async () => {
    const answer = await sentWhile(60_000, async (sent, signal) => {
      if (sent.length > 1) return ok
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))
      return ok
    })
    expect(answer).toEqual({ sent: [true, true], outcome: 'done', states: ['confirmed'] })
  })

  it('is awaited as long as the device is awake', async () => {
    const answer = await sentWhile(600, async (_, signal) => {
      await new Promise(resolve => setTimeout(resolve, 100))
      signal.throwIfAborted()
      return ok
    })
    expect(answer).toEqual({ sent: [true], outcome: 'done', states: ['confirmed'] })
  })
})

it('closes the attendance of a course only after earlier changes are sent', async () => {
  const box = await filled(
    completion({ recordedAt: 3_000 }),
    tick({ recordedAt: 2_000, webUserId: 101 }),
    tick({ recordedAt: 1_000 }),
  )
  const sent: string[] = []
  const send = async ({ kind }: OutboxEntry) => {
    sent.push(kind)
    return ok
  }
  await flushOutbox({ database: box, send })
  expect(sent).toEqual(['tick', 'tick', 'completion'])
})

it('reopens the attendance before later changes are sent, and closes it after them', async () => {
  const box = await filled(
    completion({ recordedAt: 3_000 }),
    tick({ recordedAt: 2_000 }),
    completion({ recordedAt: 1_000, isCompleted: false }),
  )
  const sent: unknown[] = []
  const send = async (entry: OutboxEntry) => {
    sent.push(entry.kind === 'completion' ? entry.isCompleted : entry.kind)
    return ok
  }
  await flushOutbox({ database: box, send })
  expect(sent).toEqual([false, 'tick', true])
})

it('does not let an entry that always fails block the others', async () => {
  const box = await filled(
    tick({ recordedAt: 1 }),
    tick({ recordedAt: 2, webUserId: 101 }),
    tick({ recordedAt: 3, webUserId: 102 }),
  )
  const send = async (entry: OutboxEntry) => {
    if (entry.kind === 'tick' && entry.webUserId === 100) throw new ApiError(500, '')
    return ok
  }
  await flushOutbox({ database: box, send })
  expect((await flushOutbox({ database: box, send })).outcome).toBe('later')
  expect((await box.entries()).map(entry => entry.state)).toEqual(['waiting', 'confirmed', 'confirmed'])
})

it('does not wait forever for a frozen sender', async () => {
  const box = await filled(tick())
  const held = {
    request: (_name: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  } as unknown as LockManager
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const sending = flushOutbox({ database: box, locks: held, send: async () => ok })
  vi.advanceTimersByTime(30_000)
  vi.useRealTimers()
  expect((await sending).outcome).toBe('done')
  expect((await box.entries()).map(entry => entry.state)).toEqual(['confirmed'])
})

it('sends each change once per run, even if updating its entry fails', async () => {
  const box = await filled(tick({ recordedAt: 1 }), tick({ recordedAt: 2, webUserId: 101 }))
  const sent: string[] = []
  const result = await sendWaitingEntries(
    createWorld({
      send: async ({ changeId }) => {
        sent.push(changeId)
        return ok
      },
    }),
    // Storage that cannot be written.
    { ...boxOf(box), change: async () => true },
    sender,
  )
  expect(result).toEqual({ outcome: 'later', retryAfterMs: null })
  expect(new Set(sent).size).toBe(2)
  expect(sent).toHaveLength(2)
})

it('stores the token only while the user has unsent entries', async () => {
  const box = await database()
  const waiting = tick()
  await box.put([withEntryKey(waiting)], sender)
  await box.releaseSender()
  expect(await box.readSender()).toEqual(sender)
  await box.replace(withEntryKey({ ...waiting, state: 'refused' }))
  await box.releaseSender()
  expect(await box.readSender()).toBeNull()
  await box.put([withEntryKey(waiting)], sender)
  await box.releaseSender(true)
  expect(await box.readSender()).toBeNull()
})

it('leaves other users’ entries unchanged', async () => {
  const box = await filled(tick({ userId: 8 }))
  const result = await flushOutbox({ database: box, send: () => Promise.reject(new Error('sent')) })
  expect(result.outcome).toBe('done')
  expect(await box.entries()).toHaveLength(1)
})

it('continues with the other entries after a rejection', async () => {
  const box = await filled(tick({ recordedAt: 1 }), tick({ recordedAt: 2, webUserId: 101 }))
  await flushOutbox({
    database: box,
    send: async entry =>
      entry.kind === 'tick' && entry.webUserId === 100 ? { ...ok, isOk: false, message: 'no' } : ok,
  })
  expect((await box.entries()).map(entry => entry.state).sort()).toEqual(['confirmed', 'refused'])
})

it('dates changes in server time', () => {
  expect(changedAtIso(tick({ recordedAt: Date.parse('2026-01-12T18:00:00Z'), clockOffsetMs: 90_000 }))).toBe(
    '2026-01-12T18:01:30.000Z',
  )
})

it('waits longer after each failure, up to a minute', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 30].map(failures => backoffMs(failures, 1))
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  expect(backoffMs(3, 0)).toBe(4_000)
})

/** Server that follows the contract: a repeated change id or an older change has no effect. */
const contractServer = () => {
  const seen = new Set<string>()
  const latest = new Map<string, { at: string; isPresent: boolean }>()
  return {
    latest,
    take(entry: PresenceEntry) {
      const key = `${entry.courseDateId}/${entry.webUserId}`
      const at = changedAtIso(entry)
      if (!seen.has(entry.changeId) && at >= (latest.get(key)?.at ?? '')) {
        latest.set(key, { at, isPresent: entry.isPresent })
      }
      seen.add(entry.changeId)
    },
  }
}

it('delivers the last tap on every participant despite network errors and crashes', async () => {
  const taps = fc.array(fc.record({ webUserId: fc.integer({ min: 1, max: 4 }), isPresent: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  const weather = fc.array(fc.constantFrom('ok', 'lost before', 'lost after', 'crash', '503'), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(taps, weather, async (people, conditions) => {
      const box = await database()
      const server = contractServer()
      const coming = [...conditions]
      const send = async (entry: OutboxEntry) => {
        const condition = coming.shift() ?? 'ok'
        if (condition === 'lost before') throw new NoResponseError('')
        if (condition === '503') throw new ApiError(503, '')
        server.take(entry as PresenceEntry)
        if (condition === 'lost after') throw new NoResponseError('')
        if (condition === 'crash') throw new TypeError('the page was killed')
        return ok
      }
      let time = 0
      for (const person of people) {
        time += 1
        await box.put([withEntryKey(tick({ ...person, recordedAt: time }))])
        if (time % 3 === 0) await flushOutbox({ database: box, send })
      }
      for (let round = 0; round <= conditions.length + 1; round += 1) {
        await flushOutbox({ database: box, send })
      }
      expect((await box.entries()).every(entry => entry.state === 'confirmed')).toBe(true)
      for (const webUserId of new Set(people.map(person => person.webUserId))) {
        const last = people.findLast(person => person.webUserId === webUserId)
        expect(server.latest.get(`11/${webUserId}`)?.isPresent).toBe(last?.isPresent)
      }
    }),
    { numRuns: 60 },
  )
})
