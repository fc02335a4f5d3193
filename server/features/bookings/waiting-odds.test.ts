import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getWaitingOdds, MIN_ODDS_PEOPLE, SOON_DAYS } from '#contract/endpoints/courses.ts'
import { listOddsOutcomes } from '#contract/office/report.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import {
  insertBooking,
  insertCategory,
  insertCourse,
  insertSeason,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['billing'])
const { db } = server
const DAY_MS = 24 * 3_600_000
const { Waitinglist } = BOOKING_STATUS

/** One person on a past waiting list. Days count from the start of booking. */
type Entry = { joinedOn: number; leftOn: number; isPlaced: boolean }

/** Counts without SQL: replays the list and looks for the first moment at which the person has the position. */
function countByReplay(lists: Entry[][], position: number) {
  const counts = { people: 0, placed: 0, placedSoon: 0 }
  for (const list of lists)
    for (const [at, entry] of list.entries()) {
      const ahead = list.slice(0, at)
      const moments = [entry.joinedOn, ...ahead.map(({ leftOn }) => leftOn)].filter(
        day => day >= entry.joinedOn && day < entry.leftOn,
      )
      const reached = moments
        .sort((a, b) => a - b)
        .find(day => ahead.filter(({ leftOn }) => leftOn > day).length + 1 === position)
      if (reached === undefined) continue
      counts.people += 1
      if (!entry.isPlaced) continue
      counts.placed += 1
      if (entry.leftOn < reached + SOON_DAYS) counts.placedSoon += 1
    }
  return counts
}

const people = await Promise.all(Array.from({ length: 24 }, () => insertWebUser(db)))

async function insertPastList(
  tx: Queryable,
  categoryId: number,
  list: Entry[],
  { daysAgo = 400, seasonId }: { daysAgo?: number; seasonId?: number } = {},
): Promise<void> {
  const start = Date.now() - daysAgo * DAY_MS
  const at = (day: number) => new Date(start + day * DAY_MS)
  const { id } = await insertCourse(tx, { categoryId, closesAt: at(200), ...(seasonId && { seasonId }) })
  await tx.execute(sql`
    insert into bookings (course_id, web_user_id, seq, state, price_cents, booked_at, promoted_at, cancelled_at)
    select ${id}, g.person, g.seq, case when g.is_placed then 1 else 2 end, 0, g.joined, case when g.is_placed then g.left end,
      case when not g.is_placed then g.left end
    from unnest(${list.map((_, index) => people[index]?.id)}::int[], ${list.map(({ joinedOn }) => at(joinedOn))}::timestamptz[],
      ${list.map(({ leftOn }) => at(leftOn))}::timestamptz[], ${list.map(({ isPlaced }) => isPlaced)}::boolean[])
      with ordinality as g (person, joined, "left", is_placed, seq)`)
}

/** Opens a course of the category in which the person waits at the position, behind a person who is passed over. */
async function waitAt(categoryId: number, position: number) {
  const course = await insertCourse(db, { categoryId, capacity: 0 })
  for (let ahead = 1; ahead < position; ahead++)
    await insertBooking(db, course.id, (await insertWebUser(db)).id, {
      state: Waitinglist,
      seq: ahead,
      isPassedOver: ahead === 1,
    })
  const { token, id } = await insertUserWithSession(db)
  await insertBooking(db, course.id, id, { state: Waitinglist, seq: position })
  const response = await server.request(getWaitingOdds, { params: { id: course.id }, token })
  return response.body
}

const entry = fc.record({ wait: fc.integer({ min: 1, max: 40 }), isPlaced: fc.boolean() })
const lists = fc.array(fc.array(entry, { minLength: 8, maxLength: 24 }), { minLength: 3, maxLength: 4 })

test('odds equal those of a replay of the past waiting lists', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 6 }), async (drawn, position) => {
      const { id: categoryId } = await insertCategory(db)
      // Different fractions of a day: nobody leaves when another one joins or leaves, or within an hour of seven days, when
      // the clock may change.
      const past = drawn.map(list =>
        list.map(({ wait, isPlaced }, index) => ({
          joinedOn: index / 100,
          leftOn: index / 100 + wait + 0.3 + index / 977,
          isPlaced,
        })),
      )
      for (const list of past) await insertPastList(db, categoryId, list)
      const expected = countByReplay(past, position)
      expect(await waitAt(categoryId, position)).toEqual({
        odds: expected.people < MIN_ODDS_PEOPLE ? null : { position, ...expected },
      })
    }),
    { numRuns: 8 },
  )
})

test('fewer than 20 past entries, other categories and people who do not wait have no odds', async () => {
  const { id: categoryId } = await insertCategory(db)
  const list = Array.from({ length: 19 }, (_, index) => ({ joinedOn: index / 100, leftOn: 5 + index, isPlaced: true }))
  await insertPastList(db, categoryId, list)
  expect(await waitAt(categoryId, 1)).toEqual({ odds: null })
  await insertPastList(db, categoryId, list.slice(0, 1))
  expect(await waitAt(categoryId, 1)).toMatchObject({ odds: { position: 1, placed: 20 } })
  expect(await waitAt((await insertCategory(db)).id, 1)).toEqual({ odds: null })
  const course = await insertCourse(db, { categoryId })
  const { token } = await insertUserWithSession(db)
  expect((await server.request(getWaitingOdds, { params: { id: course.id }, token })).body).toEqual({ odds: null })
})

test('the odds of a season are compared with its outcome', async () => {
  const { id: categoryId } = await insertCategory(db)
  const season = await insertSeason(db, { bookableFrom: new Date(Date.now() - 199 * DAY_MS) })
  const before = Array.from({ length: 20 }, (_, index) => ({
    joinedOn: index / 100,
    leftOn: 5 + index,
    isPlaced: true,
  }))
  const now = before.slice(0, 6).map((entry, index) => ({ ...entry, isPlaced: index < 2 }))
  await insertPastList(db, categoryId, before)
  await insertPastList(db, categoryId, now, { daysAgo: 201, seasonId: season.id })
  const { body } = await server.request(listOddsOutcomes, {
    query: { seasonId: String(season.id) },
    token: office.token,
  })
  const [first, second] = [countByReplay([now], 1), countByReplay([now], 2)]
  expect(body.items).toEqual([
    {
      courseCategoryId: categoryId,
      position: 1,
      people: first.people,
      placed: first.placed,
      peopleBefore: 20,
      placedBefore: 20,
    },
    {
      courseCategoryId: categoryId,
      position: 2,
      people: second.people,
      placed: second.placed,
      peopleBefore: 19,
      placedBefore: 19,
    },
  ])
})
