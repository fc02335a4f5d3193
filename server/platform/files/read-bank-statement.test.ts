import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import type { BankTurnover } from '#server/platform/files/bank-turnover.ts'
import type { CsvLayout } from '#server/platform/files/read-bank-csv.ts'
import { buildCamt, buildSavingsBankCsv } from '#server/test/statements.ts'
import { buildWorkbook } from '#server/test/workbook.ts'
import { readBankStatement } from './read-bank-statement.ts'

const readAll = async (content: string | Buffer, layouts: CsvLayout[] = []) => {
  const turnovers = await readBankStatement(Buffer.from(content), layouts)
  if (!Array.isArray(turnovers)) throw new Error(`unknown columns: ${turnovers.names.join(', ')}`)
  return turnovers
}
const show = ({ bookedOn, cents, currency, isCredit, isBooked, texts, payer }: BankTurnover) =>
  [
    bookedOn,
    `${isCredit ? '' : '-'}${cents}`,
    currency === 'EUR' ? '' : currency,
    isBooked ? '' : 'pending',
    payer,
    texts.join(' '),
  ]
    .filter(Boolean)
    .join(' | ')
const read = async (content: string | Buffer) => (await readAll(content)).map(show)

test('reads camt turnovers with their parties, remittance information, state and references', async () => {
  const statement = buildCamt([
    { cents: 4_500, text: 'Rechnung 2026-000001 &amp; Dank' },
    { cents: 4_500, text: 'debit', kind: 'DBIT' },
    { cents: 4_500, text: 'pending', status: '<Cd>PDNG</Cd>' },
    { cents: 4_500, text: 'dollars', currency: 'USD', reference: 'NONREF' },
    { cents: 5, text: 'earlier version', status: 'BOOK', day: '2026-12-31', reversal: true, reference: 'B-1' },
  ])
  expect(await read(statement)).toEqual([
    '2026-11-24 | 4500 | Kim Muster | NOTPROVIDED Rechnung 2026-000001 & Dank',
    '2026-11-24 | -4500 | NOTPROVIDED debit',
    '2026-11-24 | 4500 | pending | Kim Muster | NOTPROVIDED pending',
    '2026-11-24 | 4500 | USD | Kim Muster | NOTPROVIDED dollars',
    '2026-12-31 | 5 | Kim Muster | NOTPROVIDED earlier version',
  ])
  const turnovers = await readAll(`\uFEFF${statement}`)
  expect(turnovers.map(({ bankReference, isReversal }) => [bankReference, isReversal]).slice(3)).toEqual([
    ['', false],
    ['B-1', true],
  ])
  expect(new Set(turnovers.map(({ account }) => account))).toEqual(new Set(['DE02120300000000202051']))
})

test.each([
  ['camt.052', 'Rpt', 'BkToCstmrAcctRpt'],
  ['camt.054', 'Ntfctn', 'BkToCstmrDbtCdtNtfctn'],
])('%s is read like camt.053', async (source, report, message) => {
  const statement = buildCamt([{ cents: 4_500, text: 'x' }])
    .replaceAll(/(?<=<\/?)Stmt>/g, `${report}>`)
    .replaceAll('BkToCstmrStmt', message)
  expect(await readAll(statement)).toMatchObject([{ source, account: 'DE02120300000000202051', cents: 4_500 }])
})

test.each([
  ['45.00000', 4_500],
  ['45.5', 4_550],
  ['45', 4_500],
  // Valid decimals of XML Schema.
  ['+45.5', 4_550],
  ['.45', 45],
  ['45.', 4_500],
  ['45.005', null],
  ['.', null],
])('the amount %s is %s cents', async (amount, cents) => {
  const statement = buildCamt([{ cents: 4_500, text: 'x' }]).replace('>45.00<', `>${amount}<`)
  expect(await readAll(statement)).toMatchObject([{ cents }])
})

