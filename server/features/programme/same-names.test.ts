import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getInboxFile, listMessages } from '#contract/endpoints/inbox.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertSession } from '#server/test/factories.ts'
import { BASIC_FOLDER, countsOf, createTestFolder, dumpTables, type TestFolder } from '#server/test/import-folder.ts'
import { createTestServer, type TestServer } from '#server/test/server.ts'
import { importProgramme } from './import-programme.ts'

let server: TestServer
const folders: TestFolder[] = []
beforeEach(async () => {
  server = await createTestServer()
})
afterEach(async () => {
  await server.close()
  for (const folder of folders.splice(0)) await folder.remove()
})

async function importFiles(files: Record<string, string | Uint8Array>, isPrune = false) {
  const folder = await createTestFolder(files)
  folders.push(folder)
  return importProgramme(server.db, { folder: folder.path, region: 'DE-NI', isPrune })
}

const picture = (background: string) =>
  sharp({ create: { width: 40, height: 20, channels: 3, background } })
    .png()
    .toBuffer()
const pdf = (text: string) => `%PDF-1.7 ${text}`
const MESSAGES = 'email,created,title,documentName\n'
const certificate = (email: string, year = 2026) => `${email},${year}-11-01 08:00,Bescheinigung,bescheinigung.pdf\n`

async function documentsOf(email: string): Promise<string[]> {
  const { id } = await server.db.one<{ id: number }>(sql`select id from web_users where email = ${email}`)
  const token = await insertSession(server.db, id)
  const { body } = await server.request(listMessages, { token })
  const files = await Promise.all(body.map(item => server.request(getInboxFile, { params: { id: item.id }, token })))
  return files.map(file => Buffer.from(file.body).toString())
}

test('two people whose documents have the same name, imported separately, each get their own', async () => {
  for (const name of ['rita', 'tom']) {
    const outcome = await importFiles({
      'users.csv': `email,password\n${name}@demo.example,Sommer-Wind-2026\n`,
      'messages.csv': MESSAGES + certificate(`${name}@demo.example`),
      'files/bescheinigung.pdf': pdf(`for ${name}`),
    })
    expect(countsOf(outcome)).toMatchObject({ 'files/': { created: 1 } })
  }
  expect(await documentsOf('rita@demo.example')).toEqual([pdf('for rita')])
  expect(await documentsOf('tom@demo.example')).toEqual([pdf('for tom')])
})

test('documents with the same name from different years are separate documents', async () => {
  const user = 'email,password\nrita@demo.example,Sommer-Wind-2026\n'
  for (const year of [2025, 2026]) {
    await importFiles({
      'users.csv': user,
      'messages.csv': MESSAGES + certificate('rita@demo.example', year),
      'files/bescheinigung.pdf': pdf(`of ${year}`),
    })
  }
  expect(await documentsOf('rita@demo.example')).toEqual([pdf('of 2026'), pdf('of 2025')])
})

test('a folder that would give a person someone else’s document is rejected with both names', async () => {
  const users = 'email,password\nrita@demo.example,Sommer-Wind-2026\ntom@demo.example,Sommer-Wind-2027\n'
  await importFiles({
    'users.csv': users,
    'messages.csv': MESSAGES + certificate('rita@demo.example'),
    'files/bescheinigung.pdf': pdf('for rita'),
  })
  const outcome = await importFiles({
    'messages.csv': MESSAGES + certificate('rita@demo.example') + certificate('tom@demo.example'),
    'files/bescheinigung.pdf': pdf('for tom'),
  })
  expect(countsOf(outcome)).toEqual([
    'messages.csv:2: documentName: "bescheinigung.pdf" is another document than "rita@demo.example" has under that name, and line 3 gives it to "tom@demo.example": give each its own name',
  ])
  expect(await documentsOf('rita@demo.example')).toEqual([pdf('for rita')])
})

test("a message cannot take over another person's document by naming it", async () => {
  await importFiles({
    'users.csv': 'email,password\nrita@demo.example,Sommer-Wind-2026\ntom@demo.example,Sommer-Wind-2027\n',
    'messages.csv': MESSAGES + certificate('rita@demo.example'),
    'files/bescheinigung.pdf': pdf('for rita'),
  })
  expect(countsOf(await importFiles({ 'messages.csv': MESSAGES + certificate('tom@demo.example') }))).toEqual([
    'messages.csv:2: documentName: "bescheinigung.pdf" is neither in files/ nor in the portal',
  ])
})

test('a picture is replaced if the same row references it, but not if another row does', async () => {
  await importFiles({
    'instructors.csv': 'email,familyName,pictureFileName\nines@demo.example,Brandt,portrait.png\n',
    'content.csv': 'contentType,sortOrder,pictureFileName\nFlyer,1,flyer.png\n',
    'files/portrait.png': await picture('red'),
    'files/flyer.png': await picture('green'),
  })
  const before = await dumpTables(server.db)
  const outcome = await importFiles({
    'content.csv': 'contentType,sortOrder,pictureFileName\nFlyer,1,portrait.png\n',
    'files/portrait.png': await picture('blue'),
  })
  expect(countsOf(outcome)).toEqual([
    'content.csv:2: pictureFileName: "portrait.png" already means another file in the portal, that of instructors.csv "ines@demo.example": give one of them another name',
  ])
  expect(await dumpTables(server.db)).toEqual(before)

  const replaced = await importFiles({
    'content.csv': 'contentType,sortOrder,pictureFileName\nFlyer,1,flyer.png\n',
    'files/flyer.png': await picture('blue'),
  })
  expect(countsOf(replaced)).toMatchObject({ 'files/': { updated: 1 }, 'content.csv': { updated: 1 } })
  const shown = await server.app.request('/content/flyer.png')
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(await picture('blue'))
  expect(await server.db.query(sql`select from file_contents`)).toHaveLength(2)
})

const ALBUMS = { ...BASIC_FOLDER, 'albums.csv': 'id,name,courseNumber\n1,Fest,\n2,Kurs,A-1\n3,Lauf,\n' }

test('a private album may have a photo of a public name; a second public album may not', async () => {
  const open = await picture('red')
  await importFiles({ ...ALBUMS, 'photos.csv': 'albumId,fileName\n1,IMG_0001.png\n', 'files/IMG_0001.png': open })
  await importFiles({ 'photos.csv': 'albumId,fileName\n2,IMG_0001.png\n', 'files/IMG_0001.png': await picture('blue') })
  const shown = await server.app.request('/photos/IMG_0001.png', { headers: { Cookie: 'XSRF-TOKEN=a' } })
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(open)
  expect(shown.headers.get('Cache-Control')).toMatch(/^public/)

  const third = { 'photos.csv': 'albumId,fileName\n3,IMG_0001.png\n', 'files/IMG_0001.png': await picture('green') }
  expect(countsOf(await importFiles(third))).toEqual([
    'photos.csv:2: fileName: "IMG_0001.png" already means another file in the portal, that of photos.csv "1" + "IMG_0001.png": give one of them another name',
  ])
  expect(countsOf(await importFiles({ 'albums.csv': 'id,name,courseNumber\n2,Kurs,\n' }))).toEqual([
    expect.stringMatching(/"IMG_0001.png" already means another file in the portal/),
  ])
})
