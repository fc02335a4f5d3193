#!/usr/bin/env bash
# write-excel-file 4.1.1 (npm), read with readxl 1.4.2 (Debian r-cran-readxl) and roo 2.10.0 (Debian ruby-roo)
# Expected: a workbook with a day, a moment and a whole number has these three in any reader.
# Actual: readxl returns the day and the moment as numbers (46237), and roo the number 1001 as a day of 1902, without a
# warning. The number formats have the ids 100 and 101, in the range below 164 that is left to built-in ones, and styles
# without a format have no numFmtId. openpyxl, LibreOffice and SheetJS read the file as it is meant.
# With the ids from 164 on and numFmtId="0" everywhere, as Excel writes them, both readers are right.
# Source: ECMA-376 part 1, 18.8.30 (ids of built-in formats); FORMAT_ID_STARTS_FROM in write-excel-file's initializeStyles.js;
# roo's styles.rb, which takes the list of the numFmtIds that are there for the list of styles.
# Why it matters: a list is opened in Excel while it is developed, and a department evaluates it in R or Ruby later. A column
# of days that became numbers is seen; one of numbers that became days may be taken for true.
set -euo pipefail
Rscript -e 'library(readxl)' >/dev/null 2>&1 || apt-get install -y -qq --no-install-recommends r-cran-readxl >/dev/null
ruby -e 'require "roo"' 2>/dev/null || apt-get install -y -qq --no-install-recommends ruby-roo >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent write-excel-file@4.1.1
cat >write.mjs <<'JS'
import writeXlsxFile from 'write-excel-file/node'
const feature = {
  files: {
    transform: {
      'xl/styles.xml': {
        transform: xml =>
          xml
            .replace(/numFmtId="(1\d\d)"/g, (_, id) => `numFmtId="${Number(id) + 64}"`)
            .replace(/<xf (?!numFmtId)/g, '<xf numFmtId="0" '),
      },
    },
  },
}
const rows = [
  ['day', 'moment', 'number'].map(value => ({ value })),
  [
    { value: new Date('2026-08-03T00:00Z'), type: Date, format: 'yyyy-mm-dd' },
    { value: new Date('2026-08-03T17:30Z'), type: Date, format: 'yyyy-mm-dd hh:mm' },
    { value: 1001, type: Number },
  ],
]
for (const [name, features] of [['before', []], ['after', [feature]]])
  await writeXlsxFile(rows, { sheet: 'list' }, { features }).toFile(`${name}.xlsx`)
JS
node write.mjs
npm ls | tail -n +2
Rscript -e 'cat("readxl", format(packageVersion("readxl")), "\n")'
ruby -e 'require "roo"; puts "roo #{Roo::VERSION}"'
cat >read.R <<'R'
for (file in c("before.xlsx", "after.xlsx")) {
  row <- readxl::read_excel(file)
  cat(file, "readxl:", class(row$day)[1], class(row$moment)[1], format(row$day), "\n")
}
R
cat >read.rb <<'RUBY'
require 'roo'
%w[before.xlsx after.xlsx].each do |file|
  cells = []
  Roo::Spreadsheet.open(file).each_row_streaming(offset: 1) { |row| cells = row.map(&:value) }
  puts "#{file} roo: #{cells.map(&:class).join(' ')} #{cells.last}"
end
RUBY
found=$(Rscript read.R; ruby read.rb)
echo "$found"
[ "$found" = "before.xlsx readxl: numeric numeric 46237 
after.xlsx readxl: POSIXct POSIXct 2026-08-03 
before.xlsx roo: Date Float Date 1902-09-27
after.xlsx roo: Date DateTime Integer 1001" ]
