#!/usr/bin/env bash
# read-excel-file 9.3.17 (npm)
# Expected: the cell "a1" is in the first column. The schema of SpreadsheetML allows any text as a reference, some
# programs write lower case, and LibreOffice, gnumeric and openpyxl read it as A1; a reader that does not know it refuses it.
# Actual: letters are counted from the code of "A", so "a1" and "c1" are in the columns 33 and 35 after 32 empty ones,
# without an error. Beside it, cells with an error (#REF!) and formulas without a result are left out like empty ones.
# Source: ECMA-376 part 1, 18.18.7 (ST_CellRef, any string); the package's parseCellAddress.js.
# Why it matters: a table found by its headings loses them, and one read by position gets empty values; neither the file
# nor the person who filled in the cells did anything wrong.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent read-excel-file@9.3.17 yazl@3.3.1
cat >test.mjs <<'EOF'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import readXlsxFile from 'read-excel-file/node'
import yazl from 'yazl'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const text = (reference, value) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`
const read = async cells => {
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData><row r="1">${cells}</row></sheetData></worksheet>`,
  }
  const zip = new yazl.ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream('a.xlsx'))
  return (await readXlsxFile('a.xlsx'))[0].data
}
const places = rows => (rows[0] ?? []).flatMap((value, index) => (value === null ? [] : [`${index + 1}: ${value}`]))
const upper = places(await read(text('A1', 'x') + text('C1', 'z')))
const lower = places(await read(text('a1', 'x') + text('c1', 'z')))
const errors = await read('<c r="A1" t="e"><v>#REF!</v></c><c r="B1"><f>1+1</f></c>')
console.log('columns of A1 and C1:', upper, 'of a1 and c1:', lower, 'an error and a formula without result:', errors)
if (upper.join() !== '1: x,3: z' || lower.join() !== '33: x,35: z' || errors.length > 0) process.exit(1)
EOF
npm ls read-excel-file | tail -n +2
node test.mjs
