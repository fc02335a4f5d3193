#!/usr/bin/env bash
# DuckDB 1.5.6 (npm @duckdb/node-api 1.5.6-r.1)
# Expected: a CSV column with 24.11.26 and 01.12.26 has the days 24 November and 1 December 2026, or stays text. With four digits,
# 01.12.2026, DuckDB takes the day first.
# Actual: the column is a DATE with 26 November 2024 and 26 December 2001: with two digits the year is taken to be in front. Every
# such day is a valid one the other way round, so that nothing fails and no row makes the reader think again, not even 31.12.26.
# Source: duckdb.org/docs, "CSV Auto Detection" (type detection); the list of date formats in DuckDB's CSV sniffer, which
# is tried from its end: %y-%m-%d before %d-%m-%y; DIN 5008 (day, month and year separated by dots).
# Why it matters: German savings banks and spreadsheets write days so. Payments of this week are read as of 2024 or of the first
# years of the century, sorted and filtered by them, and all that is due looks overdue for long. The option dateformat='%d.%m.%y'
# is needed, or a file with four digits.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --save-exact @duckdb/node-api@1.5.6-r.1
printf '%s\n' 'Buchungstag;Verwendungszweck;Betrag' '24.11.26;Yoga;45,00' '01.12.26;Pilates;30,00' '31.12.26;Aqua;12,00' >short.csv
sed -E 's/^(..\...\.)26;/\12026;/' short.csv >long.csv
cat >read.mjs <<'JS'
import { DuckDBInstance } from '@duckdb/node-api'
const connection = await (await DuckDBInstance.create()).connect()
async function daysIn(source) {
  const reader = await connection.runAndReadAll(`select typeof(Buchungstag) as type, Buchungstag::text as day from ${source}`)
  return reader.getRowObjectsJson().map(({ type, day }) => `${type} ${day}`).join(', ')
}
const [[version]] = (await connection.runAndReadAll('select version()')).getRowsJson()
console.log('DuckDB', version)
const seen = []
for (const source of [`'short.csv'`, `'long.csv'`, `read_csv('short.csv', dateformat = '%d.%m.%y')`]) {
  seen.push(await daysIn(source))
  console.log(`${source}: ${seen.at(-1)}`)
}
const right = 'DATE 2026-11-24, DATE 2026-12-01, DATE 2026-12-31'
process.exit(seen[0] === 'DATE 2024-11-26, DATE 2001-12-26, DATE 2031-12-26' && seen[1] === right && seen[2] === right ? 0 : 1)
JS
cat short.csv long.csv
node read.mjs
