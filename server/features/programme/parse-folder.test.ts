import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ImportProblems } from '#server/platform/files/problems.ts'
import { renderSpreadsheet } from '#server/platform/pdf/spreadsheet.ts'
import { createTestFolder } from '#server/test/import-folder.ts'
import { buildWorkbook } from '#server/test/workbook.ts'
import { type ParsedRow, type ParsedTable, parseFolder } from './parse-folder.ts'
import { type ColumnsByName, importTableDefinitions, type TableName } from './tables.ts'

test('workbooks with macros are read, and files of other spreadsheet formats are named', async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const divisions = `<row>${text('id')}${text('name')}</row><row><c><v>7</v></c>${text('Werk')}</row>`
  const folder = await createTestFolder({
    'divisions.xlsm': await buildWorkbook({ sheets: { Tabelle1: divisions } }),
    'courses.ods': 'x',
    'rooms.XLSB': 'x',
    'users.xls': 'x',
    '~$users.xls': 'x',
  })
  try {
    const problems = new ImportProblems()
    const parsed = await parseFolder(folder.path, 0, problems, () => undefined)
    expect(parsed.divisions.rows.map(({ values }) => values)).toEqual([
      expect.objectContaining({ id: 7, name: 'Werk' }),
    ])
    expect(problems.toLines('en')).toEqual([
      'courses.ods:1: file: save it as .xlsx',
      'rooms.XLSB:1: file: save it as .xlsx',
      'users.xls:1: file: save it as .xlsx',
    ])
  } finally {
    await folder.remove()
  }
})

const TABLES = ['divisions', 'seasons', 'categories', 'rooms', 'courses', 'courseDates'] as const satisfies TableName[]
const cell = fc.constantFrom(
  '',
  '',
  ' ',
  '1',
  '7',
  'Werk',
  'ja',
  'vielleicht',
  '2026-11-21',
  '31.02.2026',
  '18:00',
  '25:00',
  '1,5',
  'a@b.example',
  "'x",
)
const generatedTable = fc.record({
  table: fc.constantFrom(...TABLES),
  form: fc.constantFrom('csv', 'xlsx'),
  extra: fc.subarray(['Bemerkung', '', 'name']),
  rows: fc.array(fc.array(cell, { minLength: 45, maxLength: 45 }), { maxLength: 4 }),
})
const otherFile = fc.constantFrom(
  'Kurse.pdf',
  'courses.txt',
  'alt/courses.csv',
  'kurse.csv',
  'users.ods',
  'README.md',
  '.DS_Store',
  '~$rooms.xlsx',
)

const toCsv = (rows: string[][]) => rows.map(cells => cells.map(text => `"${text}"`).join(';')).join('\r\n')

test('each filled cell, row and file of a folder is in the result, or in a line with its place', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(generatedTable, { selector: ({ table }) => table, maxLength: 3 }),
      fc.uniqueArray(otherFile, { maxLength: 3 }),
      async (tables, others) => {
        const files: Record<string, string | Uint8Array> = Object.fromEntries(others.map(name => [name, 'x']))
        const written = tables.map(({ table, form, extra, rows }) => {
          const { file, columns } = importTableDefinitions[table]
          const head = [...Object.keys(columns), ...extra]
          return { table, form, file, head, rows: rows.map(cells => cells.slice(0, head.length + 1)) }
        })
        for (const { file, form, head, rows } of written)
          files[form === 'csv' ? file : file.replace('.csv', '.xlsx')] =
            form === 'csv'
              ? toCsv([head, ...rows])
              : await renderSpreadsheet([{ name: 'Tabelle1', rows: [head, ...rows] }])
        const folder = await createTestFolder(files)
        try {
          const problems = new ImportProblems()
          const parsed = await parseFolder(folder.path, 0, problems, () => undefined)
          const lines = problems.toLines('en', 10_000)
          for (const { table, form, file, head, rows } of written) {
            const { rows: found, definition }: ParsedTable = parsed[table]
            const filled = rows.flatMap((cells, index) =>
              cells.some(text => text.trim() !== '') ? [{ cells, row: index + 2 }] : [],
            )
            expect(found).toHaveLength(filled.length)
            const place = form === 'csv' ? file : `${file.replace('.csv', '.xlsx')}, sheet Tabelle1`
            const isNamed = (row: number, column: string) =>
              lines.some(line => line.startsWith(`${place}:${row}: ${column}: `))
            for (const [index, { cells, row }] of filled.entries())
              for (const [column, text] of cells.entries()) {
                if (text.trim() === '') continue
                const name = head[column] ?? ''
                const { values } = found[index] as ParsedRow<ColumnsByName>
                const isRead = name in definition.columns && values[name] !== undefined && head.indexOf(name) === column
                // A column that is unknown is named in the header, a cell beyond it in its row.
                const isReported = isNamed(row, name) || isNamed(1, name || `column ${column + 1}`)
                expect(
                  isRead || isReported || lines.some(line => line.startsWith(`${place}:${row}: cell `)),
                  `${place} ${row} ${column}`,
                ).toBe(true)
              }
          }
          for (const name of others) {
            const [top = ''] = name.split('/')
            const isMetadata = /^(?:\.|~\$|README)/.test(top)
            expect(parsed.otherNames.includes(top) || lines.some(line => line.startsWith(`${top}:1: file: `))).toBe(
              !isMetadata,
            )
          }
        } finally {
          await folder.remove()
        }
      },
    ),
    { numRuns: 60 },
  )
})
