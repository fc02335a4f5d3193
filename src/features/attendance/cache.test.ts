import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, it } from 'vitest'
import { readKept, removeKept, writeCourses, writeList } from './cache.ts'
import type { StoredList } from './model.ts'
import { type OutboxDatabase, openOutboxDatabase } from './outbox-database.ts'
import type { Tick } from './outbox-records.ts'

const HOUR = 3_600_000
const fetchedAt = Date.parse('2026-11-21T12:00:00Z')
const list: StoredList = {
  courseId: 1,
  participants: [],
  courseDates: [],
  preSelectCourseDateId: 0,
  participatingComplete: false,
  message: '',
  state: 'Ok',
  fetchedAt,
}
const tick = (webUserId: number, state: Tick['state']): Tick => ({
  kind: 'tick',
  changeId: crypto.randomUUID(),
  userId: 7,
  courseId: 1,
  courseDateId: 12,
  webUserId,
  isPresent: true,
  recordedAt: 1,
  clockOffsetMs: 0,
  state,
  attempts: 1,
  lastError: '',
})

let database: OutboxDatabase
beforeEach(async () => {
  database = await openOutboxDatabase(new IDBFactory())
})

it('keeps courses and lists for their person, and for nobody else', async () => {
  await writeCourses(database, 7, [], fetchedAt)
  await writeList(database, 7, list, [])
  expect(await readKept(database, 7, fetchedAt)).toEqual({
    courses: [],
    coursesFetchedAt: fetchedAt,
    lists: { 1: list },
  })
  expect(await readKept(database, 8, fetchedAt)).toMatchObject({ courses: null, lists: {} })
  expect(await database.listKept()).toEqual([])
})

it('removes names after 48 hours, and everything with names when told to; ticks stay', async () => {
  await database.put([tick(100, 'waiting')])
  await writeCourses(database, 7, [], fetchedAt)
  await writeList(database, 7, list, [])
  expect((await readKept(database, 7, fetchedAt + 47 * HOUR)).lists).toHaveProperty('1')
  expect(await readKept(database, 7, fetchedAt + 49 * HOUR)).toMatchObject({ courses: [], lists: {} })
  await removeKept(database)
  expect(await database.listKept()).toEqual([])
  expect(await database.list()).toHaveLength(1)
})

it('lets confirmed ticks go together with the list that shows them, never a newer tap on the same person', async () => {
  const [settled, changedSince] = [tick(100, 'confirmed'), tick(101, 'confirmed')]
  const newer = tick(101, 'waiting')
  await database.put([settled, newer])
  await writeList(database, 7, list, [settled, changedSince])
  expect(await database.list()).toEqual([newer])
})

it('says which error it is when a newer version of the app has been here', async () => {
  const factory = new IDBFactory()
  await new Promise(resolve => {
    factory.open('attendance', 99).onsuccess = resolve
  })
  await expect(openOutboxDatabase(factory)).rejects.toMatchObject({ name: 'VersionError' })
})
