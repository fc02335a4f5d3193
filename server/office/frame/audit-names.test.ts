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