test('a batch entry is split into its transactions if these add up to it', async () => {
  const collective = (amounts: (string | null)[]) =>
    buildCamt([{ cents: 3_000, text: 'x', reference: 'B-1' }]).replace(
      /<TxDtls>[\s\S]*<\/TxDtls>/,
      amounts
        .map(
          (amount, index) =>
            `<TxDtls>${amount === null ? '' : `<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`}<RmtInf><Ustrd>n${index}</Ustrd></RmtInf></TxDtls>`,
        )
        .join(''),
    )
  expect(await read(collective(['10.00', '20.00']))).toEqual(['2026-11-24 | 1000 | n0', '2026-11-24 | 2000 | n1'])
  expect((await readAll(collective(['10.00', '20.00']))).map(one => one.bankReference)).toEqual(['B-1/1', 'B-1/2'])
  expect(await read(collective(['10.00', null]))).toEqual(['2026-11-24 | 3000 | n0 n1'])
  expect(await read(collective(['10.00', '19.00']))).toEqual(['2026-11-24 | 3000 | n0 n1'])
})

const MT940 = `:20:STARTUMS
:25:12030000/0000202051
:28C:0
:60F:C261123EUR100,00
:61:2611241124CR45,00NTRFNONREF//B-77
:86:166?00GUTSCHRIFT?109310?20EREF+NOTPROVIDED?21SVWZ+Rechnung 2026-0?2200
001 danke?30BYLADEM1001?31DE75512108001245126199?32MUSTER, KIM
:61:2701021231D7,5NMSCKREF
:86:Entgelt
:NS:01
:62F:C261124EUR137,50
:86:Kontoauszug
-
`
test('reads MT940 with structured and plain details', async () => {
  expect(await read(MT940)).toEqual([
    '2026-11-24 | 4500 | MUSTER, KIM | EREF+NOTPROVIDED SVWZ+Rechnung 2026-0 00001 danke',
    '2026-12-31 | -750 | Entgelt KREF',
  ])
  expect(await read(MT940.replaceAll('\n', '\r\n'))).toHaveLength(2)
  expect(await readAll(MT940)).toMatchObject([
    { account: 'DE02120300000000202051', bankReference: 'B-77', currency: 'EUR' },
    { bankReference: '' },
  ])
})

