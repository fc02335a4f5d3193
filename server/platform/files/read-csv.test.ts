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
])('reads a file with %s', (_, text) => {
  expect(cellsOf(text)).toEqual([
    ['a', 'b'],
    ['1', 'x;y'],
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
