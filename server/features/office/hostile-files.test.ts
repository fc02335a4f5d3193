import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { performAct } from '#contract/office.ts'
import { uploadOfficeFile } from '#contract/office-content.ts'
import { readOfficeTable } from '#contract/office-people.ts'
import { getDateTime } from '#contract/system.ts'
import { insertOfficer } from '#server/test/desk.ts'
import { measureOwnBlock } from '#server/test/event-loop.ts'
import { buildZipBomb, HOSTILE_WORKBOOKS } from '#server/test/hostile-workbooks.ts'
import { openTestServer } from '#server/test/server.ts'
import { buildWorkbook } from '#server/test/workbook.ts'

const MAX_BLOCK_MS = 200

const server = await openTestServer({ isPasskeyRequired: false })

const read = (content: Buffer, token: string, language: 'de' | 'en' = 'de') =>
  server.request(readOfficeTable, { file: new File([new Uint8Array(content)], 'a.xlsx'), token, language })

/** Does `work` while other calls go on. @returns how many of them were answered */
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
  // The first file starts the thread that reads them.
  expect((await read(await buildWorkbook({ sheets: { a: '<row><c><v>1</v></c></row>' } }), token)).status).toBe(200)
  const longest = await measureOwnBlock(
    () =>
      besideOtherCalls(async () => {
        const { status, body } = await read(content, token)
        if (!de) expect(status).toBe(200)
        else expect([status, body]).toEqual([400, { status: 'Failed', message: expect.stringMatching(de) }])
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
