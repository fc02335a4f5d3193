#!/usr/bin/env bash
# exceljs 4.4.0, xlsx (SheetJS) 0.18.5, xlsx-populate 1.21.0 (npm)
# Expected: readers of workbooks return the same cells: of merged cells the first one has the value, as the file says.
# Actual: exceljs returns the value of the first cell for each merged cell, although the file stores it once; SheetJS and
# xlsx-populate return it in the first row and nothing in the others.
# Source: ECMA-376 part 1, 18.3.1.55 (mergeCell); exceljs' lib/doc/cell.js (a merged cell has the value of its master).
# Why it matters: people merge a department over the rows of its employees. The same list gives each of them a department
# with one library and only the first one with another; where the column is optional, nobody notices.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent exceljs@4.4.0 xlsx@0.18.5 xlsx-populate@1.21.0
cat >test.mjs <<'EOF'
import ExcelJS from 'exceljs'
import XLSX from 'xlsx'
import XlsxPopulate from 'xlsx-populate'

const written = new ExcelJS.Workbook()
const list = written.addWorksheet('list')
list.addRows([['number', 'division'], ['00123', 'Factory 1'], ['00124'], ['00125']])
list.mergeCells('B2:B4')
const bytes = Buffer.from(await written.xlsx.writeBuffer())

const first = new ExcelJS.Workbook()
await first.xlsx.load(bytes)
const third = await XlsxPopulate.fromDataAsync(bytes)
const rows = [2, 3, 4]
const found = {
  exceljs: rows.map(row => first.worksheets[0].getCell(row, 2).value),
  SheetJS: XLSX.utils.sheet_to_json(XLSX.read(bytes).Sheets.list).map(row => row.division ?? null),
  'xlsx-populate': rows.map(row => third.sheet(0).cell(row, 2).value() ?? null),
}
console.log(JSON.stringify(found))
const once = ['Factory 1', null, null]
const expected = { exceljs: ['Factory 1', 'Factory 1', 'Factory 1'], SheetJS: once, 'xlsx-populate': once }
if (JSON.stringify(found) !== JSON.stringify(expected)) process.exit(1)
EOF
npm ls exceljs xlsx xlsx-populate | tail -n +2
node test.mjs
