// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import type { CourseDates } from '#contract/endpoints/attendance.ts'
import { createEncryptor } from '#lib/encrypted-storage.ts'
import { completion, createWorld, person, tick } from '#test/outbox/world.ts'
import {
  applyConfirmedEntry,
  attendanceListExpiryMs,
  removeExpiredAttendanceLists,
  type StoredAttendanceList,
} from './list-rows.ts'
import { AttendanceLists, type AttendanceListsPlatform } from './lists.ts'
import { Outbox } from './outbox.ts'
import { createOpenSessionTracker, openOutboxDatabase } from './platform.ts'
import { withEntryKey } from './records.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-21T12:00:00Z')
const date = (id: number, day: number, presentIds: number[]) => ({
  id,
  date: { year: 2026, month: 11, day, hour: 18, minute: 0, second: 0 },
  participants: [100, 101].map(who => ({
    id: who,
    name: `Muster, Kim-${who}`,
    isUserPresent: presentIds.includes(who),
    participation: 1,
  })),
})
const answer: CourseDates = {
  courseId: 1,
  participants: date(11, 16, [100, 101]).participants,
  courseDates: [date(11, 16, [100, 101]), date(12, 23, [])],
  preSelectCourseDateId: 11,
  participatingComplete: false,
  message: '',
  state: 'Ok',
}
const list: StoredAttendanceList = { ...answer, fetchedAt: NOW }

let now = NOW
/** server time verified by responses; null before the page's first response */
let verified: number | null = null
let device: ReturnType<typeof createWorld>
let held: { name: string }[]
beforeEach(() => {
  now = NOW
  verified = null
  held = []
  device = createWorld({ now: () => now })
})

/** Shared locks of the tabs on this device. */
const locks = {
  request: async (name: string, _how: unknown, work: () => Promise<unknown>) => {
    const lock = { name }
    held.push(lock)
    await work()
    held = held.filter(other => other !== lock)
  },
  query: async () => ({ held }),
} as unknown as LockManager

/** The attendance lists as seen by a page on this device. */
function openPage(answers: Partial<AttendanceListsPlatform> = {}) {
  const outbox = new Outbox(device)
  const sessions = createOpenSessionTracker(locks, device.after)
  const world = {
    sessions,
    now: () => now,
    clockOffsetMs: device.clockOffsetMs,
    verifiedServerNow: () => verified,
    tell: () => undefined,
    after: device.after,
    fetchList: async () => answer,
    fetchCourses: async () => [],
  }
  const lists = new AttendanceLists({ ...world, createEncryptor, ...answers }, outbox)
  const start = async (who: typeof person | null) => {
    await outbox.setPerson(who)
    await lists.setPerson(who)
  }
  return { outbox, lists, start, close: sessions.pause }
}

const onDisk = async () => (await openOutboxDatabase(device.factory)).listStored()
const textOf = (rows: { value: unknown }[]) =>
  rows
    .map(({ value }) => {
      const { data } = value as { data?: ArrayBuffer }
      return JSON.stringify(value) + (data ? new TextDecoder().decode(data) : '')
    })
    .join()

test('a stored list is readable only by its user and session', async () => {
  const page = openPage()
  await page.start(person)
  await page.lists.load(1)
  expect(await onDisk()).toHaveLength(1)
  expect(textOf(await onDisk())).not.toContain('Muster')

  const reloaded = openPage({ fetchList: () => Promise.reject(new Error('offline')) })
  await reloaded.start(person)
  expect(reloaded.lists.current().lists[1]?.courseDates).toEqual(answer.courseDates)

  // Same user, different session: the key was deleted with the former session.
  page.close()
  reloaded.close()
  const later = openPage()
  await later.start({ ...person, token: 'another' })
  expect(later.lists.current().lists).toEqual({})
  expect(await onDisk()).toEqual([])
})

