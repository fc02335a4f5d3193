import { expect, test } from 'vitest'
import { listOwnReads, listRecord } from '#contract/office/office.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertBooking, insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { insertOfficer, openTestDesk } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()

test('the audit log shows actor, person and course with their current names', async () => {
  const course = await insertCourse(server.db)
  const anna = await insertUserWithSession(server.db, { givenName: 'Anna', familyName: 'Vorher' })
  await insertBooking(server.db, course.id, anna.id)
  const office = await openTestDesk(server, ['bookings'])
  await office.act({ kind: 'cancel-booking', courseId: course.id, webUserId: anna.id, charge: 'none' })
  await server.db.execute(sql`update web_users set family_name = 'Nachher' where id = ${anna.id}`)
  const { token } = await insertOfficer(server, ['record'])
  const read = async () => (await server.request(listRecord, { query: { person: String(anna.id) }, token })).body.items
  const [line] = await read()
  expect(line).toMatchObject({
    kind: 'cancel-booking',
    names: { webUserId: 'Anna Nachher', courseId: expect.stringContaining(' ') },
    concerned: [{ id: anna.id, name: 'Anna Nachher' }],
  })
  expect(line?.actor).not.toBe('')
  const stored = await server.db.one<{ line: string }>(
    sql`select line from office_record where number = ${line?.recordId ?? 0}`,
  )
  expect(stored.line).not.toContain('Anna')
  // Reading a name is logged as an access to the person's data.
  const { items } = (await server.request(listOwnReads, { token: anna.token })).body
  expect(items.map(({ call }) => call)).toContain('listRecord')
  await server.db.execute(sql`update web_users set deleted_at = clock_timestamp() where id = ${anna.id}`)
  expect((await read())[0]?.names).not.toHaveProperty('webUserId')
})

test('the audit log names each of several lessons, and people without a name by their address', async () => {
  const course = await insertCourse(server.db, { name: 'Yoga', name2: 'Yoga class' })
  const lessons = await server.db.query<{ id: number }>(
    sql`select id from course_dates where course_id = ${course.id} and held_at > localtimestamp order by held_at desc limit 2`,
  )
  const office = await openTestDesk(server, ['programme', 'bookings'])
  const act = {
    kind: 'change-lessons',
    lessons: lessons.map(({ id }) => ({ courseDateId: id, venue: 'Halle 7' })),
  } as const
  expect(await office.act(act)).toMatchObject({ status: 'Ok' })
  await office.act({ kind: 'invite-person', email: 'ohne.namen@demo.example' })
  const { token } = await insertOfficer(server, ['record'])
  const [invited, changed] = (await server.request(listRecord, { token })).body.items
  expect(invited?.names).toEqual({ webUserId: 'ohne.namen@demo.example' })
  const named = expect.stringMatching(/ Yoga, \d\d\.\d\d\.\d{4} \d\d:\d\d$/)
  for (const { id } of lessons) expect(changed?.names).toMatchObject({ [id]: named })
  expect(changed?.names.courseDateIds).toContain('; ')
  const english = (await server.request(listRecord, { token, language: 'en' })).body.items[1]
  for (const { id } of lessons) expect(english?.names[id]).toContain(' Yoga class, ')
})
