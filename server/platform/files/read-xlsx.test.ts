import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderSpreadsheet } from '#server/platform/pdf/spreadsheet.ts'
import { buildWorkbook } from '#server/test/workbook.ts'
import { UnreadableFile } from './problems.ts'
import { readXlsx, type Sheet } from './read-xlsx.ts'

const rowsOf = async (content: Buffer) => (await readXlsx(content))[0]?.rows.map(({ cells }) => cells)
const number = (value: number, style = 0) => `<c s="${style}"><v>${value}</v></c>`
const inOneRow = (cells: string) => ({ Tabelle1: `<row r="1">${cells}</row>` })

test.each([
  ['General', 12.5, '12.5'],
  ['General', 0.1 + 0.2, '0.3'],
  ['#,##0.00 "EUR"', 1234.5, '1234.5'],
  ['0.00', 7, '7.00'],
  ['0.00', 7.125, '7.125'],
  ['00000', 123, '00123'],
  ['00000', 1234567, '1234567'],
  ['0', 18, '18'],
  ['dd.mm.yyyy', 46348, '2026-11-22'],
  ['[$-407]d. mmmm yyyy;@', 46348, '2026-11-22'],
  ['m/d/yy h:mm', 46348.770833333336, '2026-11-22 18:30'],
  ['dd.mm.yyyy hh:mm:ss', 46348.770844907405, '2026-11-22 18:30:01'],
  ['yyyy\\-mm\\-dd', 46348.99999999999, '2026-11-23'],
  ['hh:mm', 0.75, '18:00'],
  ['h:mm AM/PM', 0.75, '18:00'],
  ['hh:mm', 46237.729166666664, '17:30'],
  ['[h]:mm', 1.0833333333333333, '26:00'],
  ['dd.mm.yyyy', 61, '1900-03-01'],
  ['"Tag "0', 3, '3'],
  ['0%', 1, '100%'],
  ['0.00%', 0.29, '29%'],
  ['#,##0" %"', 12, '12'],
  ['"P-"00000', 123, 'P-00123'],
  ['"P-"00000', 1234567, 'P-1234567'],
  ['"P-"00000', 12.5, '12.5'],
  ['"D"-00000;@', 1067, 'D-01067'],
  ['00\\ 000000', 12345678, '12 345678'],
  ['00\\:00', 930, '09:30'],
  ['[Red][>99]00:00_-', 930, '09:30'],
  ['"P_;"00', 1, 'P_;01'],
  ['[$-407]00"."00"."0000', 3082026, '03.08.2026'],
  ['(000) 000-0000', 5551234567, '(555) 123-4567'],
  ['0.00 "€"', 7.5, '7.5'],
  ['0.00E+00', 1200, '1200'],
])('a number with format %s, %d, is read as %s', async (format, value, text) => {
  expect(await rowsOf(await buildWorkbook({ sheets: inOneRow(number(value, 1)), formats: [format] }))).toEqual([[text]])
})

test.each([
  [9, 0.8, '80%'],
  [10, 1, '100%'],
  [14, 46348, '2026-11-22'],
  [20, 0.75, '18:00'],
])('a number with the built-in format %d, %d, is read as %s', async (id, value, text) => {
  const styles = `<styleSheet><cellXfs><xf/><xf numFmtId="${id}"/></cellXfs></styleSheet>`
  const sheets = inOneRow(number(value, 1))
  expect(await rowsOf(await buildWorkbook({ sheets, more: { 'xl/styles.xml': styles } }))).toEqual([[text]])
})

