#!/usr/bin/env bash
# openpyxl 3.0.9 and pandas 1.5.3 (Debian python3-openpyxl, python3-pandas), readxl 1.4.2 (r-cran-readxl), roo 2.10.0 (ruby-roo),
# exceljs 4.4.0 (npm); workbook by XlsxWriter 3.0.2 (Debian python3-xlsxwriter)
# Expected: a cell with the format [h]:mm is a number of hours. Spreadsheets show 40:00, and openpyxl returns a timedelta.
# Actual: the same openpyxl with read_only=True returns 1 January 1900, 16:00, and so does pandas, which opens workbooks that way.
# readxl, roo and exceljs return 16:00 as well, on 31 December 1899 or 1 January 1900. In the same column roo returns 18 hours as
# 64800 (seconds) and pandas as the time 18:00: the type changes from row to row at 24 hours.
# Source: ECMA-376 part 1, 18.8.31 (number formats, [h]: elapsed hours); openpyxl/worksheet/_read_only.py, which hands the formats of
# dates to the parser, but not those of durations, as _reader.py does; pandas/io/excel/_openpyxl.py (read_only=True).
# Why it matters: timesheets of instructors add up hours. Short ones are right in each test, and at forty hours only the sixteen
# are left wherever the time is taken from the value. A decimal number of hours has one meaning everywhere.
set -euo pipefail
for name in openpyxl pandas xlsxwriter; do
  /usr/bin/python3 -c "import $name" 2>/dev/null || apt-get install -y -qq --no-install-recommends "python3-$name" >/dev/null
done
Rscript -e 'library(readxl)' >/dev/null 2>&1 || apt-get install -y -qq --no-install-recommends r-cran-readxl >/dev/null
ruby -e 'require "roo"' 2>/dev/null || apt-get install -y -qq --no-install-recommends ruby-roo >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent exceljs@4.4.0
cat >write.py <<'PY'
import xlsxwriter
book = xlsxwriter.Workbook('hours.xlsx')
sheet = book.add_worksheet()
hours = book.add_format({'num_format': '[h]:mm'})
sheet.write_string(0, 0, 'hours')
sheet.write_number(1, 0, 18 / 24, hours)
sheet.write_number(2, 0, 40 / 24, hours)
book.close()
PY
/usr/bin/python3 write.py
cat >read.py <<'PY'
import openpyxl, pandas
for is_quick in (False, True):
    sheet = openpyxl.load_workbook('hours.xlsx', read_only=is_quick).active
    print('openpyxl', 'read-only:' if is_quick else 'usual:', *[cell for row in sheet.iter_rows(min_row=2, values_only=True) for cell in row], sep=' | ')
print('pandas', *pandas.read_excel('hours.xlsx').hours, sep=' | ')
PY
cat >read.R <<'R'
cat(paste(c("readxl", format(readxl::read_excel("hours.xlsx")$hours, "%Y-%m-%d %H:%M")), collapse = " | "), "\n")
R
cat >read.rb <<'RUBY'
require 'roo'
cells = []
Roo::Spreadsheet.open('hours.xlsx').each_row_streaming(offset: 1) { |row| cells += row.map(&:value) }
puts ['roo', *cells].join(' | ')
RUBY
cat >read.mjs <<'JS'
import ExcelJS from 'exceljs'
const book = new ExcelJS.Workbook()
await book.xlsx.readFile('hours.xlsx')
console.log(['exceljs', ...[2, 3].map(row => book.worksheets[0].getCell(row, 1).value.toISOString())].join(' | '))
JS
npm ls | tail -n +2
dpkg-query -W python3-openpyxl python3-pandas python3-xlsxwriter r-cran-readxl ruby-roo
found=$(
  /usr/bin/python3 read.py
  Rscript read.R | sed 's/ *$//'
  ruby read.rb
  node read.mjs
)
echo "$found"
[ "$found" = 'openpyxl | usual: | 18:00:00 | 1 day, 16:00:00
openpyxl | read-only: | 18:00:00 | 1900-01-01 16:00:00
pandas | 18:00:00 | 1900-01-01 16:00:00
readxl | 1899-12-31 18:00 | 1900-01-01 16:00
roo | 64800 | 1899-12-31T16:00:00+00:00
exceljs | 1899-12-30T18:00:00.000Z | 1899-12-31T16:00:00.000Z' ]