const windows = (text: string) => Buffer.from(text, 'latin1')
const credit = '2026-11-24 | 4500 | Kim Müller | 2026-000001'
test.each<[string, string | Buffer, string[]]>([
  [
    'a savings bank, CSV-CAMT',
    buildSavingsBankCsv([
      { day: '2026-11-24', cents: 4_500, text: '2026-000001' },
      { day: '2026-11-25', cents: 100, text: 'x', info: 'Umsatz vorgemerkt' },
      { day: '2026-11-25', cents: 100, text: 'x', currency: 'USD' },
    ]),
    [
      '2026-11-24 | 4500 | Kim Muster | 2026-000001',
      '2026-11-25 | 100 | pending | Kim Muster | x',
      '2026-11-25 | 100 | USD | Kim Muster | x',
    ],
  ],
  [
    'a cooperative bank',
    '\uFEFFBezeichnung Auftragskonto;IBAN Auftragskonto;Buchungstag;Valutadatum;Name Zahlungsbeteiligter;Buchungstext;Verwendungszweck;Betrag;Waehrung;Saldo nach Buchung\nGiro;DE02120300000000202051;24.11.2026;24.11.2026;Kim Müller;Gutschrift;2026-000001;45,00;EUR;1.000,00\n',
    ['2026-11-24 | 4500 | Kim Müller | 2026-000001 Gutschrift'],
  ],
  [
    'ING, with the balance before the amount',
    windows(
      'Umsatzanzeige;Datei erstellt am: 25.11.2026\n\nIBAN;DE02 1203 0000 0000 2020 51\nBank;ING\nSaldo;66.331,90;EUR\n\nBuchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung\n24.11.2026;24.11.2026;Kim Müller;;2026-000001;66.331,90;USD;45,00;EUR\n',
    ),
    [credit],
  ],
  [
    'DKB, which drops decimals that are zero',
    '"Girokonto";"DE02120300000000202051"\n""\n"Kontostand vom 25.11.2026:";"4.093,32 €"\n"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Kundenreferenz"\n"24.11.26";"24.11.26";"Gebucht";"Kim Müller";"Sport";"2026-000001";"Eingang";"";"45";""\n"24.11.26";"24.11.26";"Vorgemerkt";"Kim Müller";"Sport";"";"Eingang";"";"1.000";""\n',
    [credit, '2026-11-24 | 100000 | pending | Kim Müller'],
  ],
  [
    'Commerzbank',
    'Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;IBAN Kontoinhaber;Kategorie\n24.11.2026;24.11.2026;Gutschrift;Kim Müller 2026-000001;45;EUR;DE02120300000000202051;\n',
    ['2026-11-24 | 4500 | Kim Müller 2026-000001'],
  ],
  [
    'comdirect',
    windows(
      ';\n"Umsätze Girokonto";"Zeitraum: 30 Tage";\n"Neuer Kontostand";"111,11 EUR";\n\n"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";\n"offen";"--";"Gutschrift";"x";"1,00";\n"24.11.2026";"24.11.2026";"Gutschrift";"Auftraggeber: Kim Müller Buchungstext: 2026-000001";"45,00";\n\n"Alter Kontostand";"66,11 EUR";\n',
    ),
    ['100 | pending | x', '2026-11-24 | 4500 | Auftraggeber: Kim Müller Buchungstext: 2026-000001'],
  ],
  [
    'N26',
    '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"\n2026-11-24,2026-11-24,"Kim Müller",,Credit,2026-000001,Main,45.0,50.0,USD,1.1\n',
    [credit],
  ],
  [
    'Postbank and Deutsche Bank, with closing line',
    'Umsätze\nKonto;Filial-/Kontonummer;IBAN;Währung\nGiro;1;DE02120300000000202051;EUR\n\nLetzter Kontostand;;;;14.188,53;EUR\nBuchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;Betrag;Soll;Haben;Währung\n24.11.2026;24.11.2026;Gutschrift;Kim Müller;2026-000001;;45;;45;EUR\n3.8.2026;3.8.2026;Lastschrift;Strom;;;-2.000;-2.000;;EUR\nKontostand;24.11.2026;;;2.457,83;EUR\n',
    [credit, '2026-08-03 | -200000 | Strom'],
  ],
  [
    'Deutsche Bank before 2024, with debit and credit columns only',
    'Buchungstag;Wert;Verwendungszweck;Soll;Haben;Waehrung\n24.11.26;24.11.26;"2026-000001";;45,00;EUR\n24.11.26;24.11.26;Strom;-1,00;;EUR\nKontostand (30.11.2026):;;;;3322,51;EUR\n',
    ['2026-11-24 | 4500 | 2026-000001', '2026-11-24 | -100 | Strom'],
  ],
  [
    'a bank that fills both amounts and repeats the header with other columns for each month',
    'Buchungstag;Verwendungszweck;Soll;Haben;Währung\n24.11.2026;2026-000001;0,00;45,00;Euro\n24.11.2026;Strom;12,00;0,00;EUR\nBuchungstag;Soll;Haben;Verwendungszweck;Währung\n01.12.2026;0,00;EUR 1’234,50;2026-000002;EUR\n',
    ['2026-11-24 | 4500 | 2026-000001', '2026-11-24 | -1200 | Strom', '2026-12-01 | 123450 | 2026-000002'],
  ],
  [
    'a bank with times',
    'Datum;Betrag;Verwendungszweck\n24.11.2026 13:45;45,00;2026-000001\n2026/11/25;1,00;x\n',
    ['2026-11-24 | 4500 | 2026-000001', '2026-11-25 | 100 | x'],
  ],
  [
    'Targobank, without a header',
    "24.11.2026;Gutschrift   KIM MÜLLER   2026-000001;45,00;;;;'DE02120300000000202051'\n",
    ['2026-11-24 | 4500 | Gutschrift   KIM MÜLLER   2026-000001'],
  ],
  [
    'a file with English columns, also with rows before the header',
    'Account;Sport\n\nbookedOn;amount;text\n2026-11-24;1,234.5;Re "1"\n2026-11-25;-3;Fee\n31.02.2026;1.00;x\n',
    ['2026-11-24 | 123450 | Re "1"', '2026-11-25 | -300 | Fee', '100 | x'],
  ],
])('reads the CSV export of %s', async (_bank, content, expected) => {
  expect(await read(content)).toEqual(expected)
})