test('a start without a session deletes all names but no entries', async () => {
  const page = openPage()
  await page.start(person)
  await page.lists.load(1)
  device.isReachable = false
  await page.outbox.record([{ kind: 'tick', courseId: 1, courseDateId: 12, webUserId: 100, isPresent: true }])
  page.close()
  const next = openPage()
  await next.start(null)
  expect(await onDisk()).toEqual([])
  expect(next.outbox.entries().entries).toHaveLength(1)
})

test.each([
  ['without a session', null],
  ['of another user', { ...person, userId: 8, token: 'another' }],
])('a tab %s leaves the lists of a logged-in tab, and deletes them once that tab is closed', async (_, who) => {
  const before = openPage()
  await before.start(who)
  const page = openPage()
  await page.start(person)
  await page.lists.load(1)
  await before.lists.recall()
  const after = openPage()
  await after.start(who)
  expect(await onDisk()).toHaveLength(1)
  expect(after.lists.current().lists).toEqual({})
  const reloaded = openPage({ fetchList: () => Promise.reject(new Error('offline')) })
  await reloaded.start(person)
  expect(reloaded.lists.current().lists).toHaveProperty('1')

  page.close()
  reloaded.close()
  await openPage().start(who)
  expect(await onDisk()).toEqual([])
})

test('a logout deletes the names once no other tab has that session', async () => {
  const [page, other] = [openPage(), openPage()]
  await page.start(person)
  await other.start(person)
  await page.lists.load(1)
  await page.start(null)
  expect(page.lists.current().lists).toEqual({})
  await other.start(null)
  expect(await onDisk()).toEqual([])
})

test('a list is read again after the database did not respond, even offline', async () => {
  const page = openPage()
  await page.start(person)
  await page.lists.load(1)
  let isSilent = true
  const { openDatabase } = device
  device.openDatabase = onLost => (isSilent ? Promise.reject(new Error('silent')) : openDatabase(onLost))
  let again = () => {}
  const reloaded = openPage({
    fetchList: () => Promise.reject(new Error('offline')),
    after: (_, act) => {
      again = act
      return () => undefined
    },
  })
  await reloaded.start(person)
  expect(reloaded.lists.current().lists).toEqual({})
  isSilent = false
  again()
  await expect.poll(() => reloaded.lists.current().lists).toHaveProperty('1')
})

const EXPIRES_AT = Date.parse('2026-11-23T17:00:00Z') + 48 * HOUR

test('names are deleted 48 hours after the date, even by the service worker without a session', async () => {
  const page = openPage()
  await page.start(person)
  await page.lists.load(1)
  expect(attendanceListExpiryMs(list)).toBe(EXPIRES_AT)
  await removeExpiredAttendanceLists(page.outbox, EXPIRES_AT - HOUR)
  expect(await onDisk()).toHaveLength(1)
  await removeExpiredAttendanceLists(new Outbox(device), EXPIRES_AT + HOUR)
  expect(await onDisk()).toEqual([])
  verified = EXPIRES_AT + HOUR
  await page.lists.dropExpired()
  expect(page.lists.current().lists).toEqual({})
})

test.each([
  ['ahead', 400 * 24 * HOUR],
  ['back', -400 * 24 * HOUR],
])('a device clock that jumps %s while offline deletes no list; the verified server time does', async (_, byMs) => {
  const page = openPage()
  await page.start(person)
  await page.lists.load(1)
  page.close()
  now += byMs
  const offline = openPage({ fetchList: () => Promise.reject(new Error('offline')) })
  await offline.start(person)
  await offline.lists.dropExpired()
  await removeExpiredAttendanceLists(new Outbox(device), verified)
  expect(offline.lists.current().lists).toHaveProperty('1')
  expect(await onDisk()).toHaveLength(1)
  verified = EXPIRES_AT - HOUR
  await offline.lists.dropExpired()
  expect(offline.lists.current().lists).toHaveProperty('1')
  expect(await onDisk()).toHaveLength(1)
  verified = EXPIRES_AT
  await offline.lists.dropExpired()
  expect(offline.lists.current().lists).toEqual({})
  expect(await onDisk()).toEqual([])
})

