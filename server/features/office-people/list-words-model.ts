import type { Language } from '#contract/values.ts'
import type { SheetCell } from '#server/pdf/spreadsheet.ts'
import { translate } from '#server/texts/translate.ts'
import type { Table } from './list-rules.ts'

/** Columns whose cells are codes. */
const CODED = ['state', 'charge', 'payroll']

/** Heads and codes of a list in the reader's language; programs read the codes themselves. */
export function translateTable([head = [], ...rows]: Table, language: Language): Table {
  const columns = head.map(String)
  const sayCell = (cell: SheetCell, column: string): SheetCell => {
    if (typeof cell === 'boolean') return translate(language, cell ? 'lists.yes' : 'lists.no')
    const isCode = typeof cell === 'string' && cell !== '' && CODED.includes(column)
    return isCode ? translate(language, `lists.value.${column}.${cell}`) : cell
  }
  return [
    columns.map(column => translate(language, `lists.column.${column}`)),
    ...rows.map(row => row.map((cell, index) => sayCell(cell, columns[index] ?? ''))),
  ]
}
