import { expect, test } from 'vitest'
import {
  changeReminders,
  DEFAULT_REMINDERS,
  followThing,
  getReminders,
  listFollows,
  unfollowThing,
} from '#contract/endpoints/reminders.ts'
import {
  daysFromNow,
  insertCategory,
  insertCourse,
  insertSeason,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()

test('a course, a category and a season can be followed once each and unfollowed', async () => {
  const { token } = await insertUserWithSession(server.db)
  const other = await insertUserWithSession(server.db)
  const category = await insertCategory(server.db)
  const course = await insertCourse(server.db, { categoryId: category.id })
  const things = [
    { kind: 'course' as const, id: course.id },
    { kind: 'category' as const, id: category.id },
    { kind: 'season' as const, id: course.seasonId },
  ]
  for (const body of [...things, ...things])
    expect((await server.request(followThing, { token, body })).body).toMatchObject({ status: 'Ok' })
  expect((await server.request(listFollows, { token })).body).toEqual(things)
  expect((await server.request(listFollows, { token: other.token })).body).toEqual([])
  for (const body of [things[1], things[1]]) await server.request(unfollowThing, { token, ...(body && { body }) })
  expect((await server.request(listFollows, { token })).body).toEqual([things[0], things[2]])
})

test('items that are not visible cannot be followed', async () => {
  const { token } = await insertUserWithSession(server.db)
  const hidden = await insertSeason(server.db, { viewableFrom: daysFromNow(2) })
  const course = await insertCourse(server.db, { seasonId: hidden.id })
  for (const body of [
    { kind: 'season' as const, id: hidden.id },
    { kind: 'course' as const, id: course.id },
    { kind: 'category' as const, id: 2_147_483_647 },
  ])
    expect((await server.request(followThing, { token, body })).status).toBe(404)
})

test('reminders are off by default except e-mails about changes, and settings are stored', async () => {
  const { token } = await insertUserWithSession(server.db)
  const other = await insertUserWithSession(server.db)
  expect((await server.request(getReminders, { token })).body).toEqual({
    changes: { mail: true, push: false },
    lessonEve: { mail: false, push: false },
    opening: { mail: false, push: false },
    waiting: { mail: false, push: false },
  })
  const wanted = { ...DEFAULT_REMINDERS, changes: { mail: false, push: true }, waiting: { mail: true, push: true } }
  expect((await server.request(changeReminders, { token, body: wanted })).body).toEqual(wanted)
  expect((await server.request(getReminders, { token })).body).toEqual(wanted)
  expect((await server.request(getReminders, { token: other.token })).body).toEqual(DEFAULT_REMINDERS)
})
