#!/usr/bin/env bash
# pandas 1.5.3 (Debian python3-pandas, with openpyxl 3.0.9), workbook written by exceljs 4.4.0 (npm)
# Expected: cells that a workbook stores as text are read as text. A CSV file has no types, so that guessing is usual there; a
# workbook says of each cell whether it is a text or a number.
# Actual: read_excel() guesses as for CSV: a column of the texts "00210" and "01067" becomes the numbers 210 and 1067, "1E5"
# becomes 100000, and a cell with the text "NA" or "null" becomes empty. A single "D-01067" in the column keeps it as it is.
# dtype=str and keep_default_na=False are needed, as for CSV.
# Source: pandas.pydata.org, read_excel ("dtype": None infers); pandas/io/excel/_base.py hands the rows to TextParser.
# Why it matters: post codes, personnel and course numbers were stored as text on purpose, so that zeros stay. A script
# that reads such a list, adds a column and saves it loses them, depending on which rows the list has that day.
set -euo pipefail
python=/usr/bin/python3
"$python" -c 'import pandas, openpyxl' 2>/dev/null || apt-get install -y -qq --no-install-recommends python3-pandas python3-openpyxl >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent exceljs@4.4.0
cat >write.cjs <<'JS'
const ExcelJS = require('exceljs')
const book = new ExcelJS.Workbook()
book.addWorksheet('list').addRows([
  ['zip', 'course', 'name', 'mixed'],
  ['00210', '1E5', 'NA', '00210'],
  ['01067', '2E5', 'Kim', 'D-01067'],
])
book.xlsx.writeFile('list.xlsx')
JS
node write.cjs
npm ls | tail -n +2
cat >read.py <<'PY'
import sys, openpyxl, pandas
print('pandas', pandas.__version__, 'openpyxl', openpyxl.__version__)
cells = [cell.value for cell in openpyxl.load_workbook('list.xlsx').active[2]]
guessed = pandas.read_excel('list.xlsx').astype(object).values.tolist()
given = pandas.read_excel('list.xlsx', dtype=str, keep_default_na=False).values.tolist()
print('stored:', cells, 'read:', guessed, 'with dtype=str:', given)
right = [['00210', '1E5', 'NA', '00210'], ['01067', '2E5', 'Kim', 'D-01067']]
wrong = "[[210, 100000.0, nan, '00210'], [1067, 200000.0, 'Kim', 'D-01067']]"
sys.exit(0 if cells == right[0] and str(guessed) == wrong and given == right else 1)
PY
"$python" read.py
