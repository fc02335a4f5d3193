#!/usr/bin/env bash
# openpyxl 3.0.9 (Debian python3-openpyxl), read back with xlsx 0.18.5 and exceljs 4.4.0 (npm)
# Expected: a script that opens a workbook, changes one text cell and saves it leaves all other cells as they were.
# Actual: each formula loses its stored result, also on sheets that nothing touched: <c><f>…</f><v></v></c>. SheetJS then
# gives rows without that column, exceljs an undefined result, neither an error. The other way of opening it
# (data_only=True) keeps the results and drops the formulas; there is none that keeps both.
# Source: openpyxl.readthedocs.io, load_workbook ("data_only"); openpyxl/cell/_writer.py writes an empty <v>.
# Why it matters: prices and divisions of staff lists are often formulas (VLOOKUP), and a nightly script adds a column
# before the file is sent. A reader that takes a formula without a result for an empty cell imports nothing for them; it
# has to be refused, with the cell.
set -euo pipefail
python=/usr/bin/python3
"$python" -c 'import openpyxl' 2>/dev/null || apt-get install -y -qq python3-openpyxl >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent xlsx@0.18.5 exceljs@4.4.0
cat >write.cjs <<'EOF'
const ExcelJS = require('exceljs')
const book = new ExcelJS.Workbook()
book.addWorksheet('people').addRows([['name', 'price'], ['Kim', { formula: '40+5', result: 45 }]])
book.addWorksheet('notes').addRow(['old'])
book.xlsx.writeFile('before.xlsx')
EOF
cat >change.py <<'EOF'
import openpyxl
print('openpyxl', openpyxl.__version__)
book = openpyxl.load_workbook('before.xlsx')
book['notes']['A1'] = 'new'
book.save('after.xlsx')
EOF
cat >read.cjs <<'EOF'
const ExcelJS = require('exceljs')
const XLSX = require('xlsx')
const read = async file => {
  const book = new ExcelJS.Workbook()
  await book.xlsx.readFile(file)
  const [row] = XLSX.utils.sheet_to_json(XLSX.readFile(file).Sheets.people)
  return [JSON.stringify(row), String(book.getWorksheet('people').getCell('B2').result)]
}
Promise.all(['before.xlsx', 'after.xlsx'].map(read)).then(([before, after]) => {
  console.log('before:', ...before, 'after:', ...after)
  if (before.join() !== '{"name":"Kim","price":45},45' || after.join() !== '{"name":"Kim"},undefined') process.exit(1)
})
EOF
npm ls | tail -n +2
node write.cjs
"$python" change.py
node read.cjs
