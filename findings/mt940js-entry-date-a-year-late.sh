#!/usr/bin/env bash
# mt940js 1.3.5 (npm), MT940 statement lines (:61:) around the turn of the year.
# Expected: the entry date has no year (MMDD). With the value date 2 January 2027 and the entry date 31 December, the entry
#   was booked on 2026-12-31 (SWIFT MT940, field 61, subfields 1 and 2).
# Seen: the year of the value date is taken as it is: 2027-12-31, eleven months after the value date. The other direction
#   (value date in December, entry date in January) is a year early.
# Matters: a payment is booked in the wrong year, or is not recognized as one that another file of the bank has.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mt940js@1.3.5
cat > run.cjs <<'JS'
const { Parser } = require('mt940js')
const statement = (line, closing) =>
  [':20:A', ':25:12030000/0000202051', ':28C:0', ':60F:C261230EUR100,00', `:61:${line}`, ':86:x', `:62F:C261231EUR${closing}`, '-', ''].join('\n')
const entryDate = (line, closing) => new Parser().parse(statement(line, closing))[0].transactions[0].entryDate.toISOString().slice(0, 10)
const seen = [entryDate('2701021231C5,00NTRFX', '105,00'), entryDate('2612310102C5,00NTRFX', '105,00')]
console.log('mt940js', JSON.parse(require('fs').readFileSync('node_modules/mt940js/package.json', 'utf8')).version)
console.log('value 2027-01-02, entry 12-31 →', seen[0])
console.log('value 2026-12-31, entry 01-02 →', seen[1])
process.exit(seen.join() === '2027-12-31,2026-01-02' ? 0 : 1)
JS
node run.cjs