test('rows that share merged cells are reported, because only the first one has the value', async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const rows = ['1', '2', '3']
    .map(id => `<row r="${id}">${text(id)}${id === '1' ? text('Werk 1') : '<c/>'}</row>`)
    .join('')
  const read = async (...ranges: string[]) => {
    const merged = `<mergeCells>${ranges.map(ref => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
    return (await readXlsx(await buildWorkbook({ sheets: { Tabelle1: rows + merged } })))[0]?.wrong ?? []
  }
  const wrong = await read('B1:B3', 'C1:C1048576', 'A9:B12')
  expect(wrong.map(({ row, cell }) => [row, cell])).toEqual([
    [2, 'B2'],
    [3, 'B3'],
  ])
  expect(wrong[0]?.text.in('de')).toContain('zu den verbundenen Zellen B1:B3')
  expect(await read('B1:D1', 'C2:C3')).toEqual([])
})

test('the totals row of a table is no data', async () => {
  const row = (id: number, first: number) =>
    `<row r="${id}">${number(first)}<c><f>SUBTOTAL(103,a)</f></c><c><v>7</v></c></row>`
  const plain = (id: number, first: number) => `<row r="${id}">${number(first)}${number(5)}</row>`
  const target = (name: string) =>
    `<Relationships><Relationship Id="r" Type="http://x/table" Target="../tables/${name}.xml"/></Relationships>`
  const read = (totals: string) =>
    buildWorkbook({
      sheets: { Tabelle1: plain(1, 100) + plain(2, 200) + row(3, 2), Tabelle2: plain(1, 1) },
      more: {
        'xl/worksheets/_rels/sheet1.xml.rels': target('table1'),
        'xl/tables/table1.xml': `<table id="1" ref="A1:B3" ${totals}/>`,
      },
    }).then(readXlsx)
  const [list, other] = await read('totalsRowCount="1"')
  expect(list?.rows.map(({ cells }) => cells)).toEqual([
    ['100', '5'],
    ['200', '5'],
    ['', '', '7'],
  ])
  expect(list?.wrong).toEqual([])
  expect(other?.rows).toHaveLength(1)
  const [without] = await read('totalsRowShown="0"')
  expect(without?.rows[2]?.cells).toEqual(['2', '', '7'])
  expect(without?.wrong.map(({ cell }) => cell)).toEqual(['B3'])
})

test('the 1904 date system applies only to its workbook', async () => {
  const book = { sheets: inOneRow(number(44_886, 1)), formats: ['d.m.yyyy'], is1904: true }
  expect(await rowsOf(await buildWorkbook(book))).toEqual([['2026-11-22']])
})

test('texts, formula results and booleans are read in place, and nothing is recalculated', async () => {
  const sheets = {
    'A &amp; B': `<row r="2"><c r="B2" t="s"><v>0</v></c><c r="D2" t="str"><f>WEBSERVICE("http://x")</f><v>done</v></c></row>
      <row><c t="inlineStr"><is><r><t>a</t></r><rPh><t>hint</t></rPh><r><t xml:space="preserve"> &lt;b_x000D_</t></r></is></c><c t="b"><v>1</v></c></row>`,
  }
  const more = { 'xl/sharedStrings.xml': '<sst><si><t>=1+1</t></si></sst>' }
  expect(await readXlsx(await buildWorkbook({ sheets, more }))).toEqual([
    {
      name: 'A & B',
      isHidden: false,
      hiddenRows: [],
      rows: [
        { row: 2, cells: ['', '=1+1', '', 'done'] },
        { row: 3, cells: ['a <b\n', 'true'] },
      ],
      wrong: [],
    },
  ])
})

test('a cell without a value is reported by its address', async () => {
  const sheets = inOneRow(
    '<c r="A1" t="e"><v>#N/A</v></c><c r="AB1"><f>1+1</f></c><c r="AC1" t="s"><v>7</v></c><c r="AD1"><v>x</v></c>',
  )
  const [sheet] = await readXlsx(await buildWorkbook({ sheets }))
  expect(sheet?.wrong.map(({ cell, text }) => `${cell} ${text.in('de')}`)).toEqual([
    'A1 enthält einen Fehler der Tabelle: #N/A',
    'AB1 enthält eine Formel ohne ihr Ergebnis: Öffnen und speichern Sie die Datei in der Tabellenkalkulation',
    'AC1 enthält nichts Lesbares',
    'AD1 enthält nichts Lesbares',
  ])
})

test('formulas of a workbook that has to be calculated when it is opened have no result', async () => {
  const read = async (calculation: string) => {
    const workbook = `<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="r0"/></sheets>${calculation}</workbook>`
    const sheets = inOneRow('<c><f>1+1</f><v>0</v></c><c><v>7</v></c>')
    const [sheet] = await readXlsx(await buildWorkbook({ sheets, more: { 'xl/workbook.xml': workbook } }))
    return [sheet?.rows[0]?.cells, sheet?.wrong.map(({ cell }) => cell)]
  }
  expect(await read('<calcPr calcId="124519" fullCalcOnLoad="1"/>')).toEqual([['', '7'], ['A1']])
  expect(await read('<calcPr calcId="191029"/>')).toEqual([['0', '7'], []])
})

test('cell references in lower case keep their column, others are rejected', async () => {
  const row = (reference: string) =>
    buildWorkbook({ sheets: inOneRow(`<c r="a1"><v>1</v></c><c r="${reference}"><v>3</v></c>`) })
  expect(await rowsOf(await row('c1'))).toEqual([['1', '', '3']])
  for (const reference of ['$C$1', 'C', 'R1C3'])
    await expect(readXlsx(await row(reference))).rejects.toThrow(
      `sheet Tabelle1: holds a cell reference that cannot be read: "${reference}"`,
    )
  await expect(readXlsx(await buildWorkbook({ sheets: { a: '<row r="x"/>' } }))).rejects.toThrow('"x"')
})

test('booleans are 1, 0, true or false', async () => {
  const cells = ['1', 'true', '0', 'false', 'TRUTH'].map(value => `<c t="b"><v>${value}</v></c>`).join('')
  const [sheet] = await readXlsx(await buildWorkbook({ sheets: inOneRow(cells) }))
  expect(sheet?.rows[0]?.cells).toEqual(['true', 'true', 'false', 'false'])
  expect(sheet?.wrong.map(({ cell }) => cell)).toEqual(['E1'])
})

test.each([
  ['10:59:59.9999999999984025', '11:00'],
  ['23:59:59.9999999', '00:00'],
  ['2014-01-16T15:59:59.99999979045242400', '2014-01-16 16:00'],
  ['2014-01-16T23:59:59.9999998', '2014-01-17'],
  ['1899-12-30T17:30:00.000Z', '17:30'],
  ['1899-12-31T17:30:15', '17:30:15'],
  ['2026-08-03', '2026-08-03'],
  ['2026-08-03T00:00:00.000Z', '2026-08-03'],
  ['2026-13-01T10:00:00', '2026-13-01T10:00:00'],
])('the ISO date %s is read as %s', async (value, text) => {
  expect(await rowsOf(await buildWorkbook({ sheets: inOneRow(`<c t="d"><v>${value}</v></c>`) }))).toEqual([[text]])
})

const relationships = (...targets: [type: string, target: string][]) =>
  `<Relationships>${targets.map(([type, target], index) => `<Relationship Id="r${index}" Type="http://x/${type}" Target="${target}"/>`).join('')}</Relationships>`
const SHEET = '<worksheet><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>'

test.each([
  ['sheets/rooms.xml', 'xl/sheets/rooms.xml'],
  ['../xl/worksheets/rooms.xml', 'xl/worksheets/rooms.xml'],
  ['./worksheets/rooms.xml', 'xl/worksheets/rooms.xml'],
  ['worksheets/my%20rooms.xml', 'xl/worksheets/my%20rooms.xml'],
  ['worksheets/my%20rooms.xml', 'xl/worksheets/my rooms.xml'],
  ['/rooms.xml', 'rooms.xml'],
])('the sheet with the target %s is read from %s', async (target, part) => {
  const more = { 'xl/_rels/workbook.xml.rels': relationships(['worksheet', target]), [part]: SHEET }
  expect(await rowsOf(await buildWorkbook({ sheets: { rooms: '' }, more }))).toEqual([['7']])
})

test('a worksheet without its part is rejected, and a chart sheet is skipped', async () => {
  const book = (type: string) =>
    buildWorkbook({
      sheets: { rooms: '' },
      more: { 'xl/_rels/workbook.xml.rels': relationships([type, 'sheets/missing.xml']) },
    })
  await expect(readXlsx(await book('worksheet'))).rejects.toThrow('sheet rooms: is missing in the file')
  expect(await readXlsx(await book('chartsheet'))).toEqual([])
})

test('a workbook with a password or in the old format is named as such', async () => {
  const content = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504)])
  await expect(readXlsx(content)).rejects.toThrow('has a password or is an old .xls file')
})

test('characters beyond U+FFFF are read from references', async () => {
  const cells = '<c t="inlineStr"><is><t>&#127946;&#x1F3CA;&amp;&#65;&#x110000;</t></is></c>'
  expect(await rowsOf(await buildWorkbook({ sheets: inOneRow(cells) }))).toEqual([['🏊🏊&A\uFFFD']])
})

test.each([
  [
    'a zip bomb',
    () => buildWorkbook({ sheets: inOneRow(number(1)), more: { 'xl/sharedStrings.xml': ' '.repeat(70 << 20) } }),
  ],
  ['a cell at the far end', () => buildWorkbook({ sheets: inOneRow('<c r="XFD1048576"><v>1</v></c>') })],
  ['a row at the far end', () => buildWorkbook({ sheets: { a: `<row r="1048576">${number(1)}</row>` } })],
  ['a file that is not a zip', async () => Buffer.from('PK nothing')],
  ['another zip', () => buildWorkbook({ sheets: {}, more: { 'xl/workbook.xml': '<workbook' } })],
  [
    'an entity expansion bomb',
    () =>
      buildWorkbook({
        sheets: {},
        more: { 'xl/workbook.xml': '<!DOCTYPE a [<!ENTITY b "&c;&c;">]><workbook><sheets><sheet name="&b;"</sheets>' },
      }),
  ],
])('%s is rejected immediately', async (_, make) => {
  await expect(readXlsx(await make())).rejects.toThrow(UnreadableFile)
})

/** Characters that XML cannot represent and workbooks lose. */
const isWritable = (text: string) => !/\p{Cc}/u.test(text.replaceAll('\n', '')) && text.isWellFormed()
const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter(isWritable),
  fc.constantFrom(
    '00123',
    '1e5',
    '=1+1',
    '_x0041_',
    '[object Object]',
    'function Object() { [native code] }',
    ' a ',
    '2026-11-22',
    '2026-11-22 18:30',
    '2026-02-31',
    '24:00',
    '-7',
    '1\n2',
    'M\uFFFDller \uFDD0\u{1FFFE}\uFFFF',
  ),
  fc
    .date({ min: new Date(0), max: new Date(Date.UTC(2200, 0)), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10)),
  fc.tuple(fc.nat(23), fc.nat(59)).map(parts => parts.map(part => String(part).padStart(2, '0')).join(':')),
  fc.integer().map(String),
  fc.tuple(fc.nat(99_999), fc.nat(99)).map(([whole, part]) => `${whole}.${String(part).padStart(2, '0')}`),
)

test('written texts are read back unchanged', async () => {
  const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(rows, async body => {
      const [sheet] = await readXlsx(
        Buffer.from(await renderSpreadsheet([{ name: 'a', rows: [['x', 'y', 'z'], ...body] }])),
      )
      const read = new Map(sheet?.rows.map(({ row, cells }) => [row, [...cells, '', '', ''].slice(0, 3)]))
      const blank = ['', '', '']
      expect(body.map((_, index) => read.get(index + 2) ?? blank)).toEqual(
        body.map(cells => (cells.some(text => text.trim() !== '') ? cells : blank)),
      )
    }),
    { numRuns: 150 },
  )
})

/** A cell as a writer of workbooks may place it: at its reference, in lower case, without one, twice, in another row. */
const placed = fc.record({
  column: fc.nat(4),
  row: fc.option(fc.nat(3), { nil: null }),
  form: fc.constantFrom('upper', 'lower', 'none'),
  type: fc.constantFrom('inlineStr', 'str', 'n', 's', 'b', 'e', 'd', 'none'),
  value: fc.constantFrom('7', 'true', 'Kraft', '2026-11-23', '0.5', '#REF!'),
  isInline: fc.boolean(),
})

test('each filled cell of any sheet is in the result, or the answer says where something cannot be read', async () => {
  const rows = fc.array(
    fc.record({
      at: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
      cells: fc.array(placed, { maxLength: 5 }),
    }),
    { maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(rows, async all => {
      let filled = 0
      const xml = all.map(({ at, cells }) => {
        const inside = cells.map(({ column, row, form, type, value, isInline }) => {
          const name = 'ABCDE'.charAt(column)
          const reference = `${form === 'lower' ? name.toLowerCase() : name}${row === null ? (at ?? 1) : row + 1}`
          filled += 1
          return `<c${form === 'none' ? '' : ` r="${reference}"`}${type === 'none' ? '' : ` t="${type}"`}>${
            isInline ? `<is><t>${value}</t></is>` : `<v>${value}</v>`
          }</c>`
        })
        return `<row${at === null ? '' : ` r="${at}"`}>${inside.join('')}</row>`
      })
      const shared = '<sst><si><t>x0</t></si><si><t>x1</t></si></sst>'
      const book = await buildWorkbook({ sheets: { a: xml.join('') }, more: { 'xl/sharedStrings.xml': shared } })
      const read = await readXlsx(book).catch((error: unknown) => error)
      if (read instanceof UnreadableFile) {
        expect(read.said.in('en')).toMatch(/^sheet a: /)
        return
      }
      const [sheet] = read as Sheet[]
      const found = sheet?.rows.flatMap(({ cells }) => cells.filter(text => text !== '')) ?? []
      expect(found.length + (sheet?.wrong.length ?? 0)).toBe(filled)
    }),
    { numRuns: 300 },
  )
})
