import { isOneOf } from '#contract/records.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import type { ActDraft } from '#office/frame/act-store.ts'

export type HrListRow = ActDraft<'save-eligible'>['rows'][number]
/** A rejected line of the file. Line 1 is the header. */
export type HrListRowProblem = { line: number; key: 'noNumber' | 'twice' | 'noDivision' | 'noStatus'; value: string }
export type ParsedHrList = { rows: HrListRow[]; problems: HrListRowProblem[] }

/** Column names in the file, with common alternatives. */
const COLUMNS = {
  personnelNumber: ['personnelnumber', 'personalnummer', 'persnr', 'pnr', 'number', 'nummer'],
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

const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

/**
 * Parses the HR list. Ignores apostrophes before numbers; divisions and statuses may be given as numbers or names.
 * @returns null if the file has no column for personnel numbers
 */
export function parseHrList(
  table: readonly (readonly string[])[],
  divisions: readonly { id: number; name: string }[],
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
    const divisionId = divisions.find(({ id, name }) => division === String(id) || plain(division) === plain(name))?.id
    const statusNumber = /^\d$/.test(status) ? Number(status) : statusNames[status.toLowerCase()]
    const known = Object.values(EMPLOYEE_STATUS).find(option => option === statusNumber)
    if (personnelNumber === '') problems.push({ line, key: 'noNumber', value: '' })
    else if (seen.has(personnelNumber)) problems.push({ line, key: 'twice', value: personnelNumber })
    else if (division !== '' && divisionId === undefined) problems.push({ line, key: 'noDivision', value: division })
    else if (status !== '' && known === undefined) problems.push({ line, key: 'noStatus', value: status })
    else rows.push({ personnelNumber, divisionId: divisionId ?? null, employeeStatus: known ?? null })
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
