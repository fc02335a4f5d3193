import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { billingConfig } from '#contract/endpoints/billing.ts'
import { readBillingSettings } from '#server/platform/branding/read.ts'
import { renderSpreadsheet } from '#server/platform/pdf/spreadsheet.ts'
import { csvCharsetOf, toEpcPayload, writePayrollFile } from './batch-rules.ts'

const own = readBillingSettings(['branding'])
const configure = (payroll: Record<string, unknown>) =>
  v.parse(billingConfig, { ...own, payroll: { ...own.payroll, ...payroll } })

const LINES = [
  { personnelNumber: '00123', division: 'Werk Süd', cents: 5_100, energyCents: 600, reference: '7-00001' },
  { personnelNumber: '209130', division: 'Łódź – €', cents: -1_250, energyCents: 0, reference: '7-00002' },
  { personnelNumber: '1', division: '', cents: 0, energyCents: 0, reference: '7-00003' },
]
const write = (payroll: Record<string, unknown>) => writePayrollFile(configure(payroll), LINES, '2026-11')
const linesOf = ({ content }: { content: Buffer }) => new TextDecoder('windows-1252').decode(content).split('\r\n')

test('without further settings, the payroll file is the table of before', () => {
  expect(write({}).content.toString()).toBe(
    '\uFEFFpersonnelNumber;division;wageType;amount;period;costCentre;reference\r\n' +
      '00123;Werk Süd;4711;51,00;2026-11;9000;7-00001\r\n209130;Łódź – €;4711;-12,50;2026-11;9000;7-00002\r\n;;;38,50;;;\r\n',
  )
})

test('a number or division that a spreadsheet would take for a formula is text', () => {
  const line = { personnelNumber: '=A1', division: '@Werk', cents: 100, energyCents: 0, reference: '' }
  const { content } = writePayrollFile(configure({ columns: ['personnelNumber', 'division'] }), [line], '2026-11')
  expect(content.toString()).toContain("\r\n'=A1;'@Werk\r\n")
})

test('columns, header, sum, decimal sign, period and wage types are configured', () => {
  const payroll = {
    encoding: 'utf-8',
    columns: ['period', 'personnelNumber', 'wageType', 'amount'],
    header: false,
    sumRow: false,
    decimalSign: '.',
    period: 'DD.MM.YYYY',
    wageTypes: { energyFee: '4712', refund: '4713' },
  }
  expect(write(payroll).content.toString()).toBe(
    '01.11.2026;00123;4711;45.00\r\n01.11.2026;00123;4712;6.00\r\n01.11.2026;209130;4713;-12.50\r\n',
  )
})

test.each(['windows-1252', 'latin1'])('%s keeps dash and euro sign, and names what it transliterates', encoding => {
  const file = write({ encoding, columns: ['division', 'amount'] })
  expect(linesOf(file)).toEqual(['division;amount', 'Werk Süd;51,00', 'Lódz – €;-12,50', ';38,50', ''])
  expect(file.transliterated).toEqual(['Łódź – €'])
})

test.each([
  [{}, 'payroll', 'utf-8'],
  [{ encoding: 'utf-8' }, 'payroll', 'utf-8'],
  [{ encoding: 'latin1' }, 'refund', 'windows-1252'],
  [{ profile: 'datev-lug' }, 'payroll', 'windows-1252'],
  [{ profile: 'datev-lug' }, 'refund', 'utf-8'],
  [{}, 'accounting', 'windows-1252'],
] as const)('with %o, the file of a %s batch is sent as %s', (payroll, kind, charset) => {
  expect(csvCharsetOf(configure({ ...payroll, datev }), kind)).toBe(charset)
})

const datev = { consultantNumber: '1234567', clientNumber: '12345', processingKey: '2' }
test('datev-lodas writes sections, the period as a day and a processing key', () => {
  expect(linesOf(write({ profile: 'datev-lodas', datev }))).toEqual([
    '[Allgemein]',
    'Ziel=LODAS',
    'Version_SST=1.0',
    'BeraterNr=1234567',
    'MandantenNr=12345',
    'Datumsformat=TT.MM.JJJJ',
    'Zahlenkomma=,',
    '',
    '[Satzbeschreibung]',
    '1;u_lod_bwd_buchung_standard;abrechnung_zeitraum#bwd;bs_wert_butab#bwd;bs_nr#bwd;la_eigene#bwd;pnr#bwd;kostenstelle#bwd;',
    '',
    '[Bewegungsdaten]',
    '1;01.11.2026;51,00;2;4711;00123;9000;',
    '1;01.11.2026;-12,50;2;4711;209130;9000;',
    '',
  ])
  expect(() => write({ profile: 'datev-lodas', datev: { consultantNumber: '1', clientNumber: '2' } })).toThrow(
    'processingKey',
  )
  expect(() => write({ profile: 'datev-lug' })).toThrow('datev')
})

test('datev-lug writes the company and month, then eleven fields for each movement', () => {
  expect(linesOf(write({ profile: 'datev-lug', datev }))).toEqual([
    '1234567;12345;11/2026',
    '00123;;;4711;;;51,00;;;9000;',
    '209130;;;4711;;;-12,50;;;9000;',
    '',
  ])
})

test('a text column of a workbook is text in every row', async () => {
  const rows = [
    ['number', 'count'],
    ['00123', '5'],
    ['209130', '6'],
    ['9000.10', '2026-11-24'],
  ]
  const zip = await fromBufferPromise(Buffer.from(await renderSpreadsheet([{ name: 'a', rows, textColumns: [0] }])), {
    lazyEntries: true,
  })
  let sheet = ''
  for await (const entry of zip.eachEntry())
    if (entry.fileName === 'xl/worksheets/sheet1.xml') sheet = await text(await zip.openReadStreamPromise(entry))
  const typeOf = (cell: string) => new RegExp(`<c r="${cell}"[^>]*?t="(\\w+)"`).exec(sheet)?.[1] ?? 'n'
  expect(['A2', 'A3', 'A4'].map(typeOf)).toEqual(['s', 's', 's'])
  expect(typeOf('B3')).toBe('n')
})

test('the payment code names the recipient in the letters of payment orders', () => {
  const invoice = { ...own.invoice, recipient: 'Förderverein Öhringen – Łódź', iban: 'DE02120300000000202051' }
  expect(toEpcPayload({ ...own, invoice }, 4_550, '2026-000123').split('\n')).toEqual([
    'BCD',
    '002',
    '1',
    'SCT',
    own.invoice.bic,
    'Foerderverein Oehringen - Lodz',
    'DE02120300000000202051',
    'EUR45.50',
    '',
    '',
    '2026-000123',
  ])
})