test.each<[string, string[], (string | null)[]]>([
  [
    'the day before the month in every row',
    ['24/11/2026', '3/12/2026', '04-12-2026'],
    ['2026-11-24', '2026-12-03', '2026-12-04'],
  ],
  ['the month before the day in some row', ['11/24/2026', '12/03/2026'], [null, null]],
  ['either in every row', ['01/12/2026', '02/12/2026'], [null, null]],
  ['another form in some row', ['24/11/2026', '2026-12-03'], ['2026-11-24', '2026-12-03']],
  ['each in one row', ['24/11/2026', '11/24/2026', '01/12/2026'], [null, null, null]],
])('days with slashes are read only if they can have one meaning: %s', async (_what, days, expected) => {
  const rows = days.map(day => `${day};45,00;x`).join('\n')
  const known = await readAll(`Buchungstag;Betrag;Verwendungszweck\n${rows}\n`)
  expect(known.map(({ bookedOn }) => bookedOn)).toEqual(expected)
  const csv = `Wann;Wieviel;Wofür\n${rows}\n`
  expect(await readBankStatement(Buffer.from(csv))).toMatchObject({ names: ['Wann', 'Wieviel', 'Wofür'] })
  const layout = { header: 'wann|wieviel|wofür', columns: { day: 'Wann', amount: 'Wieviel', text: 'Wofür' } }
  expect((await readAll(csv, [layout])).map(({ bookedOn }) => bookedOn)).toEqual(expected)
})

test('an unknown CSV layout is reported, and read with the columns that a person has assigned', async () => {
  const csv = 'Konto 1\nWann;Wieviel;Wer;Wofür\n24.11.2026;45,00;Kim;2026-000001\n'
  const unknown = await readBankStatement(Buffer.from(csv))
  expect(unknown).toEqual({
    header: 'wann|wieviel|wer|wofür',
    names: ['Wann', 'Wieviel', 'Wer', 'Wofür'],
    rows: [['24.11.2026', '45,00', 'Kim', '2026-000001']],
  })
  const columns = { day: 'Wann', amount: 'Wieviel', text: 'Wofür', payer: 'Wer' }
  expect((await readAll(csv, [{ header: 'wann|wieviel|wer|wofür', columns }])).map(show)).toEqual([
    '2026-11-24 | 4500 | Kim | 2026-000001',
  ])
})

test('columns of one name, or without a name, can be told apart', async () => {
  const csv = 'Wann;Währung;Saldo;Währung;Wieviel;;Wofür\n24.11.2026;USD;7,00;EUR;45,00;Kim;2026-000001\n'
  const unknown = await readBankStatement(Buffer.from(csv))
  expect(unknown).toMatchObject({ names: ['Wann', 'Währung', 'Saldo', 'Währung (2)', 'Wieviel', '6', 'Wofür'] })
  if (Array.isArray(unknown)) throw new Error('the layout is known')
  const columns = { day: 'Wann', amount: 'Wieviel', text: 'Währung (2)', payer: '6' }
  expect((await readAll(csv, [{ header: unknown.header, columns }])).map(({ payer, texts }) => [payer, texts])).toEqual(
    [['Kim', ['EUR']]],
  )
})

