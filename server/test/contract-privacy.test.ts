import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { editWebUser } from '#contract/endpoints/accounts.ts'
import { bookCourse } from '#contract/endpoints/courses.ts'
import { endpoints } from '#contract/endpoints.ts'
import { createApp } from '#server/app.ts'
import { sql } from '#server/platform/db/client.ts'
import { createLog } from '#server/platform/observability/log.ts'
import { insertBooking, insertSession, insertUserWithSession } from './factories.ts'
import { readPdfPages } from './pdf.ts'
import { createWorld, type World } from './samples.ts'
import { addressOf, openTestServer } from './server.ts'

const NUMBERS = { bkkNumber: 'BKK-4711-0815', personnelNumber: 'PERS-2304198', ownerPersonnelNumber: 'OWNER-9912' }
const PRIVATE = { ...NUMBERS, mobilePhone: '0171 5550199', street: 'Geheimgasse 17', yearOfBirth: 1951 }
const SECRET = /BKK-4711|PERS-2304|OWNER-9912|5550199|Geheimgasse/

const lines: string[] = []
const server = await openTestServer()
const { db } = server
const { app } = createApp({
  ...server.context,
  log: createLog('debug', { write: line => void lines.push(line) }),
})
let world: World
beforeAll(async () => {
  world = await createWorld(db)
  for (const employeeStatus of [1, 2, 4, 5, 6, 7]) {
    const { id } = await insertUserWithSession(db, { ...PRIVATE, employeeStatus, billingType: 2 })
    await insertBooking(db, world.courseId, id)
  }
})
beforeEach(() => {
  lines.length = 0
})

async function send(endpoint: Endpoint, name: string, token: string, query: Record<string, string> = {}) {
  const { params, body, query: sampleQuery } = world.samples[name] ?? {}
  const response = await app.request(addressOf(endpoint, params, { ...sampleQuery, ...query }), {
    method: endpoint.method,
    headers: { SessionToken: token, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const isPdf = response.headers.get('Content-Type') === 'application/pdf'
  const content = new Uint8Array(await response.arrayBuffer())
  const text = isPdf ? readPdfPages(content).join('\n') : Buffer.from(content).toString('utf8')
  return { status: response.status, text: `${JSON.stringify([...response.headers])} ${text}` }
}

test.each(Object.entries(endpoints))(
  '%s shows instructors no participant’s personnel number, phone or address, nor does its log',
  async (name, endpoint) => {
    for (const view of ['', 'index', 'texts', 'states']) {
      const { status, text } = await send(
        endpoint,
        name,
        await insertSession(db, world.teacher.id),
        view ? { view } : {},
      )
      expect([200, 204, 302, 400, 403, 404, 415]).toContain(status)
      expect(text).not.toMatch(SECRET)
    }
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join()).not.toMatch(SECRET)
  },
)

test('an instructor’s lists contain the participants’ names', async () => {
  const token = await insertSession(db, world.teacher.id)
  const { getCourseDates, getParticipantList } = endpoints as Record<string, Endpoint>
  for (const [name, endpoint] of Object.entries({ getCourseDates, getParticipantList })) {
    expect((await send(endpoint as Endpoint, name, token)).text).toContain('Muster')
  }
})

test('the e-mail about a completed attendance list contains none of this data either', async () => {
  const { completeParticipation } = endpoints as Record<string, Endpoint>
  world.samples.completeParticipation = { body: { courseId: world.courseId, isCompleted: true } }
  await send(completeParticipation as Endpoint, 'completeParticipation', await insertSession(db, world.teacher.id))
  const mails = await db.query(
    sql`select payload from mails where web_user_id = ${world.teacher.id} and kind = 'course-closed'`,
  )
  expect(mails).toHaveLength(1)
  expect(JSON.stringify(mails)).not.toMatch(SECRET)
})

test('a database error whose text contains the whole row logs none of this data', async () => {
  const person = await insertUserWithSession(db, PRIVATE)
  const put = (path: string, body: object) =>
    app.request(path, {
      method: 'PUT',
      headers: { SessionToken: person.token, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  await db.execute(sql`alter table web_users add constraint broken check (city <> 'Kaputt')`)
  const profile = { ...PRIVATE, email: person.email, formOfAddress: 'Frau', givenName: 'Kim', familyName: 'Muster' }
  const home = { employeeStatus: 5, billingType: 2, zip: '38210', city: 'Kaputt' }
  const refused = await put(editWebUser.path, { ...profile, ...home })
  await db.execute(sql`alter table web_users drop constraint broken`)
  await db.execute(sql`alter table outbox add constraint broken check (recipient = '') not valid`)
  const unbooked = await put(bookCourse.path, { id: world.courseId })
  await db.execute(sql`alter table outbox drop constraint broken`)

  expect([refused.status, unbooked.status]).toEqual([500, 500])
  for (const table of ['web_users', 'outbox']) expect(lines.filter(line => line.includes(table))).toHaveLength(1)
  expect(lines.join()).not.toMatch(SECRET)
  for (const answer of [refused, unbooked]) expect(await answer.text()).not.toMatch(SECRET)
})
