import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import { ACTS } from '#contract/acts/acts.ts'
import { isTotalRow, toHrListCell } from '#contract/rules/hr-list-rules.ts'
import { createAuditAnchor } from '#server/office/frame/audit-anchor-service.ts'
import { ActRejected } from '#server/office/frame/office-context-service.ts'
import { runActSteps } from '#server/office/frame/service.ts'
import { type HrListRow, replaceHrList } from '#server/office/people/hr-list-service.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { readCsvFile, readWorkbook } from '#server/platform/files/file-reader.ts'
import { UnreadableFile } from '#server/platform/files/problems.ts'
import type { CsvRecord } from '#server/platform/files/read-csv.ts'
import { fileSizeProblem, MAX_TABLE_FILE_MB } from '#server/platform/files/read-file.ts'
import { toFirstFilledTable } from '#server/platform/files/read-xlsx.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'

/** Names of HR list files in order of precedence. */
const HR_FILES = ['eligible.csv', 'eligible.xlsx'] as const
type HrFile = (typeof HR_FILES)[number]
/** Subfolder for the list that is being processed, so that a new list can be placed in the folder. */
const READING = 'reading'
const COLUMNS = ['personnelNumber', 'divisionId', 'employeeStatus'] as const
/** Time in ms without modification after which a file is considered complete. */
const STILL_MS = 60_000
const MAX_LINES = 100
/**
 * Maximum share of the people in the previous list that may be missing. If more are missing, the file is assumed to be
 * truncated.
 */
const MOST_GONE = 0.5

/** The list was rejected. `lines` contains one line per problem. */
class Refused extends Error {
  readonly lines: string[]

  constructor(lines: string[]) {
    super('refused')
    this.lines = lines
  }
}

const { rows: rowsSchema } = ACTS['save-eligible'].fields

/** @throws Refused */
async function readRecords(bytes: Buffer, file: HrFile): Promise<CsvRecord[]> {
  try {
    if (file === 'eligible.csv') {
      const content = await readCsvFile('hr folder', bytes)
      if ('records' in content) return content.records
      throw new Refused([`${file}:${content.line}: ${content.column}: ${content.text.in('en')}`])
    }
    const sheets = await readWorkbook('hr folder', bytes)
    const [, second] = sheets.filter(({ rows, wrong, isHidden }) => rows.length + wrong.length > 0 && !isHidden)
    // Without those on the second sheet, the list would end their right.
    if (second) throw new Refused([`${file}: sheet ${second.name}: only one sheet may hold cells`])
    const { rows, hiddenRows } = toFirstFilledTable(sheets)
    // At the desk a person decides whether the list is what a filter shows.
    if (hiddenRows.length > 0) {
      const lines = [...hiddenRows.slice(0, MAX_LINES), ...(hiddenRows.length > MAX_LINES ? ['…'] : [])].join(', ')
      const count = hiddenRows.length === 1 ? '1 row is' : `${hiddenRows.length} rows are`
      throw new Refused([`${file}: ${count} hidden, for example by a filter: ${lines}; delete or show them`])
    }
    return rows
      .map((cells, index) => ({ line: index + 1, row: index + 1, cells }))
      .filter(({ cells }) => cells.length > 0)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    throw new Refused([`${file}: ${error.said.in('en')}`])
  }
}

/**
 * Reads the HR list file.
 * @returns null if the file is missing because another server has already moved it
 * @throws Refused if the file is too large or not a regular file
 */
async function readBytes(path: string, file: HrFile): Promise<Buffer | null> {
  const stats = await lstat(path).catch(goneMeanwhile)
  if (stats === null) return null
  if (!stats.isFile()) throw new Refused([`${file}: is no file`])
  const problem = fileSizeProblem(stats.size, MAX_TABLE_FILE_MB)
  if (problem) throw new Refused([`${file}: ${problem.in('en')}`])
  return readFile(path).catch(goneMeanwhile)
}

