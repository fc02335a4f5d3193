import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import ExcelJS from 'exceljs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { getOfficeList, OFFICE_LIST_NAMES } from '../../contract/office/people.ts'
import { zipProgramme } from '../../server/features/programme/export-programme.ts'
import { importProgramme } from '../../server/features/programme/import-programme.ts'
import { readXlsx } from '../../server/platform/files/read-xlsx.ts'
import { createTestFolder, type TestFolder } from '../../server/test/import-folder.ts'
import { insertOfficer } from '../../server/test/office.ts'
import { createRealFolder, hasRealProgrammes } from '../../server/test/real-programmes.ts'
import { createWorld } from '../../server/test/samples.ts'
import { openTestServer } from '../../server/test/server.ts'
import { readSheets, readValues } from './programme-values.ts'
import { isInstalled, run } from './programs.ts'
import { type Sheet, toCell, WRITERS } from './workbook-writers.ts'

const folder = await mkdtemp(join(tmpdir(), 'workbooks-'))
afterAll(() => rm(folder, { recursive: true }))

/** Opened and saved again by LibreOffice. */
async function saveAgain(name: string, content: Uint8Array): Promise<Buffer> {
  const saved = join(folder, 'saved')
  await mkdir(saved, { recursive: true })
  await writeFile(join(folder, name), content)
  const profile = `-env:UserInstallation=file://${folder}/profile`
  const { status, output } = run('soffice', [
    profile,
    '--headless',
    '--convert-to',
    'xlsx:Calc MS Excel 2007 XML',
    '--outdir',
    saved,
    join(folder, name),
  ])
  expect(status, output).toBe(0)
  return readFile(join(saved, name))
}

/** The demo programme as sheets, the server that has it, and an import of a workbook into it. */
async function openDemo() {
  const { db } = await openTestServer()
  await importProgramme(db, { folder: join(import.meta.dirname, '../../demo'), region: 'DE-NI' })
  const unzipped = await createTestFolder()
  afterAll(() => unzipped.remove())
  await unzipped.unzip(await buffer(await zipProgramme(db, null, { format: 'xlsx' })))
  const workbook = await readFile(join(unzipped.path, 'programme.xlsx'))
  const importAgain = async (content: Uint8Array) => {
    await unzipped.write({ 'programme.xlsx': content })
    return importProgramme(db, { folder: unzipped.path, region: 'DE-NI' })
  }
  const sheets = (await readXlsx(workbook)).map(({ name, rows }) => ({
    name,
    rows: rows.map(({ cells }) => cells.map(toCell)),
  }))
  return { workbook, sheets, importAgain }
}

// One database suffices, because no import changes it.
const demo = await openDemo()

describe('a programme written by a library of others', { timeout: 120_000 }, () => {
  test.each(WRITERS)('%s changes nothing', async (name, isThere, write) => {
    if (!isThere) return console.log(`Skipped: ${name} is not installed`)
    expect(await demo.importAgain(await write(demo.sheets))).toMatchObject({ isDone: true, hasChanged: false })
  })
})

describe.skipIf(!hasRealProgrammes).each(['bern', 'rwth', 'fribourg'])('the real programme %s', name => {
  let real: TestFolder
  let sheets: Sheet[]
  let expected: string
  beforeAll(async () => {
    real = await createRealFolder(`${name}.json`)
    sheets = await readSheets(real.path)
    expected = await readValues(real.path)
    expect(expected).toMatch(/^.{100000,},0\]$/)
  })
  afterAll(() => real.remove())

  test.each(WRITERS)(
    'has the same values in a workbook of %s',
    { timeout: 120_000 },
    async (writer, isThere, write) => {
      if (!isThere) return console.log(`Skipped: ${writer} is not installed`)
      const folder = await createTestFolder()
      onTestFinished(() => folder.remove())
      await folder.write({ 'programme.xlsx': await write(sheets) })
      // Not toEqual, which would take minutes to show a difference.
      expect((await readValues(folder.path)) === expected).toBe(true)
    },
  )
})

test('the totals row of a table that exceljs wrote is not read', async () => {
  const book = new ExcelJS.Workbook()
  book.addWorksheet('list').addTable({
    name: 'People',
    ref: 'A1',
    headerRow: true,
    totalsRow: true,
    columns: [{ name: 'personnelNumber', totalsRowFunction: 'count' }],
    rows: [['00123'], ['00124']],
  })
  const [sheet] = await readXlsx(Buffer.from(await book.xlsx.writeBuffer()))
  expect(sheet).toMatchObject({
    wrong: [],
    rows: [{ cells: ['personnelNumber'] }, { cells: ['00123'] }, { cells: ['00124'] }],
  })
})

describe.skipIf(!isInstalled('soffice'))('LibreOffice', { timeout: 180_000 }, () => {
  test('importing a programme workbook after saving it again changes nothing', async () => {
    const outcome = await demo.importAgain(await saveAgain('programme.xlsx', demo.workbook))
    expect(outcome).toMatchObject({ isDone: true, hasChanged: false })
  })

  test.each(OFFICE_LIST_NAMES)('the list %s has the same cells after being saved again', async list => {
    const server = await openTestServer()
    await createWorld(server.db)
    const { token } = await insertOfficer(server, ['bookings', 'billing'])
    const { body } = await server.request(getOfficeList, { params: { file: `${list}.xlsx` }, token })
    const written = Buffer.from(body)
    const cells = async (content: Buffer) => (await readXlsx(content)).map(({ name, rows }) => ({ name, rows }))
    expect(await cells(await saveAgain(`${list}.xlsx`, written))).toEqual(await cells(written))
  })
})
