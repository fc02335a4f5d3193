import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportPersonalData } from '#contract/personal-data.ts'
import { login } from '#contract/session.ts'
import { sql } from '#server/db/client.ts'
import { insertInboxItem } from '#server/features/inbox/repository.ts'
import { insertBooking, insertCourse, insertUserWithSession } from '#server/test-factories.ts'
import { createPersonTraces, type PersonTraces } from '#server/test-person.ts'
import { createTestServer, type TestServer } from '#server/test-server.ts'

let server: TestServer
let person: PersonTraces
beforeAll(async () => {
  server = await createTestServer()
  person = await createPersonTraces(server.db)
})
afterAll(() => server.close())

/** What the download leaves out: numbers of rows, which say nothing of a person, and what is worth a login. */
const LEFT_OUT = [
  /(?:^|\.)id$/,
  /_id$/,
  /hash$/,
  // where the content of a document is kept
  /sha256$/,
  'mails.payload',
  'mails.attempts',
  'mails.due_at',
  'mails.is_urgent',
  'mails.last_error',
  'bookings.seq',
  'attendance_changes.recorded_by',
  'throttle_events.subject',
  'known_devices.has_returned',
]
const isLeftOut = (name: string) => LEFT_OUT.some(rule => (typeof rule === 'string' ? rule === name : rule.test(name)))

/** A stored value as the download writes it. */
function written(column: string, value: unknown): string {
  const text = String(value)
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return text.slice(0, 19).replace('T', ' ')
  if (column === 'bookings.price_cents') return `:${Number(value) / 100},`
  if (column === 'bookings.state') return 'booked'
  return typeof value === 'string' ? text : `:${text}`
}

test('everything that is stored about a person is in the download, but for secrets', async () => {
  const rows = await person.listRows()
  const columns = rows.flatMap(({ table, row }) =>
    Object.entries(row).map(([name, value]) => ({ name: `${table}.${name}`, value })),
  )
  const { body } = await server.request(exportPersonalData, { token: person.token })
  const text = JSON.stringify(body)
  const missing = columns.filter(
    ({ name, value }) => value !== null && !isLeftOut(name) && !text.includes(written(name, value)),
  )
  expect(missing).toEqual([])
  // A column that is empty everywhere would prove nothing.
  const filled = new Set(columns.filter(({ value }) => value !== null && value !== '').map(({ name }) => name))
  expect(columns.map(({ name }) => name).filter(name => !filled.has(name) && !isLeftOut(name))).toEqual([
    'web_users.deleted_at',
  ])
})

test('values are written as the person knows them', async () => {
  const { id, email, token } = await insertUserWithSession(server.db, { bkkNumber: 'A123456789' })
  const course = await insertCourse(server.db, { name: 'Rückenfit' })
  await insertBooking(server.db, course.id, id, { priceCents: 4050 })
  await insertInboxItem(server.db, { webUserId: id, title: 'Willkommen', text: '<p>Hallo</p>' })
  await server.db.execute(sql`
    insert into attendances select id, ${id}, true, now() from course_dates where course_id = ${course.id} limit 1`)
  await server.request(login, { body: { userName: email, password: 'Falsch-12345' } })
  const { body } = await server.request(exportPersonalData, { token })
  expect(body).toMatchObject({
    account: { language: 'de' },
    profile: { email, bkkNumber: 'A123456789' },
    instructor: null,
    bookings: [{ name: 'Rückenfit', state: 'booked', priceEuro: 40.5, cancelledAt: null }],
    attendance: [{ name: 'Rückenfit', isPresent: true }],
    messages: [{ title: 'Willkommen' }],
    sessions: [{ isKept: false }],
    securityEvents: [
      { kind: 'login', address: '127.0.0.1' },
      { kind: 'spray', address: '127.0.0.1' },
    ],
  })
})

test('no hash, token or password is in it', async () => {
  const { body } = await server.request(exportPersonalData, { token: person.token })
  const text = JSON.stringify(body)
  expect(text).not.toMatch(/argon2|\$v=19|hash"|token"/i)
  for (const secret of person.secrets) expect(text).not.toContain(secret)
  expect(await server.db.query(sql`select from sessions where web_user_id = ${person.id}`)).toHaveLength(1)
})
