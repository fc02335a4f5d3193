#!/usr/bin/env bash
# LibreOffice 7.4.7 and XlsxWriter 3.0.2 (Debian libreoffice-calc, python3-xlsxwriter)
# Expected: a workbook that says it has to be calculated when it is opened (calcPr fullCalcOnLoad="1") is calculated.
# XlsxWriter says so, because it cannot calculate and stores 0 as the result of each formula.
# Actual: LibreOffice shows the zeros. Converted to CSV, or saved as XLSX, price and text of a formula are 0, and the new
# file no longer says that its results are missing: it cannot be told from one with true zeros. As .ods it is the same.
# The option "Recalculation on File Load" (never, always, ask) is "never" for files of Excel by default.
# Source: ECMA-376 part 1, 18.2.2 (calcPr, fullCalcOnLoad); help.libreoffice.org, "Formula" (Recalculation on File Load);
# xlsxwriter.readthedocs.io, "Formula Results".
# Why it matters: servers convert uploaded lists with LibreOffice to read or preview them. Excel shows a price of 45, the
# converted list has 0, and a check for missing results must come before the conversion, not after it.
set -euo pipefail
python=/usr/bin/python3
command -v soffice >/dev/null || apt-get install -y -qq --no-install-recommends libreoffice-calc >/dev/null
"$python" -c 'import xlsxwriter' 2>/dev/null || apt-get install -y -qq --no-install-recommends python3-xlsxwriter >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >write.py <<'PY'
import xlsxwriter
print('XlsxWriter', xlsxwriter.__version__)
book = xlsxwriter.Workbook('list.xlsx')
book.add_worksheet('list').write_row(0, 0, ['price', 40, '=B1+5', '="P-"&B1'])
book.close()
PY
"$python" write.py
soffice --version
save() { soffice "-env:UserInstallation=file://$folder/profile" --headless --convert-to "$1" --outdir "$2" "$3" >/dev/null 2>&1; }
save csv csv list.xlsx
save xlsx xlsx list.xlsx
save csv again xlsx/list.xlsx
flag() { "$python" -c 'import sys, zipfile; print("fullCalcOnLoad" in zipfile.ZipFile(sys.argv[1]).read("xl/workbook.xml").decode())' "$1"; }
found="as CSV: $(cat csv/list.csv); saved and as CSV: $(cat again/list.csv); asks for a calculation: $(flag list.xlsx), saved: $(flag xlsx/list.xlsx)"
echo "$found"
[ "$found" = "as CSV: price,40,0,0; saved and as CSV: price,40,0,0; asks for a calculation: True, saved: False" ]