test('the expiry stored with a list is server time, however wrong the device clock was', async () => {
  now = NOW - 365 * 24 * HOUR
  device.clockOffsetMs = () => 365 * 24 * HOUR
  const page = openPage()
  await page.start(person)
  await page.lists.load(1)
  await removeExpiredAttendanceLists(new Outbox(device), EXPIRES_AT - HOUR)
  expect(await onDisk()).toHaveLength(1)
})

test('an expired list remains as long as unconfirmed changes refer to it', async () => {
  device.isReachable = false
  const page = openPage()
  await page.start(person)
  await page.lists.load(1)
  await page.outbox.record([{ kind: 'tick', courseId: 1, courseDateId: 12, webUserId: 100, isPresent: true }])
  await page.outbox.flush()
  verified = EXPIRES_AT
  await page.lists.dropExpired()
  expect(page.lists.current().lists).toHaveProperty('1')
  expect(await onDisk()).toHaveLength(1)
  device.isReachable = true
  await page.outbox.flush()
  await page.lists.dropExpired()
  expect(page.lists.current().lists).toEqual({})
  expect(await onDisk()).toEqual([])
})

test('fetching the courses verifies the time, after which expired lists are deleted', async () => {
  const page = openPage({
    fetchCourses: async () => {
      verified = EXPIRES_AT
      return []
    },
  })
  await page.start(person)
  await page.lists.load(1)
  await page.lists.loadCourses()
  expect(page.lists.current().lists).toEqual({})
  expect((await onDisk()).map(({ key }) => key)).toEqual(['7/courses'])
})

test('without a future date, a list expires 48 hours after the fetch', () => {
  const over = { ...list, fetchedAt: Date.parse('2026-12-24T12:00:00Z') }
  expect(attendanceListExpiryMs(over)).toBe(over.fetchedAt + 48 * HOUR)
})

test('unencrypted lists of version 1.2.0 are read, and encrypted from then on', async () => {
  const database = await openOutboxDatabase(device.factory)
  await database.writeStored({
    '7/list/1': { kind: 'list', list },
    '7/courses': { kind: 'courses', courses: [{ id: 1 }], fetchedAt: NOW },
    '8/list/2': { kind: 'list', list: { ...list, courseId: 2 } },
  })
  const page = openPage()
  await page.start(person)
  expect(page.lists.current()).toMatchObject({
    courses: [{ id: 1 }],
    lists: { 1: { courseDates: answer.courseDates } },
  })
  expect((await onDisk()).map(({ key }) => key).sort()).toEqual(['7/courses', '7/list/1'])
  expect(textOf(await onDisk())).not.toContain('Muster')
})

test('damaged rows are deleted, and the list is fetched again', async () => {
  const database = await openOutboxDatabase(device.factory)
  const sealed = await (await createEncryptor(person))?.seal('7/list/2', list, null)
  await database.writeStored({ '7/list/1': null, '7/list/2': { ...sealed, iv: new Uint8Array(12) }, '7/list/3': 'x' })
  const page = openPage()
  await page.start(person)
  expect(await onDisk()).toEqual([])
  await page.lists.load(1)
  expect(page.lists.current().lists).toHaveProperty('1')
})

test('confirmed entries are applied to the list without fetching it again', async () => {
  let asked = 0
  const page = openPage({
    fetchList: async () => {
      asked += 1
      return answer
    },
  })
  await page.start(person)
  await page.lists.load(1)
  await page.outbox.record([{ kind: 'tick', courseId: 1, courseDateId: 12, webUserId: 100, isPresent: true }])
  await page.outbox.flush()
  await expect.poll(() => page.outbox.entries().entries).toEqual([])
  expect(page.lists.current().lists[1]).toMatchObject({
    participants: [{ id: 100, participation: 2, isUserPresent: true }, { id: 101 }],
    courseDates: [{ id: 11 }, { participants: [{ isUserPresent: true, participation: 2 }, { isUserPresent: false }] }],
  })
  expect(asked).toBe(1)
  const reloaded = openPage({ fetchList: () => Promise.reject(new Error('offline')) })
  await reloaded.start(person)
  expect(reloaded.lists.current().lists[1]).toEqual(page.lists.current().lists[1])
})

