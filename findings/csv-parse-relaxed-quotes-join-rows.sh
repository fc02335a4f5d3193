#!/usr/bin/env bash
# csv-parse 7.0.3 (npm), option relax_quotes
# Expected: a quote that does not enclose its cell is kept as a letter ("preserve quotes inside unquoted field"), or the
# file is rejected, as it is without the option.
# Actual: a cell that begins with a quote swallows delimiters and line ends up to the next quote that closes a cell, which
# may be rows later. Only if there is none, the file is rejected. The number of cells of the joined row can be right.
# Source: the package's documentation of relax_quotes; RFC 4180, section 2.5 to 2.7.
# Why it matters: exports of banks have quotes in the remittance information without escaping them. The first row gets
# the amount of the last one, and the payments in between vanish without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent csv-parse@7.0.3
cat >test.mjs <<'EOF'
import { parse } from 'csv-parse/sync'
const csv = `day;text;amount
2026-11-24;"Sport;45.00
2026-11-25;Yoga;30.00
2026-11-26;"Gym";1.00
`
const rows = parse(csv, { delimiter: ';', relax_quotes: true })
console.log(rows)
let isRejected = false
try {
  parse(csv, { delimiter: ';' })
} catch {
  isRejected = true
}
console.log('rejected without the option:', isRejected)
if (rows.length !== 2 || rows[1].length !== 3 || rows[1][2] !== '1.00' || !rows[1][1].includes('Yoga') || !isRejected) process.exit(1)
EOF
npm ls csv-parse | tail -n +2
node test.mjs
