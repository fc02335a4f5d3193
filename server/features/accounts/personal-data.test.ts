import { expect, test } from 'vitest'
import { exportPersonalData } from '#contract/endpoints/personal-data.ts'
import { login } from '#contract/endpoints/session.ts'
import { sql } from '#server/platform/db/client.ts'
import { DATA_MAP_TABLES, dataCategoriesByColumn } from '#server/platform/db/data-map.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import {
  insertInboxItem,
  insertInstructorWithSession,
  insertTick,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { openTestDesk } from '#server/test/office.ts'
import { createPersonTraces } from '#server/test/person.ts'
import { openTestServer } from '#server/test/server.ts'
import { insertTaughtCourse } from '#server/test/taught-course.ts'

const server = await openTestServer()
const person = await createPersonTraces(server.db)

/** Columns that the download omits according to the data map: system data and excluded columns. */
const isLeftOut = (table: string, column: string) =>
  dataCategoriesByColumn(table).get(column) === 'system' || DATA_MAP_TABLES[table]?.notExported?.[column] !== undefined

/** A stored value in the format of the download. */
function written(column: string, value: unknown): string {
  const text = String(value)
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return text.slice(0, 19).replace('T', ' ')
  if (/^(?:bookings\.price|instructors\.hourly_fee)_cents/.test(column)) return `:${Number(value) / 100},`
  if (column === 'bookings.state') return 'booked'
  // Values of an e-mail that give access to an account are omitted; the others are tested below.
  if (column === 'outbox.payload') return ''
  return typeof value === 'string' ? text : `:${text}`
}

test('the download contains everything stored about a person except secrets', async () => {
  const rows = await person.listRows()
  const columns = rows.flatMap(({ table, row }) =>
    Object.entries(row).map(([name, value]) => ({
      name: `${table}.${name}`,
      value,
      isWanted: !isLeftOut(table, name),
    })),
  )
  const { body } = await server.request(exportPersonalData, { token: person.token })
  const text = JSON.stringify(body)
  const missing = columns.filter(
    ({ name, value, isWanted }) => value !== null && isWanted && !text.includes(written(name, value)),
  )
  expect(missing).toEqual([])
  // A column without any value would not be tested.
  const filled = new Set(columns.filter(({ value }) => value !== null && value !== '').map(({ name }) => name))
  expect(columns.filter(({ name, isWanted }) => isWanted && !filled.has(name)).map(({ name }) => name)).toEqual([])
})

test('the download contains what the department has written to the person and not sent yet', async () => {
  const desk = await openTestDesk(server, ['bookings'])
  const someone = await insertUserWithSession(server.db)
  const text = { title: 'Rückfrage', text: 'Ihre Nummer fehlt', text2: 'Your number is missing', mail: true } as const
  await desk.act({ kind: 'save-message', state: 'draft', to: 'person', toId: someone.id, ...text })
  await desk.act({ kind: 'save-message', state: 'draft', to: 'person', toId: person.id, ...text })
  const { body } = await server.request(exportPersonalData, { token: someone.token })
  const { title, text: said, text2 } = text
  expect(body.unsentMessages).toMatchObject([{ title, title2: '', text: said, text2, sendAt: null }])
})

test('documents and e-mails can be read, and each attendance change names its author', async () => {
  const teacher = await insertInstructorWithSession(server.db, { givenName: 'Ines', familyName: 'Brandt' })
  const { person: participant, tick } = await insertTaughtCourse(server.db, {
    teacher,
    people: [{ familyName: 'Geheimnis' }],
    name: 'Rückenfit',
  })
  for (const [isPresent, recordedBy] of [
    [true, teacher.id],
    [false, null],
  ] as const) {
    await insertTick(server.db, { ...tick, isPresent, recordedBy })
  }
  await server.db.execute(sql`
    insert into file_contents (sha256, media_type, content) values ('x', 'application/pdf', '%PDF')`)
  await insertInboxItem(server.db, {
    webUserId: participant.id,
    title: 'Bescheinigung',
    text: '',
    document: { name: 'a.pdf', sha256: Buffer.from('x') },
  })
  await insertMail(server.db, { webUserId: participant.id, kind: 'password-reset', payload: {} })
  const { body } = await server.request(exportPersonalData, { token: participant.token })
  expect(body.attendanceChanges.map(({ recordedBy }) => recordedBy)).toEqual(['Ines Brandt', null])
  const address = body.messages[0]?.documentAddress ?? ''
  const document = await server.app.request(address, { headers: { SessionToken: participant.token } })
  expect([document.status, await document.text()]).toEqual([200, '%PDF'])
  expect(body.mails).toMatchObject([
    { subject: expect.stringContaining('Passwort'), text: expect.stringContaining('…') },
  ])
  const own = (await server.request(exportPersonalData, { token: teacher.token })).body
  expect(own.instructor?.changesRecorded).toMatchObject([{ name: 'Rückenfit', isPresent: true }])
  expect(JSON.stringify(own)).not.toContain('Geheimnis')
})

test('withdrawn attendance is not listed, but both changes are', async () => {
  const { teacher, person: participant, tick } = await insertTaughtCourse(server.db)
  for (const isPresent of [true, null]) await insertTick(server.db, { ...tick, isPresent, recordedBy: teacher.id })
  const { status, body } = await server.request(exportPersonalData, { token: participant.token })
  expect(status).toBe(200)
  expect(body.attendance).toEqual([])
  expect(body.attendanceChanges.map(({ isPresent }) => isPresent)).toEqual([true, null])
  const own = (await server.request(exportPersonalData, { token: teacher.token })).body
  expect(own.instructor?.changesRecorded.map(({ isPresent }) => isPresent)).toEqual([true, null])
})

test('values are formatted as in the app', async () => {
  const { person, tick } = await insertTaughtCourse(server.db, {
    name: 'Rückenfit',
    people: [{ bkkNumber: 'A123456789' }],
    booking: { priceCents: 4050 },
  })
  const { id, email, token } = person
  await insertInboxItem(server.db, { webUserId: id, title: 'Willkommen', text: '<p>Hallo</p>' })
  await server.db.execute(sql`
    insert into attendances values (${tick.courseDateId}, ${id}, true, now())`)
  await server.request(login, { body: { userName: email, password: 'Falsch-12345' } })
  const { body } = await server.request(exportPersonalData, { token })
  const [booking] = body.bookings
  expect(body.account.lastBookedAt).toBe(booking?.bookedAt ?? 'no booking')
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

test('the download contains no hash, token or password', async () => {
  const { body } = await server.request(exportPersonalData, { token: person.token })
  const text = JSON.stringify(body)
  expect(text).not.toMatch(/argon2|\$v=19|hash"|token"/i)
  for (const secret of person.secrets) expect(text).not.toContain(secret)
  expect(await server.db.query(sql`select from sessions where web_user_id = ${person.id}`)).toHaveLength(1)
})
