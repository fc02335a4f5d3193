#!/usr/bin/env bash
# csv-parse 7.0.3 with columns: true.
# Expected: a heading that occurs twice is an error, or both columns are kept (as Python's pandas does: name, name.1).
# Seen: the later column silently replaces the earlier one; nothing reports it.
#   With group_columns_by_name both values are kept, but then one value is a text and two are an array.
# Matters: bank statements and HR exports repeat headings ("Name", "Betrag"); the value that people see first in their
#   spreadsheet is the one that is dropped.
# Source: csv.js.org, options "columns" and "group_columns_by_name".
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund csv-parse@7.0.3
cat > run.mjs <<'JS'
import { parse } from 'csv-parse/sync'
const file = 'Name;Betrag;Name\nEva Muster;20,00;Sparkasse\n'
const [record] = parse(file, { columns: true, delimiter: ';' })
const [grouped] = parse(file, { columns: true, delimiter: ';', group_columns_by_name: true })
console.log('columns: true', record, '\nwith group_columns_by_name', grouped)
process.exit(JSON.stringify(record) === '{"Name":"Sparkasse","Betrag":"20,00"}' && Array.isArray(grouped.Name) ? 0 : 1)
JS
node run.mjs