test('reads all statements in a ZIP file', async () => {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(buildCamt([{ cents: 1, text: 'a' }])), '2026/a.xml')
  zip.addBuffer(Buffer.from(MT940), 'b.sta')
  zip.addBuffer(Buffer.from('x'), '__MACOSX/._a.xml')
  zip.addBuffer(Buffer.from('%PDF'), '2026/a.pdf')
  zip.end()
  expect((await readAll(await buffer(zip.outputStream))).map(({ cents, place }) => [cents, place])).toEqual([
    [1, { file: '2026/a.xml', entry: 1 }],
    [4_500, { file: 'b.sta', line: 5 }],
    [750, { file: 'b.sta', line: 8 }],
    // A file in another format is in the answer, too.
    [null, { file: '2026/a.pdf' }],
  ])
})

test('a workbook is rejected as such', async () => {
  const workbook = await buildWorkbook({ sheets: { turnovers: '' }, more: { '[Content_Types].xml': '<Types/>' } })
  await expect(readAll(workbook)).rejects.toThrow('is an Office document: save it as CSV')
})

test.each<[string, string, RegExp]>([
  ['a document type', buildCamt([], '').replace('?>', '?><!DOCTYPE a [<!ENTITY b "bb">]>'), /document type/],
  ['no XML', '<a><b></a>', /is no bank statement/],
  ['another document', '<Document><Stm/></Document>', /no statement/],
  ['UTF-16', '<?xml version="1.0" encoding="UTF-16"?><a/>', /utf-16/],
  ['a table without amounts', 'bookedOn;text\n2026-11-24;x\n', /a day, an amount and a text/],
  ['a picture', '\x89PNG', /is no bank statement/],
  ['a damaged ZIP file', 'PK\x03\x04xxxx', /no zip that can be read|not a zip/],
])('%s is rejected', async (_what, text, why) => {
  await expect(readAll(Buffer.from(text, 'latin1'))).rejects.toThrow(why)
})

const texts = fc.constantFrom(
  '2026-000001',
  'Re "1"',
  '"Sport" Kurs',
  'a, b',
  "O'Neill",
  'Müller & Söhne',
  'Summe',
  ' x',
)
const generated = fc.record({
  day: fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
  cents: fc.integer({ min: 1, max: 123_456_789 }),
  isCredit: fc.boolean(),
  text: texts,
  payer: texts,
  damage: fc.constantFrom('', '', '', 'noDay', 'badDay', 'noAmount', 'badAmount'),
})
type Generated = (typeof generated extends fc.Arbitrary<infer Value> ? Value : never) & { iso: string }
type Form = (rows: Generated[]) => string | Buffer

const german = (iso: string) => `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)}`
const escapeXml = (text: string) => text.replaceAll('&', '&amp;')
const withThousands = (cents: number) =>
  `${String(Math.floor(cents / 100)).replaceAll(/\B(?=(?:\d{3})+$)/g, '.')},${String(cents % 100).padStart(2, '0')}`
/** What a bank writes for a day or an amount, damaged where the row is. */
const dayOf = ({ iso, damage }: Generated, write: (iso: string) => string) =>
  damage === 'noDay' ? '' : write(damage === 'badDay' ? `${iso.slice(0, 5)}13${iso.slice(7)}` : iso)
const amountOf = ({ cents, isCredit, damage }: Generated, write = withThousands) =>
  damage === 'noAmount' ? '' : damage === 'badAmount' ? 'zwölf' : (isCredit ? '' : '-') + write(cents)
/** Quotes every cell, or only those that need it, as banks do. */
const csvOf = (header: string[], rows: string[][], delimiter: string, isQuoted: boolean) =>
  [header, ...rows]
    .map(cells =>
      cells
        .map(cell =>
          isQuoted || cell.includes('"') || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell,
        )
        .join(delimiter),
    )
    .join('\r\n')

