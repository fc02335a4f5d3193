import { expect, test } from 'vitest'
import { parseHrList } from './hr-list-model.ts'

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
