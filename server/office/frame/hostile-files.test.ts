// @module-tag extended
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { getDateTime } from '#contract/endpoints/system.ts'
import { uploadOfficeFile } from '#contract/office/content.ts'
import { performAct } from '#contract/office/office.ts'
import { readOfficeTable } from '#contract/office/people.ts'
import { sql } from '#server/platform/db/client.ts'
import { measureOwnBlock } from '#server/test/event-loop.ts'
import { buildGiantPng, buildZipBomb, HOSTILE_WORKBOOKS } from '#server/test/hostile-files.ts'
import { insertOfficer } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'
import { buildWorkbook } from '#server/test/workbook.ts'

const MAX_BLOCK_MS = 200

const server = await openTestServer({ isPasskeyRequired: false })

const read = (content: Buffer, token: string, language: 'de' | 'en' = 'de') =>
  server.request(readOfficeTable, { file: new File([new Uint8Array(content)], 'a.xlsx'), token, language })

/** Runs `work` concurrently with other calls. @returns the number of their responses */
async function besideOtherCalls(work: () => Promise<unknown>): Promise<number> {
  let isDone = false
  let answered = 0
  const others = (async () => {
    while (!isDone) {
      expect((await server.request(getDateTime)).status).toBe(200)
      answered += 1
      await sleep(10)
    }
  })()
  await work().finally(() => {
    isDone = true
  })
  await others
  return answered
}

test.each(Object.entries(HOSTILE_WORKBOOKS))('%s does not block other calls', async (_, { build, de, en }) => {
  const content = await build()
  const { token } = await insertOfficer(server, ['bookings'])
  // The first file starts the worker thread that reads workbooks.
  expect((await read(await buildWorkbook({ sheets: { a: '<row><c><v>1</v></c></row>' } }), token)).status).toBe(200)
  const longest = await measureOwnBlock(
    () =>
      besideOtherCalls(async () => {
        const { status, body } = await read(content, token)
        if (!de) expect(status).toBe(200)
        else
          expect([status, body]).toEqual([
            400,
            { status: 'Failed', code: 'request.badWorkbook', message: expect.stringMatching(de) },
          ])
      }),
    MAX_BLOCK_MS,
  )
  expect(longest).toBeLessThanOrEqual(MAX_BLOCK_MS)
  if (en) expect((await read(content, token, 'en')).body).toMatchObject({ message: expect.stringMatching(en) })
})

async function importErrors(name: string, content: Buffer, token: string): Promise<unknown> {
  const file = new File([new Uint8Array(content)], name)
  const { fileId } = (await server.request(uploadOfficeFile, { file, token })).body
  const act = { actId: randomUUID(), kind: 'import-programme', fileId }
  const { body } = await server.request(performAct, { body: act as never, token, language: 'de' })
  return body.result?.errors
}

test.each([
  ['a zip bomb', 'a.zip', buildZipBomb, 'a.zip:1: file: ist entpackt zu groß: höchstens 500 MB sind möglich'],
  [
    'a hostile workbook',
    'courses.xlsx',
    () => HOSTILE_WORKBOOKS['a text of 30 KB referenced by 5,000 cells']?.build(),
    'courses.xlsx:1: file: Blatt a: enthält mehr als 10 MB Text',
  ],
])('%s does not block other calls when it is imported as a programme', async (_, name, build, error) => {
  const content = (await build()) ?? Buffer.of()
  const { token } = await insertOfficer(server, ['programme'])
  const longest = await measureOwnBlock(
    () => besideOtherCalls(async () => expect(await importErrors(name, content, token)).toContain(error)),
    MAX_BLOCK_MS,
  )
  expect(longest).toBeLessThanOrEqual(MAX_BLOCK_MS)
})

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'

test('an uploaded SVG picture is stored without scripts and external content', async () => {
  const { token } = await insertOfficer(server, ['content'])
  const parts = '<script>alert(1)</script><image href="https://evil.example/a.png"/><circle r="3" onload="alert(1)"/>'
  const file = new File([`<?xml version="1.0"?>${SVG}${parts}</svg>`], 'a.svg')
  const { fileId } = (await server.request(uploadOfficeFile, { file, token })).body
  const { content } = await server.db.one<{ content: Buffer }>(
    sql`select content from office_files where id::text = ${fileId}`,
  )
  expect(content.toString()).toBe(`${SVG}<circle r="3"></circle></svg>`)
})

const multiplying = Array.from({ length: 12 }, (_, level) => {
  const uses = `<use href="#l${level}"/>`.repeat(10)
  return `<g id="l${level + 1}">${uses}</g>`
}).join('')

test.each([
  [
    'a picture of 256 megapixels',
    'a.png',
    buildGiantPng,
    'Die Datei „a.png“ hat 256 Megapixel, höchstens 50 sind möglich.',
  ],
  [
    'an SVG whose elements multiply',
    'a.svg',
    async () => Buffer.from(`${SVG}<g id="l0"><path d="M0 0h9"/></g>${multiplying}<use href="#l12"/></svg>`),
    'Die Datei „a.svg“ kann nicht als Bild gelesen werden.',
  ],
  [
    'a text file with the extension of a picture',
    'a.jpg',
    async () => Buffer.from('text'),
    'Die Datei „a.jpg“ ist nicht, was die Endung sagt.',
  ],
])('%s is rejected', async (_, name, build, message) => {
  const { token } = await insertOfficer(server, ['content'])
  const file = new File([new Uint8Array(await build())], name)
  const answer = await server.request(uploadOfficeFile, { file, token, language: 'de' })
  expect([answer.status, answer.body]).toEqual([400, { status: 'Failed', code: 'request.badFile', message }])
})

test('unused uploads have a quota per person, which excludes those older than an hour', async () => {
  const [officer, other] = [await insertOfficer(server, ['content']), await insertOfficer(server, ['content'])]
  const send = (token: string, language: 'de' | 'en' = 'de') =>
    server.request(uploadOfficeFile, { file: new File(['%PDF-1.7'], 'a.pdf'), token, language })
  const waiting = () =>
    server.db.one<{ count: number }>(
      sql`select count(*)::int as count from office_files where web_user_id = ${officer.id}`,
    )
  await server.db.execute(sql`
    insert into office_files (web_user_id, "right", name, media_type, content)
    select ${officer.id}, 'content', 'a.pdf', 'application/pdf', '%PDF' from generate_series(1, 198)`)
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(officer.token)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429])
  expect(await waiting()).toEqual({ count: 200 })
  const refused = await send(officer.token)
  expect(refused.headers.get('Retry-After')).toBe('3600')
  expect(refused.body).toMatchObject({ message: expect.stringMatching(/^Es warten schon 200 Dateien oder 400 MB/) })
  expect((await send(officer.token, 'en')).body).toMatchObject({
    message: expect.stringMatching(/200 files or 400 MB/),
  })
  expect((await send(other.token)).status).toBe(200)
  await server.db.execute(sql`
    update office_files set created_at = created_at - interval '61 minutes' where web_user_id = ${officer.id}`)
  expect((await send(officer.token)).status).toBe(200)
  expect(await waiting()).toEqual({ count: 1 })
})
