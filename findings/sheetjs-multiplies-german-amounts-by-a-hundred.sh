#!/usr/bin/env bash
# SheetJS 0.18.5 (npm xlsx), reading a CSV file
# Expected: in a file with semicolons, 45,00 is forty-five or a text, 1.234,50 is 1234.5 or a text, and the days 24.11.2026 and
# 01.12.2026 of one column are both days, or both texts.
# Actual: 45,00 is the number 4500 and 1.234,50 the number 1.2345; 24.11.2026 is a text and 01.12.2026 the 12th of January. The
# formatted texts (w, which sheet_to_csv and a web table show) are those of the file for the amounts, so that a look at the table
# tells nothing; the sum does. Nothing is reported; with raw: true everything stays text.
# Source: docs.sheetjs.com, "Parsing Options" (raw: "plain text parsing will not parse values"); fuzzynum, which drops commas as
# signs of thousands wherever they stand, and fuzzydate in the package's bits.
# Why it matters: the package is the usual way to accept "Excel or CSV" with one function. The same list is right as a workbook
# and has other amounts and days as CSV: a fee of 45 euros becomes 4500, and half of the payments are eleven months early.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent xlsx@0.18.5
cat >run.cjs <<'JS'
const { read, utils } = require('xlsx')
const file = Buffer.from('day;fee;sum\n24.11.2026;45,00;1.234,50\n01.12.2026;30,00;85,00\n')
function load(options) {
  const { Sheets: { Sheet1 } } = read(file, { type: 'buffer', ...options })
  const rows = utils.sheet_to_json(Sheet1, { header: 1 }).slice(1)
  console.log(JSON.stringify(options), rows, 'shown:', utils.sheet_to_csv(Sheet1, { FS: ';' }).split('\n').slice(1).join(' / '))
  return rows
}
const january = Date.UTC(2026, 0, 12) / 86_400_000 + 25_569
const guessed = load({})
const plain = load({ raw: true })
const isAsSeen = JSON.stringify(guessed) === JSON.stringify([['24.11.2026', 4500, 1.2345], [january, 3000, 8500]])
const isRight = JSON.stringify(plain) === JSON.stringify([['24.11.2026', '45,00', '1.234,50'], ['01.12.2026', '30,00', '85,00']])
process.exit(isAsSeen && isRight ? 0 : 1)
JS
npm ls xlsx | tail -n +2
TZ=UTC node run.cjs
