import { expect, test } from 'vitest'
import { toSheetRows, writeCsv } from './list-rules.ts'

test.each([
  '=1+1',
  '+A1',
  '-1+A1',
  '+49 511*2',
  '-1,5',
  '@SUM',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1+1',
  '\u00a0=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM',
  ' ＝1',
  '\t＠a',
])('%j is escaped as text in a list', cell => {
  expect(toSheetRows([[cell]])).toEqual([[`'${cell}`]])
  expect(Buffer.from(writeCsv([[cell]])).toString()).toContain(`'${cell}`)
})

test.each([
  'Müller',
  '+49 (0)511 12-3/4',
  '++49 511 2',
  '-49 511 4',
  '-123',
  '-',
  'a=b',
  '1-2',
  'x@y.example',
  ' a',
  '',
])('%j is unchanged', cell => {
  expect(toSheetRows([[cell]])).toEqual([[cell]])
})
