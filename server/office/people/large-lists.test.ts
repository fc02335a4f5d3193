// @module-tag extended
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import yauzl from 'yauzl'
import { getOfficeList } from '#contract/office/people.ts'
import { openDatabase } from '#server/platform/db/client.ts'
import { insertCrowd } from '#server/test/crowd.ts'
import { openTestOffice } from '#server/test/office.ts'

const PEOPLE = 25_000
/** Two bookings per person. */
const BOOKINGS = 2 * PEOPLE
const STALL_MS = 300

/** Blocks the event loop with short pauses, like a burst of calls on a busy machine. */
async function stallFor(ms: number) {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const until = performance.now() + STALL_MS
    while (performance.now() < until);
    await turn()
  }
}

/** Counts the rows of the first sheet, which has too many cells for the portal's own reader. */
async function countRows(workbook: Buffer): Promise<number> {
  const zip = await yauzl.fromBufferPromise(workbook)
  let rows = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'xl/worksheets/sheet1.xml') continue
    rows = (await text(await zip.openReadStreamPromise(entry))).split('<row ').length - 1
  }
  return rows
}

test('a list of 50,000 rows is complete while the event loop stalls', { timeout: 240_000 }, async () => {
  const { server, token } = await openTestOffice(['bookings'])
  const patient = openDatabase({ ...server.database, timeZone: 'Europe/Berlin', statementTimeoutMs: 0 })
  await insertCrowd(patient, { people: PEOPLE, courses: 4_000 })
  await patient.close()
  const request = async (file: string) => {
    const answering = server.request(getOfficeList, { params: { file }, token })
    await stallFor(6_000)
    return answering
  }
  const csv = await request('bookings.csv')
  expect(csv.status).toBe(200)
  expect(Buffer.from(csv.body).toString().trimEnd().split('\r\n')).toHaveLength(1 + BOOKINGS)
  const xlsx = await request('bookings.xlsx')
  expect(xlsx.status).toBe(200)
  expect(await countRows(Buffer.from(xlsx.body))).toBe(1 + BOOKINGS)
})
