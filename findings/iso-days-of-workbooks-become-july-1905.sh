#!/usr/bin/env bash
# exceljs 4.4.0 (npm), Gnumeric 1.12.55 and roo 2.10.0 (Debian gnumeric, ruby-roo) beside LibreOffice 7.4.7 and openpyxl 3.0.9 (Debian
# libreoffice-calc, python3-openpyxl); workbook by SheetJS 0.18.5 (npm xlsx)
# Expected: a workbook written with cellDates: true has 24 November 2026 and 1 December 2026, as LibreOffice and openpyxl read them.
# Actual: both are 18 July 1905 for exceljs, Gnumeric and roo. SheetJS writes such days as ISO 8601 texts, <c t="d"><v>2026-11-24…</v>,
# which the standard has for them, and so does Excel if somebody saves as "Strict Open XML". The three take the leading digits for the
# number of the day: day 2026 since 1900. exceljs and roo report nothing; Gnumeric names the type on the terminal, which no
# user of its window sees. Each day of one year is the same day.
# Source: ECMA-376 part 1, 18.18.11 (ST_CellType, d: a date in ISO 8601); issue 2695 of exceljs (open: days of strict files are in
# 1904 or 1905); docs.sheetjs.com, "Dates and Times" (cellDates).
# Why it matters: the day is valid and has the right type, so that a check for "is a date" lets it pass. Leaving, birth and course days
# are a hundred years old: everybody in a list has left the company, and each deadline is over.
set -euo pipefail
command -v ssconvert >/dev/null || apt-get install -y -qq --no-install-recommends gnumeric >/dev/null 2>&1
command -v soffice >/dev/null || apt-get install -y -qq --no-install-recommends libreoffice-calc >/dev/null
/usr/bin/ruby -rroo -e '' 2>/dev/null || apt-get install -y -qq --no-install-recommends ruby-roo >/dev/null
/usr/bin/python3 -c 'import openpyxl' 2>/dev/null || apt-get install -y -qq --no-install-recommends python3-openpyxl >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --save-exact exceljs@4.4.0 xlsx@0.18.5
cat >write.mjs <<'JS'
import xlsx from 'xlsx'
const rows = [['Day'], [new Date(Date.UTC(2026, 10, 24))], [new Date(Date.UTC(2026, 11, 1))]]
for (const [name, cellDates] of [['iso.xlsx', true], ['number.xlsx', false]]) {
  const book = xlsx.utils.book_new()
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows, { cellDates, dateNF: 'yyyy-mm-dd' }), 'Days')
  xlsx.writeFile(book, name, { cellDates })
}
JS
cat >read.mjs <<'JS'
import exceljs from 'exceljs'
const book = new exceljs.Workbook()
await book.xlsx.readFile(process.argv[2])
const days = book.worksheets[0].getColumn(1).values.slice(2)
console.log('exceljs:', days.map(day => day.toISOString().slice(0, 10)).join(' '))
JS
read_all() {
  node read.mjs "$1"
  ssconvert "$1" gnumeric.csv 2>/dev/null
  echo "Gnumeric: $(tail -n +2 gnumeric.csv | tr / - | paste -s -d ' ')"
  /usr/bin/ruby -rroo -e 'sheet = Roo::Excelx.new(ARGV[0]); puts "roo: #{sheet.cell(2, 1)} #{sheet.cell(3, 1)}"' "$1" 2>/dev/null
  HOME=$folder soffice --headless --convert-to csv --outdir office "$1" >/dev/null 2>&1
  echo "LibreOffice: $(tail -n +2 "office/${1%.xlsx}.csv" | paste -s -d ' ')"
  /usr/bin/python3 -c "import openpyxl, sys
print('openpyxl:', *[row[0].value.date() for row in openpyxl.load_workbook(sys.argv[1]).active['A2:A3']])" "$1"
}
export TZ=UTC
node write.mjs
npm ls | tail -n +2
dpkg-query -W gnumeric ruby-roo libreoffice-calc python3-openpyxl
/usr/bin/python3 -c "import re, zipfile
print('cell:', re.search('<c r=.A2.*?</c>', zipfile.ZipFile('iso.xlsx').read('xl/worksheets/sheet1.xml').decode()).group())"
as_iso=$(read_all iso.xlsx)
as_number=$(read_all number.xlsx)
printf 'ISO 8601:\n%s\nnumbers:\n%s\n' "$as_iso" "$as_number"
[ "$as_iso" = 'exceljs: 1905-07-18 1905-07-18
Gnumeric: 1905-07-18 1905-07-18
roo: 1905-07-18 1905-07-18
LibreOffice: 2026-11-24 2026-12-01
openpyxl: 2026-11-24 2026-12-01' ]
[ "$(grep -c ': 2026-11-24 2026-12-01$' <<<"$as_number")" = 5 ]
