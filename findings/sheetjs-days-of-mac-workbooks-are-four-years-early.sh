#!/usr/bin/env bash
# SheetJS 0.18.5 (npm xlsx) beside exceljs 4.4.0 (npm) and openpyxl 3.0.9 (Debian python3-openpyxl); workbook by XlsxWriter 3.0.2 (Debian
# python3-xlsxwriter)
# Expected: a workbook counts its days from 1904 if it says so (date1904). Readers that know the entry return 24 November 2026 from it, as
# from any other workbook.
# Actual: SheetJS reads the entry, and the texts it shows (w, raw: false, sheet_to_csv) have the right day. With cellDates: true the same
# cell has the value 23 November 2022, four years and a day earlier; sheet_to_json takes this one. Copied to a new
# workbook, it is the wrong day in each program. exceljs and openpyxl are right.
# Source: ECMA-376 part 1, 18.2.28 (workbookPr, date1904); issue 1565 of SheetJS (open: cellDates ignores date1904); docs.sheetjs.com,
# "Dates and Times".
# Why it matters: Excel for Mac made such workbooks before its version 2011, and all that is saved from one since then keeps the entry, so
# that a single department's list has it. A page that shows the texts, and stores the values, shows one day and stores another.
set -euo pipefail
/usr/bin/python3 -c 'import openpyxl, xlsxwriter' 2>/dev/null ||
  apt-get install -y -qq --no-install-recommends python3-openpyxl python3-xlsxwriter >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --save-exact exceljs@4.4.0 xlsx@0.18.5
cat >write.py <<'PY'
import datetime, xlsxwriter
for name, is_1904 in (('1904.xlsx', True), ('1900.xlsx', False)):
    book = xlsxwriter.Workbook(name, {'date_1904': is_1904})
    day = book.add_format({'num_format': 'yyyy-mm-dd'})
    sheet = book.add_worksheet()
    sheet.write('A1', 'Day')
    sheet.write_datetime('A2', datetime.datetime(2026, 11, 24), day)
    book.close()
PY
cat >read.mjs <<'JS'
import exceljs from 'exceljs'
import xlsx from 'xlsx'
const name = process.argv[2]
const sheet = xlsx.readFile(name, { cellDates: true }).Sheets.Sheet1
const book = new exceljs.Workbook()
await book.xlsx.readFile(name)
const day = at => at.toISOString().slice(0, 10)
console.log(`${name}: SheetJS value ${day(xlsx.utils.sheet_to_json(sheet)[0].Day)}, text ${sheet.A2.w}`)
console.log(`${name}: exceljs ${day(book.worksheets[0].getCell('A2').value)}`)
JS
/usr/bin/python3 write.py
npm ls | tail -n +2
dpkg-query -W python3-xlsxwriter python3-openpyxl
found=$(
  for name in 1904.xlsx 1900.xlsx; do
    TZ=UTC node read.mjs "$name"
    /usr/bin/python3 -c "import openpyxl, sys
print(sys.argv[1] + ': openpyxl', openpyxl.load_workbook(sys.argv[1]).active['A2'].value.date())" "$name"
  done
)
echo "$found"
[ "$found" = '1904.xlsx: SheetJS value 2022-11-23, text 2026-11-24
1904.xlsx: exceljs 2026-11-24
1904.xlsx: openpyxl 2026-11-24
1900.xlsx: SheetJS value 2026-11-24, text 2026-11-24
1900.xlsx: exceljs 2026-11-24
1900.xlsx: openpyxl 2026-11-24' ]
