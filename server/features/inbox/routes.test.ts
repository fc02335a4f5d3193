import { expect, test } from 'vitest'
import { getInboxFile, listMessages } from '#contract/endpoints/inbox.ts'
import { insertFileContent } from '#server/features/files/repository.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertInboxItem, insertUserWithSession } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'
import { hasUnseenMessages } from './repository.ts'

const PDF = Buffer.from('%PDF-1.7 certificate')

const server = await openTestServer()
const document = { name: 'Bescheinigung Übung.pdf', sha256: await insertFileContent(server.db, 'application/pdf', PDF) }

const list = async (token: string) => (await server.request(listMessages, { token })).body
const unread = (person: { id: number }) => hasUnseenMessages(server.db, person.id)

async function insertPersonWith(
  ...items: { title: string; text?: string; document?: { name: string; sha256: Buffer } }[]
) {
  const person = await insertUserWithSession(server.db)
  for (const item of items) await insertInboxItem(server.db, { webUserId: person.id, text: '', ...item })
  return person
}

test('messages are sorted newest first and visible only to their recipient', async () => {
  const person = await insertPersonWith({ title: 'Erste', text: '<p>Hallo</p>' }, { title: 'Zweite' })
  await insertPersonWith({ title: 'Fremde' })
  const messages = await list(person.token)
  expect(messages.map(({ title }) => title)).toEqual(['Zweite', 'Erste'])
  expect(messages[1]).toMatchObject({ text: '<p>Hallo</p>', documentName: '', seen: false })
  expect(messages[1]?.created.year).toBeGreaterThan(2025)
})

test('a message without a document is read once it was listed', async () => {
  const person = await insertPersonWith({ title: 'Ein Platz ist frei' })
  const headers = { SessionToken: person.token }
  expect((await server.app.request('/api/inboxitem/messages', { method: 'HEAD', headers })).status).toBe(200)
  expect(await unread(person)).toBe(true)
  expect(await list(person.token)).toMatchObject([{ seen: false }])
  expect(await unread(person)).toBe(false)
  expect(await list(person.token)).toMatchObject([{ seen: true }])
})

test('a message with a document is read once the document was downloaded', async () => {
  const person = await insertPersonWith({ title: 'Bescheinigung', document })
  await list(person.token)
  const [item] = await list(person.token)
  expect(item).toMatchObject({ seen: false })
  expect(await unread(person)).toBe(true)
  // Link checkers and download managers ask for the headers only.
  const headers = { SessionToken: person.token }
  expect((await server.app.request(`/api/inboxitem/file/${item?.id}`, { method: 'HEAD', headers })).status).toBe(200)
  expect(await unread(person)).toBe(true)

  const answer = await server.request(getInboxFile, { params: { id: item?.id ?? 0 }, token: person.token })
  expect(answer.status).toBe(200)
  expect(Buffer.from(answer.body)).toEqual(PDF)
  expect(answer.headers.get('Content-Disposition')).toBe(
    `attachment; filename="Bescheinigung Ubung.pdf"; filename*=UTF-8''Bescheinigung%20%C3%9Cbung.pdf`,
  )
  expect(answer.headers.get('Content-Type')).toBe('application/pdf')
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(answer.headers.get('Content-Security-Policy')).toContain('sandbox')
  expect(answer.headers.get('Cache-Control')).toContain('no-store')
  expect(await list(person.token)).toMatchObject([{ seen: true }])
  expect(await unread(person)).toBe(false)
})

test('both spellings of the path are served', async () => {
  const person = await insertPersonWith({ title: 'Bescheinigung', document })
  const [item] = await list(person.token)
  const headers = { SessionToken: person.token }
  for (const noun of ['inboxitem', 'InboxItem']) {
    expect((await server.app.request(`/api/${noun}/messages`, { headers })).status).toBe(200)
    expect((await server.app.request(`/api/${noun}/file/${item?.id}`, { headers })).status).toBe(200)
  }
})

test('a document that a browser could execute is sent as a download', async () => {
  const sha256 = await insertFileContent(server.db, 'text/html', Buffer.from('<script>alert(1)</script>'))
  const person = await insertPersonWith({ title: 'Seite', document: { name: 'seite.html', sha256 } })
  const [item] = await list(person.token)
  const { headers } = await server.request(getInboxFile, { params: { id: item?.id ?? 0 }, token: person.token })
  expect(headers.get('Content-Type')).toBe('application/octet-stream')
  expect(headers.get('Content-Disposition')).toMatch(/^attachment/)
})

test('documents of other people are 403, and missing ones are 404', async () => {
  const person = await insertPersonWith(
    { title: 'Bescheinigung', document },
    { title: 'ohne' },
    { title: 'verloren', document },
  )
  const other = await insertPersonWith()
  await server.db.execute(sql`update inbox_items set document_sha256 = null where title = 'verloren'`)
  const [lost, plain, item] = (await list(person.token)).map(({ id }) => id)
  const download = async (id = 0, token?: string) =>
    (await server.request(getInboxFile, { params: { id }, ...(token && { token }) })).status
  expect(await download(item, other.token)).toBe(403)
  expect(await download(item)).toBe(401)
  expect(await download(plain, person.token)).toBe(404)
  expect(await download(lost, person.token)).toBe(404)
  expect(await download(2_000_000_000, person.token)).toBe(404)
  const head = async (id = 0, { token } = person) =>
    (await server.app.request(`/api/inboxitem/file/${id}`, { method: 'HEAD', headers: { SessionToken: token } })).status
  expect(await Promise.all([head(item, other), head(plain), head(lost), head(item)])).toEqual([403, 404, 404, 200])
  expect((await server.request(listMessages)).status).toBe(401)
  expect((await list(person.token)).find(({ id }) => id === item)?.seen).toBe(false)
})

test('a document is deleted with the last message that refers to it', async () => {
  const sha256 = await insertFileContent(server.db, 'application/pdf', Buffer.from('%PDF-1.7 for two'))
  const people = [
    await insertPersonWith({ title: 'eins', document: { name: 'a.pdf', sha256 } }),
    await insertPersonWith({ title: 'zwei', document: { name: 'b.pdf', sha256 } }),
  ]
  const left = []
  for (const { id } of people) {
    await server.db.execute(sql`delete from web_users where id = ${id}`)
    left.push((await server.db.query(sql`select from file_contents where sha256 = ${sha256}`)).length)
  }
  expect(left).toEqual([1, 0])
})