const FORMS: Record<string, Form> = {
  'camt.053': rows =>
    rows
      .reduce(
        (xml, row, index) =>
          xml
            .replace(`<Dt>day${index}</Dt></BookgDt>`, `<Dt>${dayOf(row, iso => iso)}</Dt></BookgDt>`)
            .replace(
              `EUR">${index + 1_000_000}.00<`,
              `EUR">${amountOf(row, cents => (cents / 100).toFixed(2)).replace('-', '')}<`,
            ),
        buildCamt(
          rows.map(({ text, isCredit }, index) => ({
            cents: (index + 1_000_000) * 100,
            text: escapeXml(text),
            day: `day${index}`,
            kind: isCredit ? 'CRDT' : 'DBIT',
          })),
        ),
      )
      .replaceAll('<ValDt><Dt>2020-01-01</Dt></ValDt>', ''),
  MT940: rows =>
    `:20:A\n:25:12030000/0000202051\n:28C:0\n:60F:C261123EUR100,00\n${rows
      .map(row => {
        const amount = amountOf(row, cents => (cents / 100).toFixed(2).replace('.', ',')).replace('-', '')
        const value = dayOf(row, iso => iso.slice(2, 10).replaceAll('-', ''))
        return `:61:${value}${row.isCredit ? 'C' : 'D'}${amount}NTRFNONREF//B-1\n:86:166?00X?20SVWZ+${row.text}?32${row.payer}\n`
      })
      .join('')}:62F:C261124EUR137,50\n:86:Kontoauszug\n-\n`,
  'savings bank': rows =>
    csvOf(
      [
        'Auftragskonto',
        'Buchungstag',
        'Verwendungszweck',
        'Beguenstigter/Zahlungspflichtiger',
        'Betrag',
        'Waehrung',
        'Info',
      ],
      rows.map(row => [
        'DE02120300000000202051',
        dayOf(row, german),
        row.text,
        row.payer,
        amountOf(row),
        'EUR',
        'Umsatz gebucht',
      ]),
      ';',
      true,
    ),
  'a bank with a closing line': rows =>
    Buffer.from(
      `${csvOf(
        ['Buchungstag', 'Wert', 'Begünstigter / Auftraggeber', 'Verwendungszweck', 'Soll', 'Haben', 'Währung'],
        rows.map(row => [
          dayOf(row, german),
          '',
          row.payer,
          row.text,
          ...(row.isCredit ? ['', amountOf(row)] : [amountOf(row), '']),
          'EUR',
        ]),
        ';',
        false,
      )}\nKontostand;24.11.2026;;;;2.457,83;EUR\n`,
      'latin1',
    ),
  N26: rows =>
    csvOf(
      ['Booking Date', 'Partner Name', 'Payment Reference', 'Amount (EUR)'],
      rows.map(row => [
        dayOf(row, iso => iso.slice(0, 10)),
        row.payer,
        row.text,
        amountOf(row, cents => (cents / 100).toFixed(2)),
      ]),
      ',',
      true,
    ),
  'older cooperative banks, with S and H': rows =>
    csvOf(
      ['Buchungstag', 'Auftraggeber/Zahlungsempfänger', 'Vorgang/Verwendungszweck', 'Währung', 'Umsatz', ' '],
      rows.map(row => [
        dayOf(row, german),
        row.payer,
        row.text,
        'EUR',
        amountOf(row).replace('-', ''),
        row.isCredit ? 'H' : 'S',
      ]),
      ';',
      true,
    ),
}

test.each(Object.entries(FORMS))(
  'each turnover in %s is in the result with its day, amount and direction, or unreadable with its place',
  async (_form, write) => {
    await fc.assert(
      fc.asyncProperty(fc.array(generated, { minLength: 1, maxLength: 8 }), async given => {
        const rows = given.map(one => ({ ...one, iso: one.day.toISOString() }))
        const turnovers = await readAll(write(rows))
        const places = turnovers.map(({ place }) => place.line ?? place.entry ?? 0)
        expect(new Set(places).size).toBe(rows.length)
        expect(places).toEqual(places.toSorted((a, b) => a - b))
        const isReadable = ({ damage }: Generated) => damage === ''
        expect(
          turnovers.map(one =>
            one.bookedOn === null || one.cents === null ? null : [one.bookedOn, one.cents, one.isCredit],
          ),
        ).toEqual(rows.map(row => (isReadable(row) ? [row.iso.slice(0, 10), row.cents, row.isCredit] : null)))
        for (const [index, row] of rows.entries())
          if (isReadable(row)) expect(turnovers[index]?.texts.join(' ')).toContain(row.text.trim())
      }),
      { numRuns: 60 },
    )
  },
)

test('rows that an unclosed quote joins are rejected with their line', async () => {
  const csv =
    'Buchungstag;Verwendungszweck;Betrag\n24.11.2026;"Sport;45,00\n25.11.2026;2026-000001;45,00\n26.11.2026;"x";1,00\n'
  await expect(readAll(csv)).rejects.toThrow('line 2: a cell that begins with a quote')
})

test('the amount of an entry is what was booked, not its transaction amount', async () => {
  const statement = buildCamt([{ cents: 4_350, text: 'x' }]).replace(
    '<NtryDtls>',
    '<AmtDtls><TxAmt><Amt Ccy="USD">45.00</Amt></TxAmt></AmtDtls><NtryDtls>',
  )
  expect(await readAll(statement)).toMatchObject([{ cents: 4_350, currency: 'EUR' }])
})

test.each<[string, string, string[]]>([
  [
    'with lines of the bank before the first statement',
    `\x01{1:F01AAAADEBBAXXX0000000000}{2:I940AAAADEBBXXXXN}{4:\n${MT940.replace(/-\n$/, '-}\x03')}`,
    ['2026-11-24 | 4500 | MUSTER, KIM | EREF+NOTPROVIDED SVWZ+Rechnung 2026-0 00001 danke', '2026-12-31 | -750'],
  ],
  [
    'with a name of the message before the first statement',
    `0000 01INGBNL2AXXXX00001\n940 00\n${MT940}`,
    ['2026-11-24 | 4500', '2026-12-31 | -750'],
  ],
  [
    'with padded and whole amounts, and blanks for a missing entry date',
    MT940.replace('CR45,00N', 'CR000000000045,00N').replace('2701021231D7,5', '270102    D7'),
    ['2026-11-24 | 4500', '2027-01-02 | -700'],
  ],
  [
    'with structured details without the code of the transaction',
    MT940.replace(':86:166?00', ':86:>00').replaceAll('?', '>'),
    ['2026-11-24 | 4500 | MUSTER, KIM | EREF+NOTPROVIDED SVWZ+Rechnung 2026-0 00001 danke', '2026-12-31 | -750'],
  ],
  [
    'of the day (MT942), whose turnovers are not booked yet',
    MT940.replace(/:60F:.*/, ':34F:EUR0,\n:13D:2611241200+0100').replace(':62F:C261124EUR137,50', ':90C:1EUR45,'),
    ['2026-11-24 | 4500 | pending', '2026-12-31 | -750 | pending'],
  ],
])('reads MT940 %s', async (_what, content, expected) => {
  const turnovers = await read(content)
  expect(turnovers).toEqual(expected.map(begin => expect.stringContaining(begin)))
})

test('all details of an MT940 turnover are read', async () => {
  const more = MT940.replace('//B-77\n', '//B-77\n/OCMT/EUR45,00/\n').replace(
    '\n:61:270102',
    '\n:86:Zusatz 2026-000009\n:61:270102',
  )
  expect((await read(more))[0]).toContain('Zusatz 2026-000009')
  expect((await read(more))[0]).toContain('/OCMT/EUR45,00/')
})

test('deeply nested and long files are read quickly', async () => {
  const startedAt = performance.now()
  const deep = buildCamt([]).replace('</Stmt>', `${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}</Stmt>`)
  expect(await read(deep)).toEqual([])
  expect(
    await read(buildCamt(Array.from({ length: 5_000 }, () => ({ cents: 1, text: 'x'.repeat(5_000) })))),
  ).toHaveLength(5_000)
  expect(await read(MT940.repeat(2_000))).toHaveLength(4_000)
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})
