import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { listRecord } from '#contract/office/office.ts'
import { listEligible } from '#contract/office/people.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertDivision, insertWebUser } from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'
import { buildWorkbook } from '#server/test/workbook.ts'
import { importHrList } from './hr-list-import.ts'

let folder: string
const { server, ...office } = await openTestOffice(['bookings', 'record'], { isPasskeyRequired: false })
beforeAll(async () => {
  folder = join(server.context.config.dataDir, 'hr')
  server.context.config.hrFolder = folder
  await mkdir(folder)
})

async function laid(content: string | Uint8Array, stillMs = 0) {
  await writeFile(join(folder, typeof content === 'string' ? 'eligible.csv' : 'eligible.xlsx'), content)
  return importHrList(server.context, stillMs)
}
const list = async () => (await server.request(listEligible, { token: office.token })).body.items
const record = async () => (await server.request(listRecord, { token: office.token })).body.items
const filesIn = (name: string) => readdir(join(folder, name))

test('nothing happens without a file or while it is still being written', async () => {
  expect(await importHrList(server.context)).toBeNull()
  expect(await laid('personnelNumber\n0042\n', 60_000)).toBeNull()
  expect(await list()).toEqual([])
})

test('a list replaces the previous one, and people no longer on it become unverified', async () => {
  const division = await insertDivision(server.db)
  expect(await laid(`﻿personnelNumber;divisionId;employeeStatus\r\n0042;${division.id};1\r\n'0043;;\r\n`)).toBe('taken')
  expect(
    (await list()).map(({ personnelNumber, divisionId, employeeStatus }) => [
      personnelNumber,
      divisionId,
      employeeStatus,
    ]),
  ).toEqual([
    ['0042', division.id, 1],
    ['0043', null, null],
  ])
  expect(await filesIn('taken')).toHaveLength(1)
  const person = await insertWebUser(server.db, { employeeStatus: 1, personnelNumber: '0043', knownAt: new Date() })
  expect(await laid('personnelNumber\n0042\n')).toBe('taken')
  const { known } = await server.db.one<{ known: Date | null }>(
    sql`select known_at as known from web_users where id = ${person.id}`,
  )
  expect(known).toBeNull()
  expect((await record())[0]).toMatchObject({
    kind: 'take-eligible',
    actorId: null,
    line: { after: { rows: 1, unverified: 1 } },
  })
  const lines = (await record()).length
  expect(await laid('personnelNumber\n0042\n')).toBe('unchanged')
  expect(await record()).toHaveLength(lines)
})

test('whole numbers with a decimal, and personnel numbers that begin like a total, are read', async () => {
  expect(await laid('personnelNumber,employeeStatus\n4711.0,1.0\nSUM11,\nSUM12,\n')).toBe('taken')
  expect((await list()).map(({ personnelNumber, employeeStatus }) => [personnelNumber, employeeStatus])).toEqual([
    ['4711', 1],
    ['SUM11', null],
    ['SUM12', null],
  ])
})

test.each([
  ['personnelNumber\n1\n\n1\n2,3\n', [/:4: personnelNumber: stands in line 2/, /:5: has 2 cells/]],
  ['personnelNumber,divisionId\n1,99999\n', [/no such division/]],
  ['personnelNumber,employeeStatus\n1,9\n,1\n', [/:2: employeeStatus/, /:3: personnelNumber/]],
  ['number\n1\n', [/:1: the columns/]],
  ['personnelNumber\n', [/no rows/]],
  ['personnelNumber\n"1\n', [/:2: quotes/]],
])('an invalid list changes nothing and reports why (%#)', async (content, reasons) => {
  const before = await list()
  const refused = await filesIn('refused').catch((): string[] => [])
  expect(await laid(content)).toBe('refused')
  expect(await list()).toEqual(before)
  const name = (await filesIn('refused')).find(file => !refused.includes(file) && file.endsWith('.errors.txt')) ?? ''
  const said = await readFile(join(folder, 'refused', name), 'utf8')
  for (const reason of reasons) expect(said).toMatch(reason)
  expect(said).toContain('Nothing was changed.')
  expect(await readFile(join(folder, 'refused', name.replace('.errors.txt', '')), 'utf8')).toBe(content)
  expect((await record())[0]).toMatchObject({ kind: 'refuse-eligible' })
})

test.each([
  [
    'larger than the limit',
    (path: string) => writeFile(path, '').then(() => truncate(path, 3 * 2 ** 30)),
    'has 3072 MB',
  ],
  ['a link', (path: string) => symlink('/etc/hostname', path), 'is no file'],
])('a file that is %s is rejected without being read', async (_, create, reason) => {
  await create(join(folder, 'eligible.csv'))
  const before = await filesIn('refused')
  expect(await importHrList(server.context, 0)).toBe('refused')
  const added = (await filesIn('refused')).filter(name => !before.includes(name))
  const errors = added.find(name => name.endsWith('.errors.txt')) ?? ''
  expect(await readFile(join(folder, 'refused', errors), 'utf8')).toContain(`eligible.csv: ${reason}`)
  for (const name of added) await rm(join(folder, 'refused', name))
})

