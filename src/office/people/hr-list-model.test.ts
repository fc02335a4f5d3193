import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffHrLists, parseHrList } from './hr-list-model.ts'

const HEAD = ['Personalnummer', 'Gesellschaft', 'Status']
const parse = (names: string[], ...rows: string[][]) =>
  parseHrList(
    [HEAD, ...rows],
    names.map((name, index) => ({ id: index + 1, name })),
    {},
  )

test.each([
  ['Werk 2', ['Werk 1', 'Werk 2'], 2],
  ['Sd', ['Süd', 'Sd'], 2],
  ['  werk  2 ', ['Werk 1', 'Werk 2'], 2],
  ['su\u0308d', ['Nord', 'Süd'], 2],
  ['2', ['Werk 1', 'Werk 2'], 2],
])('the division %j among %j is number %d', (value, names, divisionId) => {
  expect(parse(names, ['0123', value])).toEqual({
    rows: [{ personnelNumber: '0123', divisionId, employeeStatus: null }],
    problems: [],
    unread: [],
    total: null,
  })
})

test('an unknown division is rejected with similar ones, an ambiguous one with the candidates', () => {
  const problemOf = (value: string, names: string[]) => parse(names, ['0123', value])?.problems
  expect(problemOf('Fennmark Sevice GmbH', ['Fennmark Stahl GmbH', 'Fennmark Service GmbH'])).toEqual([
    { line: 2, key: 'similarDivision', value: 'Fennmark Sevice GmbH', divisions: ['Fennmark Service GmbH'] },
  ])
  expect(problemOf('Werk 3', ['Verwaltung'])).toEqual([{ line: 2, key: 'noDivision', value: 'Werk 3' }])
  expect(problemOf('2', ['2', 'Werk'])).toMatchObject([{ key: 'ambiguousDivision', divisions: ['2 (1)', 'Werk (2)'] }])
  expect(problemOf('Werk', ['Werk', 'werk'])).toMatchObject([{ key: 'ambiguousDivision' }])
})

test('all problems of a row are reported at once', () => {
  const row = ['0123', 'Werk', 'Praktikum']
  expect(parse([], row, row)?.problems.map(({ line, key }) => `${line} ${key}`)).toEqual([
    '2 noDivision',
    '2 noStatus',
    '3 twice',
    '3 noDivision',
    '3 noStatus',
  ])
})

const cells = fc.constantFrom('', '0123', '42', 'Werk 1', 'Wrek 1', '1', 'Kim', ' ', "'007", 'Praktikum')
const heading = fc.constantFrom('Personalnummer', 'Gesellschaft', 'Status', 'Firma', 'Personal-Nr.', '')

test('each filled cell of an HR list is in a row, or in a problem with its line, or in a column named as unread', () => {
  fc.assert(
    fc.property(
      fc.array(heading, { minLength: 1, maxLength: 5 }),
      fc.array(fc.array(cells, { maxLength: 6 }), { maxLength: 6 }),
      (head, lines) => {
        const list = parseHrList([head, ...lines], [{ id: 1, name: 'Werk 1' }], { praktikum: 3 })
        if (list === null) {
          expect(head.some(name => /^Personal/.test(name))).toBe(false)
          return
        }
        const wrong = new Set(list.problems.map(({ line }) => line))
        const isFilled = (text = '') => text.trim() !== ''
        const right = lines.filter((one, index) => one.some(isFilled) && !wrong.has(index + 2))
        expect(list.rows).toHaveLength(right.length)
        const readColumns = ['Personal', 'Gesellschaft', 'Status'].map(name =>
          head.findIndex(one => one.startsWith(name)),
        )
        for (const [index, line] of right.entries())
          for (const [column, text] of line.entries()) {
            if (!isFilled(text)) continue
            if (!readColumns.includes(column)) expect(list.unread).toContain(head[column] || `#${column + 1}`)
            else {
              const { personnelNumber, divisionId, employeeStatus } = list.rows[index] ?? {}
              expect([personnelNumber, divisionId, employeeStatus][readColumns.indexOf(column)]).not.toBeFalsy()
            }
          }
      },
    ),
    { numRuns: 500 },
  )
})

test('new numbers that lack the leading zeros of earlier ones are named', () => {
  const rowsOf = (...numbers: string[]) =>
    numbers.map(personnelNumber => ({ personnelNumber, divisionId: null, employeeStatus: null }))
  expect(diffHrLists(rowsOf('00042', '77', '08'), rowsOf('42', '78', '08')).withoutZeros).toEqual(['42'])
})

test('a row that sums up the list is a problem if it says so, and otherwise named', () => {
  const lines = ['0101', '102', '103']
  const parsed = (last: string) => parse([], ...[...lines, last].map(number => [number]))
  for (const last of ['Summe', 'Anzahl: 3', 'Gesamt 306', 'Summe250', 'Gesamtsumme = 1.306,00'])
    expect(parsed(last)?.problems).toEqual([{ line: 5, key: 'notNumber', value: last }])
  for (const value of ['3', '306']) expect(parsed(value)).toMatchObject({ problems: [], total: { line: 5, value } })
  expect(parsed('104')).toMatchObject({ problems: [], total: null })
  // Personnel numbers may be any text.
  const texts = ['Summe', 'ABCDEF', 'SUM-0012', 'TOTAL.7'].map(text => [text])
  expect(parse([], ...texts)?.rows).toHaveLength(texts.length)
  expect(parse([], ['SUM10'], ['SUM11'], ['SUM12'])).toMatchObject({ rows: { length: 3 }, problems: [] })
  expect(parse([], ['Summe 5'], ['Summe 12'])?.problems).toMatchObject([{ key: 'notNumber' }])
})

test('whole numbers with a decimal, as programs write columns with empty cells, are read without it', () => {
  expect(parse(['Werk 1'], ['4711.0', '1.0', '2.0'], ['4.5', '', ''])?.rows).toEqual([
    { personnelNumber: '4711', divisionId: 1, employeeStatus: 2 },
    { personnelNumber: '4.5', divisionId: null, employeeStatus: null },
  ])
})

test('a running number before the personnel number is not taken for it', () => {
  const table = [
    ['Nummer', 'Personalnummer'],
    ['1', '00123'],
  ]
  expect(parseHrList(table, [], {})).toEqual({
    rows: [{ personnelNumber: '00123', divisionId: null, employeeStatus: null }],
    problems: [],
    unread: ['Nummer'],
    total: null,
  })
})
