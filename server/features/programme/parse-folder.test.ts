import { expect, test } from 'vitest'
import { ImportProblems } from '#server/platform/files/problems.ts'
import { createTestFolder } from '#server/test/import-folder.ts'
import { buildWorkbook } from '#server/test/workbook.ts'
import { parseFolder } from './parse-folder.ts'

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
