import { isTotalRow, toHrListCell } from '#contract/rules/hr-list-rules.ts'
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
  key: 'noNumber' | 'notNumber' | 'twice' | 'noDivision' | 'similarDivision' | 'ambiguousDivision' | 'noStatus'
  value: string
  divisions?: string[]
}
/**
 * `unread`: names of columns with cells that are not read, or their numbers, such as '#4'; `total`: the last number, if it
 * is the sum or the number of those above, so that it may be no person
 */
export type ParsedHrList = {
  rows: HrListRow[]
  problems: HrListRowProblem[]
  unread: string[]
  total: { line: number; value: string } | null
}

/** Column names in the file, with common alternatives. Those of a second list count only if none of the first is there. */
const COLUMNS = {
  personnelNumber: [
    ['personnelnumber', 'personalnummer', 'personalnr', 'persnr', 'pnr'],
    ['number', 'nummer'],
  ],
  divisionId: [['divisionid', 'division', 'gesellschaft']],
  employeeStatus: [['employeestatus', 'status']],
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
  const trimmed = table.map(cells => cells.map(toHrListCell))
  const [head = [], ...lines] = trimmed
  const columnOf = (field: keyof typeof COLUMNS) =>
    COLUMNS[field].map(names => head.findIndex(cell => names.includes(plain(cell)))).find(at => at >= 0) ?? -1
  const [numberAt, divisionAt, statusAt] = [
    columnOf('personnelNumber'),
    columnOf('divisionId'),
    columnOf('employeeStatus'),
  ]
  if (numberAt < 0) return null
  const seen = new Set<string>()
  const rows: HrListRow[] = []
  const problems: HrListRowProblem[] = []
  const lastLine = lines.findLastIndex(cells => cells.some(cell => cell !== '')) + 2
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
    else if (line === lastLine && isTotalRow(personnelNumber, [...seen]))
      problems.push({ line, key: 'notNumber', value: personnelNumber })
    else if (seen.has(personnelNumber)) problems.push({ line, key: 'twice', value: personnelNumber })
    if ('key' in found) problems.push({ line, value: division, ...found })
    if (status !== '' && known === undefined) problems.push({ line, key: 'noStatus', value: status })
    if (problems.length === before && 'id' in found)
      rows.push({ personnelNumber, divisionId: found.id, employeeStatus: known ?? null })
    seen.add(personnelNumber)
  })
  return {
    rows,
    problems,
    unread: listUnreadColumns(trimmed, [numberAt, divisionAt, statusAt]),
    total:
      problems.length === 0 && isTotalOfOthers(rows)
        ? { line: lastLine, value: rows.at(-1)?.personnelNumber ?? '' }
        : null,
  }
}

/** Whether the last of at least four numbers is the number or the sum of the others. */
function isTotalOfOthers(rows: readonly HrListRow[]): boolean {
  const numbers = rows.map(({ personnelNumber }) => Number(personnelNumber))
  const last = numbers.pop()
  return numbers.length > 2 && (last === numbers.length || last === numbers.reduce((sum, number) => sum + number, 0))
}

/** Names of the columns that are not read, if they have a name or cells. */
function listUnreadColumns(table: readonly string[][], read: readonly number[]): string[] {
  const width = table.reduce((most, cells) => Math.max(most, cells.length), 0)
  return Array.from({ length: width }, (_, column) => column).flatMap(column =>
    read.includes(column) || table.every(cells => (cells[column] ?? '') === '')
      ? []
      : table[0]?.[column] || `#${column + 1}`,
  )
}

const withoutZeros = (number: string) => number.replace(/^0+(?=.)/, '')

/** `withoutZeros`: new numbers that equal missing ones but for leading zeros, which spreadsheets remove */
export function diffHrLists(before: readonly { personnelNumber: string }[], after: readonly HrListRow[]) {
  const numbersOf = (rows: readonly { personnelNumber: string }[]) => new Set(rows.map(row => row.personnelNumber))
  const [old, now] = [numbersOf(before), numbersOf(after)]
  const gone = [...old].filter(number => !now.has(number))
  const padded = new Set(gone.filter(number => number.startsWith('0')).map(withoutZeros))
  return {
    added: [...now].filter(number => !old.has(number)),
    gone,
    withoutZeros: [...now].filter(number => !old.has(number) && padded.has(number)),
    kept: [...now].filter(number => old.has(number)).length,
  }
}
