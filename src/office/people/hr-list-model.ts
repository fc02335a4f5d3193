import { isOneOf } from '#contract/records.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { editDistance } from '#features/courses/search/typo-model.ts'
import type { ActDraft } from '#office/frame/act-store.ts'

export type HrListRow = ActDraft<'save-eligible'>['rows'][number]
/**
 * A problem in a line of the file; a line can have several. Line 1 is the header.
 * `divisions`: similar ones, or those that the value could mean
 */
export type HrListRowProblem = {
  line: number
  key: 'noNumber' | 'twice' | 'noDivision' | 'similarDivision' | 'ambiguousDivision' | 'noStatus'
  value: string
  divisions?: string[]
}
export type ParsedHrList = { rows: HrListRow[]; problems: HrListRowProblem[] }

/** Column names in the file, with common alternatives. */
const COLUMNS = {
  personnelNumber: ['personnelnumber', 'personalnummer', 'personalnr', 'persnr', 'pnr', 'number', 'nummer'],
  divisionId: ['divisionid', 'division', 'gesellschaft'],
  employeeStatus: ['employeestatus', 'status'],
}

/**
 * Parses CSV as saved by spreadsheets: fields are separated by semicolons, commas or tabs, and quotes inside quoted
 * fields are doubled.
 */
export function parseCsv(given: string): string[][] {
  const text = given.replace(/^\uFEFF/, '')
  const [head = ''] = text.split(/\r?\n/, 1)
  const separator = [';', '\t', ','].find(one => head.includes(one)) ?? ';'
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[index + 1] === '"') {
        cell += '"'
        index += 1
      } else isQuoted = false
    } else if (character === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (character === separator) {
      row.push(cell.trim())
      cell = ''
    } else if (character === '\n') {
      rows.push([...row, cell.trim()])
      row = []
      cell = ''
    } else if (character !== '\r') cell += character
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell.trim()])
  return rows
}

/** Reduces a column name to its letters. */
const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

type Division = { id: number; name: string }
const MAX_NAME_ERRORS = 3
/** A division name regardless of case and white space. */
const fold = (name: string) => name.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ')

/** Finds the division that a cell names or numbers. */
function findDivision(
  value: string,
  divisions: readonly Division[],
): { id: number | null } | Pick<HrListRowProblem, 'key' | 'divisions'> {
  if (value === '') return { id: null }
  const name = fold(value)
  const [found, ...others] = divisions.filter(one => value === String(one.id) || fold(one.name) === name)
  if (found && others.length === 0) return { id: found.id }
  if (found) return { key: 'ambiguousDivision', divisions: [found, ...others].map(one => `${one.name} (${one.id})`) }
  const most = Math.min(MAX_NAME_ERRORS, Math.floor(name.length / 4))
  const errors = divisions.map(one => editDistance(name, fold(one.name), most))
  const fewest = Math.min(...errors)
  return fewest > most
    ? { key: 'noDivision' }
    : {
        key: 'similarDivision',
        divisions: divisions.flatMap((one, index) => (errors[index] === fewest ? one.name : [])),
      }
}

/**
 * Parses the HR list. Ignores apostrophes before numbers; divisions and statuses may be given as numbers or names.
 * @returns null if the file has no column for personnel numbers
 */
export function parseHrList(
  table: readonly (readonly string[])[],
  divisions: readonly Division[],
  statusNames: Readonly<Record<string, number>>,
): ParsedHrList | null {
  const [head = [], ...lines] = table.map(cells => cells.map(cell => cell.trim()))
  const columnOf = (field: keyof typeof COLUMNS) => head.findIndex(cell => isOneOf(COLUMNS[field], plain(cell)))
  const [numberAt, divisionAt, statusAt] = [
    columnOf('personnelNumber'),
    columnOf('divisionId'),
    columnOf('employeeStatus'),
  ]
  if (numberAt < 0) return null
  const seen = new Set<string>()
  const rows: HrListRow[] = []
  const problems: HrListRowProblem[] = []
  lines.forEach((cells, index) => {
    if (cells.every(cell => cell === '')) return
    const line = index + 2
    const personnelNumber = (cells[numberAt] ?? '').replace(/^'/, '')
    const [division, status] = [cells[divisionAt] ?? '', cells[statusAt] ?? '']
    const found = findDivision(division, divisions)
    const statusNumber = /^\d$/.test(status) ? Number(status) : statusNames[status.toLowerCase()]
    const known = Object.values(EMPLOYEE_STATUS).find(option => option === statusNumber)
    const before = problems.length
    if (personnelNumber === '') problems.push({ line, key: 'noNumber', value: '' })
    else if (seen.has(personnelNumber)) problems.push({ line, key: 'twice', value: personnelNumber })
    if ('key' in found) problems.push({ line, value: division, ...found })
    if (status !== '' && known === undefined) problems.push({ line, key: 'noStatus', value: status })
    if (problems.length === before && 'id' in found)
      rows.push({ personnelNumber, divisionId: found.id, employeeStatus: known ?? null })
    seen.add(personnelNumber)
  })
  return { rows, problems }
}

export function diffHrLists(before: readonly { personnelNumber: string }[], after: readonly HrListRow[]) {
  const numbersOf = (rows: readonly { personnelNumber: string }[]) => new Set(rows.map(row => row.personnelNumber))
  const [old, now] = [numbersOf(before), numbersOf(after)]
  return {
    added: [...now].filter(number => !old.has(number)),
    gone: [...old].filter(number => !now.has(number)),
    kept: [...now].filter(number => old.has(number)).length,
  }
}