/** @throws Refused */
async function readHrFile(bytes: Buffer, file: HrFile): Promise<HrListRow[]> {
  const [head, ...records] = await readRecords(bytes, file)
  const names = head?.cells.map(cell => cell.trim()) ?? []
  const unknown = names.filter(name => !COLUMNS.some(column => column === name))
  if (!names.includes('personnelNumber') || unknown.length > 0 || new Set(names).size < names.length)
    throw new Refused([`${file}:1: the columns must be personnelNumber and, where given, divisionId, employeeStatus`])
  if (records.length === 0) throw new Refused([`${file}: has no rows: an empty list would end everybody's right`])
  const problems: string[] = []
  const lineOf = new Map<string, number>()
  const rows = records.flatMap(({ line, cells }) => {
    const cell = (column: (typeof COLUMNS)[number]) => toHrListCell(cells[names.indexOf(column)] ?? '')
    const number = (column: (typeof COLUMNS)[number]) =>
      /^\d{1,9}$/.test(cell(column)) ? Number(cell(column)) : cell(column) || null
    const personnelNumber = cell('personnelNumber').replace(/^'/, '')
    const first = lineOf.get(personnelNumber)
    // In a workbook, a row ends with its last non-empty cell, so it may be shorter than the header.
    if (file === 'eligible.csv' ? cells.length !== names.length : cells.length > names.length)
      problems.push(`${file}:${line}: has ${cells.length} cells, the header has ${names.length}`)
    else if (line === records.at(-1)?.line && isTotalRow(personnelNumber, [...lineOf.keys()]))
      problems.push(`${file}:${line}: personnelNumber: ${personnelNumber} is not a personnel number`)
    else if (first !== undefined) problems.push(`${file}:${line}: personnelNumber: stands in line ${first}, too`)
    lineOf.set(personnelNumber, line)
    const row = v.safeParse(rowsSchema, [
      { personnelNumber, divisionId: number('divisionId'), employeeStatus: number('employeeStatus') },
    ])
    if (row.success) return row.output
    const field = row.issues[0].path?.at(-1)?.key
    problems.push(`${file}:${line}: ${String(field)}: does not fit`)
    return []
  })
  if (problems.length > 0)
    throw new Refused([...problems.slice(0, MAX_LINES), ...(problems.length > MAX_LINES ? ['…'] : [])])
  return rows
}

/**
 * Checks that the list is not truncated.
 * @throws Refused if too many people are missing
 */
async function requireMost(tx: Queryable, rows: readonly HrListRow[], file: HrFile): Promise<void> {
  const { before, gone } = await tx.one<{ before: number; gone: number }>(sql`
    select count(*) as before, count(*) filter (where not exists (
      select from unnest(${rows.map(({ personnelNumber }) => personnelNumber)}::text[]) n where n = e.personnel_number)) as gone
    from eligible_people e`)
  if (before >= 10 && gone > before * MOST_GONE)
    throw new Refused([
      `${file}: lacks ${gone} of the ${before} people of the list before: if that is right, save it at the desk`,
    ])
}

const isSame = async (tx: Queryable, rows: readonly HrListRow[]): Promise<boolean> => {
  const { same } = await tx.one<{ same: boolean }>(sql`
    with given as (select * from unnest(${rows.map(({ personnelNumber }) => personnelNumber)}::text[],
      ${rows.map(({ divisionId }) => divisionId)}::int[], ${rows.map(({ employeeStatus }) => employeeStatus)}::smallint[]) g (n, d, s))
    select (select count(*) from given) = (select count(*) from eligible_people e join given g
        on g.n = e.personnel_number and g.d is not distinct from e.division_id and g.s is not distinct from e.employee_status)
      and (select count(*) from given) = (select count(*) from eligible_people) as same`)
  return same
}

/** Ignores a missing file, because another server may have moved it. Rethrows other errors. */
function goneMeanwhile(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

type Found = { file: HrFile; path: string; changedAt: number }

/** Finds a new HR list, or one whose processing was interrupted. */
async function findHrFile(folder: string): Promise<Found | null> {
  for (const file of HR_FILES) {
    const path = join(folder, file)
    const stats = await lstat(path).catch(goneMeanwhile)
    if (stats !== null) return { file, path, changedAt: stats.mtimeMs }
  }
  for (const name of (await readdir(join(folder, READING)).catch(goneMeanwhile)) ?? []) {
    const path = join(folder, READING, name)
    const stats = await lstat(path).catch(goneMeanwhile)
    const file = HR_FILES.find(file => name.endsWith(file))
    // If a file remains in the subfolder for lists being processed, the server that moved it there has exited. A
    // running server moves it out again after processing.
    if (stats !== null && file) return { file, path, changedAt: stats.ctimeMs }
  }
  return null
}

/**
 * Moves the list to the subfolder for processing, so that a new list can be placed in the folder.
 * @returns the new path; null if the list was modified or another server has already moved it
 */
async function claim(folder: string, { file, path, changedAt }: Found): Promise<string | null> {
  if (dirname(path) !== folder) return path
  await mkdir(join(folder, READING), { recursive: true, mode: 0o700 })
  const stamp = new Date().toISOString().replaceAll(':', '')
  const claimed = join(folder, READING, `${stamp}-${randomUUID().slice(0, 8)}-${file}`)
  const isMine = (await rename(path, claimed).catch(goneMeanwhile)) !== null
  return isMine && (await lstat(claimed)).mtimeMs === changedAt ? claimed : null
}

/**
 * Imports the HR list from the folder in one transaction and moves it to `taken`. An invalid list is moved to
 * `refused`, together with a file that lists the problems. Both outcomes are recorded in the audit log. See
 * docs/decisions/0095.
 * @returns the outcome; null if there is no list or it is still being written
 */
export async function importHrList(
  { db, config, log }: Pick<ServerContext, 'db' | 'config' | 'log'>,
  stillMs = STILL_MS,
): Promise<'taken' | 'refused' | 'unchanged' | null> {
  const found = await findHrFile(config.hrFolder)
  if (found === null || Date.now() - Math.floor(found.changedAt) < stillMs) return null
  const { file } = found
  const path = await claim(config.hrFolder, found)
  if (path === null) return null
  const putAside = async (folder: string): Promise<string> => {
    await mkdir(join(config.hrFolder, folder), { recursive: true, mode: 0o700 })
    const kept = join(config.hrFolder, folder, basename(path))
    await rename(path, kept).catch(goneMeanwhile)
    return kept
  }
  const anchorAuditLog = createAuditAnchor({ db, config, log })
  const act = { actor: { kind: 'command', rights: [] }, language: 'en', config } as const
  try {
    const outcome = await db.transaction(async tx => {
      // Only one server at a time may import the list.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('hr folder'))`)
      const bytes = await readBytes(path, file)
      if (bytes === null) return null
      const rows = await readHrFile(bytes, file)
      if (await isSame(tx, rows)) return 'unchanged'
      await requireMost(tx, rows, file)
      await runActSteps(tx, { kind: 'take-eligible' }, act, async office => ({
        ...(await replaceHrList(office, rows)),
      }))
      return 'taken'
    })
    if (outcome === null) return null
    const isTaken = outcome === 'taken'
    if (isTaken) await anchorAuditLog()
    log.info({ file: await putAside('taken') }, isTaken ? 'the HR list is taken' : 'the HR list is as it was')
    return outcome
  } catch (error) {
    const lines =
      error instanceof Refused ? error.lines : error instanceof ActRejected ? [`${file}: ${error.message}`] : null
    if (lines === null) throw error
    const kept = await putAside('refused')
    await writeFile(`${kept}.errors.txt`, `${lines.join('\n')}\nNothing was changed.\n`, { mode: 0o600 })
    await db.transaction(tx =>
      runActSteps(tx, { kind: 'refuse-eligible' }, act, async office => {
        office.note({ after: { errors: lines.length } })
        office.noteText(lines.slice(0, 5).join('\n'))
        return undefined
      }),
    )
    await anchorAuditLog()
    log.warn({ file: kept, lines: lines.slice(0, 5) }, 'the HR list is refused')
    return 'refused'
  }
}
