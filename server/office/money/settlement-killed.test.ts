import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Act } from '#contract/acts/acts.ts'
import { performAct } from '#server/office/acts/service.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { dyingAt } from '#server/test/dying-database.ts'
import { insertPastCourse, insertPlace } from '#server/test/money-scene.ts'
import { insertOfficer } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const { db } = server
const officer = await insertOfficer(server, ['billing'])
const config = { ...readConfig({}), region: 'DE-NI', dataDir: '', publicUrl: '' }
const call = { actor: { kind: 'user', id: officer.id, rights: ['billing'] }, language: 'de', config } as const

async function insertCourses(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1) {
    const course = await insertPastCourse(db)
    for (const present of [3, 0]) await insertPlace(db, course, present)
    ids.push(course.id)
  }
  return ids
}
const settlementOf = (courseIds: number[]): Act => ({
  actId: randomUUID(),
  kind: 'settle-courses',
  courseIds,
  preview: false,
})
/** By course: entries, their sum, and settlements; messages and audit log lines about all. */
const countOf = async (courseIds: readonly number[]) => ({
  courses: await db.query<{ entries: number; cents: number; settlements: number }>(sql`
    select (select count(*)::int from ledger_entries e where e.course_id = c.id) as entries,
      (select coalesce(sum(cents), 0)::int from ledger_entries e where e.course_id = c.id) as cents,
      (select count(*)::int from settlements s where s.course_id = c.id) as settlements
    from unnest(${[...courseIds]}::int[]) with ordinality c (id, number) order by number`),
  ...(await db.one<{ messages: number; lines: number }>(sql`
    select (select count(*)::int from inbox_items i join bookings b on b.web_user_id = i.web_user_id
        where b.course_id = any(${[...courseIds]}::int[])) as messages,
      (select count(*)::int from office_record r where r.kind = 'settle-courses'
        and r.line::jsonb -> 'objects' ->> 'courseIds' = any(${courseIds.map(String)}::text[])) as lines`)),
})
const DONE = { entries: 3, cents: 4_500, settlements: 1 }
const NOTHING = { entries: 0, cents: 0, settlements: 0 }

test('after a kill before any statement, settled courses remain, and a retry settles the others once', {
  tags: 'extended',
  timeout: 120_000,
}, async () => {
  const ids = await insertCourses(3)
  const act = settlementOf(ids)
  const preview = await performAct(db, { ...act, preview: true }, call)
  expect(await countOf(ids)).toEqual({ courses: ids.map(() => NOTHING), messages: 0, lines: 0 })
  const settled = new Set<number>()
  let deaths = 0
  for (let statement = 1; ; statement += 1) {
    const dying = dyingAt(db, statement)
    const answer = await performAct(dying, act, call).catch(() => null)
    const { courses, messages, lines } = await countOf(ids)
    for (const course of courses) expect([DONE, NOTHING]).toContainEqual(course)
    const done = courses.filter(({ settlements }) => settlements > 0).length
    expect([messages, lines]).toEqual([2 * done, done])
    settled.add(done)
    if (!dying.hasDied()) {
      expect(answer).toMatchObject({ status: 'Ok', result: preview.result, consequences: preview.consequences })
      break
    }
    expect(answer).toBeNull()
    deaths += 1
  }
  expect(deaths).toBeGreaterThan(40)
  expect([...settled].sort()).toEqual([0, 1, 2, 3])
  const answer = await performAct(db, act, call)
  expect(answer).toMatchObject({ status: 'Ok', result: preview.result })
  expect(await countOf(ids)).toEqual({ courses: ids.map(() => DONE), messages: 6, lines: 3 })
})

test('repeated ten times and sent concurrently by two users, each course is settled once', async () => {
  const ids = await insertCourses(3)
  const act = settlementOf(ids)
  const desks = Array.from({ length: 4 }, (_, index) =>
    performAct(db, index % 2 ? act : settlementOf([...ids].reverse()), call),
  )
  for (const answer of await Promise.all(desks)) expect(answer.status).toBe('Ok')
  for (let time = 0; time < 10; time += 1) expect((await performAct(db, settlementOf(ids), call)).status).toBe('Ok')
  const { courses, messages } = await countOf(ids)
  expect({ courses, messages }).toEqual({ courses: ids.map(() => DONE), messages: 6 })
})

test('no course is settled if one of them cannot be', async () => {
  const ids = await insertCourses(2)
  await db.execute(sql`update courses set is_participating_complete = false where id = ${Math.max(...ids)}`)
  expect((await performAct(db, settlementOf(ids), call)).status).toBe('Reason')
  expect((await countOf(ids)).courses).toEqual([NOTHING, NOTHING])
})