test('a list is encrypted once per series of changes, but at least every four seconds', async () => {
  const timers = new Set<{ at: number; act: () => void }>()
  let passed = 0
  const pass = (ms: number) => {
    passed += ms
    for (const timer of [...timers]) if (timer.at <= passed && timers.delete(timer)) timer.act()
  }
  const sealed: string[] = []
  const page = openPage({
    after: (ms, act) => {
      const timer = { at: passed + ms, act }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    createEncryptor: async () => ({
      sessionId: 'session',
      open: () => Promise.reject(new Error('not asked for')),
      seal: async (key, value) => {
        sealed.push(JSON.stringify(value))
        return { kind: 'sealed', sessionId: key, expiresAt: null, iv: new Uint8Array(12), data: new ArrayBuffer(1) }
      },
    }),
  })
  await page.start(person)
  await page.lists.load(1)
  sealed.length = 0
  const tap = async (webUserId: number, isPresent = true) => {
    await page.outbox.record([{ kind: 'tick', courseId: 1, courseDateId: 12, webUserId, isPresent }])
    await page.outbox.flush()
    await expect.poll(() => page.outbox.entries().entries.every(({ state }) => state === 'confirmed')).toBe(true)
  }
  await tap(100)
  pass(900)
  await tap(101)
  pass(900)
  expect(sealed).toEqual([])
  pass(100)
  await expect.poll(() => page.outbox.entries().entries).toEqual([])
  expect(sealed).toHaveLength(1)
  for (const isPresent of [false, true, false, true, false]) {
    await tap(100, isPresent)
    pass(800)
  }
  await expect.poll(() => sealed.length).toBe(2)
})

test('the list requested last prevails, whatever the device clock shows', async () => {
  const page = openPage({
    fetchList: async () => ({ ...answer, courseDates: [date(11, 16, now === NOW ? [100, 101] : [])] }),
  })
  await page.start(person)
  await page.lists.load(1)
  now = NOW - 10 * 365 * 24 * HOUR
  await page.lists.load(1)
  const [first] = page.lists.current().lists[1]?.courseDates ?? []
  expect(first?.participants.map(({ isUserPresent }) => isUserPresent)).toEqual([false, false])
})

test('a list requested before the session is known is fetched as soon as it is', async () => {
  const page = openPage()
  const asked = page.lists.load(1)
  await page.start(person)
  await asked
  expect(page.lists.current().lists[1]).toMatchObject({ courseId: 1, fetchedAt: NOW })
})

test('a list requested before another tab sent a change does not revert the change', async () => {
  const [hidden, other] = [openPage({ fetchList: () => asked.shift() ?? Promise.resolve(newer) }), openPage()]
  const newer = { ...answer, courseDates: [date(11, 16, [100, 101]), date(12, 23, [100])] }
  const late = Promise.withResolvers<CourseDates>()
  const asked = [Promise.resolve(answer), late.promise]
  const presentOf = (page: typeof hidden) =>
    page.lists
      .current()
      .lists[1]?.courseDates.map(of => of.participants.filter(who => who.isUserPresent).map(who => who.id))
  for (const page of [hidden, other]) await page.start(person)
  await hidden.lists.load(1)
  await other.lists.recall()
  device.isReachable = false
  await other.outbox.record([{ kind: 'tick', courseId: 1, courseDateId: 12, webUserId: 100, isPresent: true }])
  await hidden.outbox.refresh()
  const loading = hidden.lists.load(1)
  device.isReachable = true
  await other.outbox.flush()
  await expect.poll(() => other.outbox.entries().entries).toEqual([])
  await hidden.outbox.refresh()
  late.resolve(answer)
  await loading
  expect(presentOf(hidden)).toEqual([[100, 101], [100]])
  await other.lists.recall()
  expect(presentOf(other)).toEqual([[100, 101], [100]])
})

test('all lists with a newly rejected change are fetched again', async () => {
  const asked: number[] = []
  const waiting = new Set<() => void>()
  const page = openPage({
    fetchList: async courseId => {
      asked.push(courseId)
      return { ...answer, courseId }
    },
    after: (_ms, act) => {
      waiting.add(act)
      return () => void waiting.delete(act)
    },
  })
  await page.start(person)
  const database = await openOutboxDatabase(device.factory)
  for (const courseId of [1, 2]) {
    await database.put([withEntryKey(tick({ courseId, courseDateId: courseId, state: 'refused' }))])
    await page.outbox.refresh()
  }
  for (const act of waiting) act()
  await expect.poll(() => asked).toEqual([1, 2])
})

test('an older response that arrives late is ignored', async () => {
  const held: ((list: CourseDates) => void)[] = []
  const page = openPage({ fetchList: () => new Promise(resolve => held.push(resolve)) })
  await page.start(person)
  const [older, newer] = [page.lists.load(1), page.lists.load(1)]
  held[1]?.({ ...answer, participatingComplete: true })
  await newer
  held[0]?.(answer)
  await older
  expect(page.lists.current().lists[1]?.participatingComplete).toBe(true)
})

test('applying entries updates presence, counts and closing, and ignores unlisted participants', () => {
  expect(applyConfirmedEntry(list, tick({ courseDateId: 11, isPresent: false })).participants[0]).toMatchObject({
    isUserPresent: false,
    participation: 0,
  })
  expect(applyConfirmedEntry(list, tick({ courseDateId: 11, isPresent: true }))).toBe(list)
  const overtaken = applyConfirmedEntry(list, tick({ courseDateId: 11, isPresent: true, state: 'overtaken' }))
  expect(overtaken.participants[0]?.isUserPresent).toBe(false)
  const standing = { courseDateId: 11, isPresent: true, state: 'overtaken' } as const
  expect(applyConfirmedEntry(list, tick({ ...standing, stands: 'none' })).participants[0]).toMatchObject({
    isUserPresent: false,
    isRecorded: false,
    participation: 0,
  })
  expect(applyConfirmedEntry(list, tick({ ...standing, stands: 'absent' })).participants[0]).toMatchObject({
    isUserPresent: false,
    isRecorded: true,
    participation: 0,
  })
  expect(applyConfirmedEntry(list, completion()).participatingComplete).toBe(true)
  expect(applyConfirmedEntry(list, tick({ webUserId: 999 }))).toBe(list)
})

test('names and dates that are no longer listed remain while a change refers to them', async () => {
  const without: CourseDates = {
    ...answer,
    participants: answer.participants.filter(({ id }) => id !== 101),
    courseDates: answer.courseDates
      .filter(({ id }) => id !== 12)
      .map(of => ({ ...of, participants: of.participants.filter(({ id }) => id !== 101) })),
  }
  const answers = [answer, without, without]
  const { outbox, lists, start } = openPage({ fetchList: async () => answers.shift() ?? without })
  await start(person)
  await lists.load(1)
  await outbox.record([{ kind: 'tick', courseId: 1, courseDateId: 12, webUserId: 101, isPresent: true }])
  await lists.load(1)
  const former = {
    people: [{ id: 101, name: 'Muster, Kim-101' }],
    dates: [{ id: 12, date: answer.courseDates[1]?.date }],
  }
  expect(lists.current().lists[1]?.former).toEqual(former)
  await lists.load(1)
  expect(lists.current().lists[1]?.former).toEqual(former)
})
