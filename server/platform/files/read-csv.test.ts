import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from './read-csv.ts'

const read = (text: string) => readCsv(new TextEncoder().encode(text))
const cellsOf = (text: string) => {
  const content = read(text)
  return 'records' in content ? content.records.map(({ cells }) => cells) : content
}

test.each([
  ['comma', 'a,b\n1,"x;y"\n'],
  ['semicolon', 'a;b\n1;x;y\n'.replace('x;y', '"x;y"')],
  ['a BOM', '\ufeffa,b\n1,x;y'],
  ['CRLF', 'a,b\r\n1,x;y\r\n'],
  ['CR', 'a,b\r1,x;y\r'],
  ['tabs', 'a\tb\n1\tx;y\n'],
  ['a line that names the delimiter', 'sep=;\r\na;b\r\n1;"x;y"\r\n'],
  ['the first line of Export-Csv in Windows PowerShell', '#TYPE Selected.ADUser\r\n"a";"b"\r\n"1";"x;y"\r\n'],
])('reads a file with %s', (_, text) => {
  expect(cellsOf(text)).toEqual([
    ['a', 'b'],
    ['1', 'x;y'],
  ])
})

test('a header that begins with #Type is not taken for the line of Windows PowerShell', () => {
  expect(cellsOf('#Type of course;Number\n1;x\n')).toEqual([
    ['#Type of course', 'Number'],
    ['1', 'x'],
  ])
})

test('reads quotes, delimiters and line breaks inside quoted cells', () => {
  expect(cellsOf('"a;b","c"\n"say ""hi""","eins\r\nzwei"\n')).toEqual([
    ['a;b', 'c'],
    ['say "hi"', 'eins\nzwei'],
  ])
})

test('numbers rows by the line on which they start, and as in a spreadsheet', () => {
  const content = read('a,b\r\n1,"x\r\ny"\r\n\r\n2,z\r\n')
  expect('records' in content && content.records.map(({ line, row }) => [line, row])).toEqual([
    [1, 1],
    [2, 2],
    [5, 4],
  ])
})

test.each([
  ['an unterminated quote', 'a,b\n1,2\n3,"x\n4,5\n', 3],
  ['text after a closing quote', 'a,b\n1,"x"y\n', 2],
  ['a quote inside an unquoted cell', 'a,b\n1,x"y"\n', 2],
])('%s is reported with its line', (_, text, line) => {
  expect(read(text)).toMatchObject({ line, column: 'quotes' })
})

test('bytes that are not UTF-8 are reported with their line', () => {
  expect(readCsv(Buffer.from('a,b\n1,x\n2,R\xfccken\n', 'latin1'))).toMatchObject({ line: 3, column: 'encoding' })
})

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }).filter(text => !/[\r\0]/.test(text) && text.isWellFormed()),
  fc.constantFrom('', ' ', '"', '""', ';', ',', '\t', 'a\nb', '=1+1', '\uFEFFx', '00123', "'7", 'sep=;'),
)
const quote = (text: string, isAlways: boolean, delimiter: string) =>
  isAlways || text.includes('"') || text.includes('\n') || text.includes(delimiter)
    ? `"${text.replaceAll('"', '""')}"`
    : text

test('each cell of any CSV file is in the result, at its row, whatever delimiter, line ending and encoding', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 6 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom('utf8', 'bom', 'utf16le', 'sep=', 'latin1'),
      fc.boolean(),
      (rows, delimiter, end, form, isQuoted) => {
        // Latin letters only, which form no valid sequence of UTF-8.
        const all = [['Kopf', 'Zwei'], ...rows].map(cells =>
          cells.map(text => (form === 'latin1' ? text.replaceAll(/[^\x20-\x7e\n\t]+/g, 'ü') : text)),
        )
        const text = all.map(cells => cells.map(one => quote(one, isQuoted, delimiter)).join(delimiter)).join(end) + end
        const bytes = {
          utf8: () => Buffer.from(text),
          bom: () => Buffer.from(`\uFEFF${text}`),
          utf16le: () => Buffer.from(`\uFEFF${text}`, 'utf16le'),
          'sep=': () => Buffer.from(`sep=${delimiter}${end}${text}`),
          latin1: () => Buffer.from(text, 'latin1'),
        }[form as 'utf8']()
        const content = readCsv(bytes, { isAnyEncoding: true })
        if (!('records' in content)) throw new Error(content.text.in('en'))
        const found = content.records.map(({ row, cells }) => [row - (form === 'sep=' ? 1 : 0), cells] as const)
        const filled = all.flatMap((cells, index) =>
          cells.some(one => one.trim() !== '') ? [[index + 1, cells] as const] : [],
        )
        expect(found).toEqual(filled)
      },
    ),
    { numRuns: 400 },
  )
})