test('a list that lacks most people is rejected as truncated', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => `N${index}`)
  expect(await laid(['personnelNumber', '0042', ...numbers].join('\n'))).toBe('taken')
  expect(await laid(['personnelNumber', ...numbers.slice(0, 9)].join('\n'))).toBe('refused')
  expect(await list()).toHaveLength(21)
  expect(await laid(['personnelNumber', ...numbers.slice(0, 15)].join('\n'))).toBe('taken')
})

test('two servers import a list only once', async () => {
  await writeFile(join(folder, 'eligible.csv'), 'personnelNumber\nN1\nN2\nN3\nN4\nN5\nN6\nN7\nN8\n')
  const before = (await record()).length
  const answers = await Promise.allSettled([importHrList(server.context, 0), importHrList(server.context, 0)])
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await record()).toHaveLength(before + 1)
})

test('a list written while the previous one is being imported is imported next', async () => {
  const holding = server.db.transaction(async tx => {
    await tx.execute(sql`lock table eligible_people in share row exclusive mode`)
    const taking = laid('personnelNumber\nFIRST\nN1\nN2\nN3\nN4\nN5\n')
    await server.database.untilWaiting(1)
    await writeFile(join(folder, 'eligible.csv'), 'personnelNumber\nSECOND\nN1\nN2\nN3\nN4\nN5\n')
    return { taking }
  })
  expect(await (await holding).taking).toBe('taken')
  expect((await list()).map(({ personnelNumber }) => personnelNumber)).toContain('FIRST')
  expect(await importHrList(server.context, 0)).toBe('taken')
  expect((await list()).map(({ personnelNumber }) => personnelNumber)).toContain('SECOND')
})

test('a list whose import was interrupted is imported by the next portal', async () => {
  const left = join(folder, 'reading', '2026-11-22T100000.000Z-0a1b2c3d-eligible.csv')
  await writeFile(left, 'personnelNumber\nLEFT\nN1\nN2\nN3\nN4\nN5\n')
  expect(await importHrList(server.context)).toBeNull()
  expect(await importHrList(server.context, 0)).toBe('taken')
  expect((await list()).map(({ personnelNumber }) => personnelNumber)).toContain('LEFT')
  expect(await filesIn('reading')).toEqual([])
})

test('a workbook is imported like the CSV file, and problems name the sheet', async () => {
  const head =
    '<row r="1"><c t="inlineStr"><is><t>personnelNumber</t></is></c><c t="inlineStr"><is><t>employeeStatus</t></is></c></row>'
  const numbers = [71, 72, 73, 74, 75].map(one => `<row><c s="1"><v>${one}</v></c><c><v>1</v></c></row>`)
  const book = (rows: string) => buildWorkbook({ sheets: { Personal: head + rows }, formats: ['00000'] })
  expect(await laid('personnelNumber\n00071\n')).toBe('taken')
  expect(await laid(await book(numbers.join('')))).toBe('taken')
  expect((await list()).map(({ personnelNumber }) => personnelNumber)).toEqual([
    '00071',
    '00072',
    '00073',
    '00074',
    '00075',
  ])
  const before = await filesIn('refused')
  expect(await laid(await book('<row r="2"><c r="A2" t="e"><v>#N/A</v></c></row>'))).toBe('refused')
  const errors = (await filesIn('refused')).find(name => name.endsWith('.errors.txt') && !before.includes(name)) ?? ''
  expect(await readFile(join(folder, 'refused', errors), 'utf8')).toMatch(
    /^eligible\.xlsx: sheet Personal: A2 holds an error of the spreadsheet: #N\/A\nNothing was changed/,
  )
  // A file from the folder is imported without a question, so that hidden rows would be imported unseen.
  const filtered = await book(numbers.join('').replace('<row>', '<row hidden="1">').replace('75', '76'))
  expect(await laid(filtered)).toBe('refused')
  expect((await record())[0]?.text).toContain('1 row is hidden, for example by a filter: 2')
  // A last row that sums up the list is not a person; other rows may be any text.
  for (const last of ['Summe', 'Anzahl: 2', 'gesamt 2', 'Summe250', 'Gesamtsumme'])
    expect(await laid(`personnelNumber\n00071\n00072\n${last}\n`)).toBe('refused')
  // People on a second sheet are not left out silently.
  const sheets = { Personal: head + numbers[0], Werk2: head + numbers.slice(1).join('') }
  expect(await laid(await buildWorkbook({ sheets, formats: ['00000'] }))).toBe('refused')
  expect((await list()).map(({ personnelNumber }) => personnelNumber)).toHaveLength(5)
})
