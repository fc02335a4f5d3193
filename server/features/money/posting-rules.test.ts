import * as v from 'valibot'
import { expect, test } from 'vitest'
import { billingConfig } from '#contract/endpoints/billing.ts'
import { readBillingSettings } from '#server/platform/branding/read.ts'
import { type AccountingConfig, filterPostingsForFile, type Posting, writeAccountingFile } from './posting-rules.ts'

const own = readBillingSettings(['branding'])
const configure = (accounting: Record<string, unknown>) =>
  v.parse(billingConfig, { ...own, accounting: { ...own.accounting, ...accounting } }).accounting as AccountingConfig

const TYPES = ['invoice', 'cancellation', 'payment', 'paidBack', 'setOff', 'refund', 'returned'] as const
const POSTINGS = TYPES.map((type, index): Posting => {
  const isRefund = type === 'refund' || type === 'returned'
  return {
    document: `${type} ${index}`,
    type,
    day: '2027-02-03',
    cents: 5 + 10_000 * index,
    reference: isRefund ? '12345-00001' : '2027-000123',
    otherReference: type === 'cancellation' ? '2027-000124' : '',
    dueOn: type === 'invoice' ? '2027-02-17' : null,
  }
})

/** Expressions of the format description (developer.datev.de, DATEV-Format), by number of the field. */
const HEAD: Record<number, RegExp> = {
  1: /^"EXTF"$/,
  2: /^700$/,
  3: /^21$/,
  4: /^"Buchungsstapel"$/,
  5: /^13$/,
  6: /^20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{9}$/,
  7: /^$/,
  11: /^\d{4,7}$/,
  12: /^\d{1,5}$/,
  13: /^20\d{6}$/,
  14: /^[4-8]$/,
  15: /^20\d{6}$/,
  16: /^20\d{6}$/,
  17: /^"[\w.\-/ ]{0,30}"$/,
  19: /^[12]$/,
  20: /^(?:0|30|40|50|64)$/,
  21: /^[01]$/,
  22: /^"[A-Z]{3}"$/,
}
const ROW: Record<number, RegExp> = {
  1: /^\d{1,10},\d{2}$/,
  2: /^"[SH]"$/,
  3: /^"[A-Z]{3}"$/,
  7: /^\d{1,9}$/,
  8: /^\d{1,9}$/,
  10: /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])$/,
  11: /^"[\w$%\-/]{0,36}"$/,
  12: /^"[\w$%\-/]{0,12}"$/,
  14: /^".{0,60}"$/,
  114: /^[01]$/,
  117: /^(?:(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])20\d{2})?$/,
}

test('each field of an accounting file matches the format description of DATEV', () => {
  const config = configure({
    accountLength: 8,
    accounts: { debtor: '100000000', revenue: '81000000', bank: '13600000' },
  })
  const file = writeAccountingFile(config, {
    name: 'Buchungsstapel 7',
    createdAt: '2027-03-01T08:05',
    postings: POSTINGS,
  })
  const [head = '', names = '', ...rows] = new TextDecoder('windows-1252').decode(file).split('\r\n')
  const columns = names.split(';')
  expect([columns[8], columns[113], columns[116]]).toEqual(['BU-Schlüssel', 'Festschreibung', 'Fälligkeit'])
  expect(rows.pop()).toBe('')
  expect(rows).toHaveLength(TYPES.length)
  for (const [line, fields, count] of [[head, HEAD, 31], ...rows.map(row => [row, ROW, 125] as const)] as const) {
    const cells = line.split(';')
    expect(cells).toHaveLength(count)
    for (const [index, cell] of cells.entries())
      expect([index + 1, cell]).toEqual([index + 1, expect.stringMatching(fields[index + 1] ?? /^(?:"")?$/)])
  }
  expect(rows[1]?.split(';').slice(0, 14)).toEqual([
    '100,05',
    '"H"',
    '"EUR"',
    '',
    '',
    '',
    '100000000',
    '81000000',
    '',
    '0302',
    '"2027-000123"',
    '"2027-000124"',
    '',
    '"Storno 2027-000124"',
  ])
})

test('a file ends with its fiscal year', () => {
  const days = (...all: string[]) => all.map(day => ({ ...(POSTINGS[0] as Posting), day }))
  const filter = (postings: Posting[], fiscalYearMonth: number) =>
    filterPostingsForFile(postings, configure({ fiscalYearMonth })).map(({ day }) => day)
  const postings = days('2026-12-31', '2027-01-01', '2027-06-30', '2027-07-01')
  expect(filter(postings, 1)).toEqual(['2026-12-31'])
  expect(filter(postings, 7)).toEqual(['2026-12-31', '2027-01-01', '2027-06-30'])
})

test('accounts need the configured length', () => {
  const accounts = { debtor: '10000', revenue: '8100', bank: '1360' }
  expect(() => configure({ accounts: { ...accounts, debtor: '1000' } })).toThrow('accountLength')
  expect(() => configure({ accounts: { ...accounts, bank: '13600' } })).toThrow('accountLength')
  expect(() => configure({ consultantNumber: '999' })).toThrow('from 1001')
  expect(() => configure({ from: '1.1.2027' })).toThrow('2027-01-01')
})
