import { expect, test } from 'vitest'
import { buildCamt } from '#server/test/statements.ts'
import { readBankStatement } from './read-bank-statement.ts'

const read = (text: string, encoding: BufferEncoding = 'utf8') =>
  readBankStatement(Buffer.from(text, encoding)).map(({ bookedOn, cents, text }) => `${bookedOn} ${cents} ${text}`)

test('reads booked credits in euros with their remittance information', () => {
  const statement = buildCamt([
    { cents: 4_500, text: 'Rechnung 2026-000001 &amp; Dank' },
    { cents: 4_500, text: 'debit', kind: 'DBIT' },
    { cents: 4_500, text: 'pending', status: '<Cd>PDNG</Cd>' },
    { cents: 4_500, text: 'dollars', currency: 'USD' },
    { cents: 5, text: 'earlier version', status: 'BOOK', day: '2026-12-31' },
  ])
  expect(read(statement)).toEqual([
    '2026-11-24 4500 NOTPROVIDED Rechnung 2026-000001 & Dank',
    '2026-12-31 5 NOTPROVIDED earlier version',
  ])
  expect(read(`\uFEFF${statement}`)).toHaveLength(2)
  expect(readBankStatement(Buffer.from(buildCamt([{ cents: 1, text: '', reversal: true }])))[0]?.isReversal).toBe(true)
})

test('a batch entry is split into its transactions if all of them state an amount', () => {
  const collective = (amounts: (string | null)[]) =>
    buildCamt([{ cents: 3_000, text: 'x' }]).replace(
      /<TxDtls>[\s\S]*<\/TxDtls>/,
      amounts
        .map(
          (amount, index) =>
            `<TxDtls>${amount === null ? '' : `<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`}<RmtInf><Ustrd>n${index}</Ustrd></RmtInf></TxDtls>`,
        )
        .join(''),
    )
  expect(read(collective(['10.00', '20.00']))).toEqual(['2026-11-24 1000 n0', '2026-11-24 2000 n1'])
  expect(read(collective(['10.00', null]))).toEqual(['2026-11-24 3000 n0 n1'])
})

test('reads CSV with English or German columns, skipping rows before the header', () => {
  expect(read('bookedOn,amount,text\n2026-11-24,45.00,2026-000001\n2026-11-25,-3,Fee\n')).toEqual([
    '2026-11-24 4500 2026-000001',
  ])
  expect(
    read(
      'Kontoauszug;Sport\n\nBuchungstag;Name;Verwendungszweck;Betrag\n24.11.26;Kim;"Re; 1";1.234,5\n1.2.2027;;;+0,07 €\n',
    ),
  ).toEqual(['2026-11-24 123450 Re; 1', '2027-02-01 7 '])
})

test.each<[string, string, RegExp]>([
  ['a document type', buildCamt([], '').replace('?>', '?><!DOCTYPE a [<!ENTITY b "bb">]>'), /document type/],
  ['no XML', '<a><b></a>', /is no bank statement/],
  ['another document', '<Document><Stm/></Document>', /no statement/],
  ['UTF-16', '<?xml version="1.0" encoding="UTF-16"?><a/>', /utf-16/],
  ['a table without amounts', 'bookedOn;text\n2026-11-24;x\n', /bookedOn, amount and text/],
  ['an invalid date', 'bookedOn;amount;text\n31.02.2026;1,00;x\n', /row 2: 31\.02\.2026 is no day/],
  ['a picture', '\x89PNG', /is no bank statement/],
])('%s is rejected', (_what, text, why) => {
  expect(() => read(text, 'latin1')).toThrow(why)
})

test('deeply nested and long files are read quickly', () => {
  const startedAt = performance.now()
  const deep = buildCamt([]).replace('</Stmt>', `${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}</Stmt>`)
  expect(read(deep)).toEqual([])
  expect(read(buildCamt(Array.from({ length: 5_000 }, () => ({ cents: 1, text: 'x'.repeat(5_000) }))))).toHaveLength(
    5_000,
  )
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
