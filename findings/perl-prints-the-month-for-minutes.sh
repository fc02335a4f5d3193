#!/usr/bin/env bash
# Spreadsheet::ParseExcel 0.6500 with Spreadsheet::ParseXLSX 0.27 (Debian libspreadsheet-parsexlsx-perl); workbook by
# XlsxWriter 3.0.2 (Debian python3-xlsxwriter)
# Expected: 26.5 hours with the format [h]:mm are shown as 26:30, as by Excel, LibreOffice and Gnumeric.
# Actual: value() returns 26:01, and 18.25 hours 18:01: mm is a month after [h], always 01. With seconds, [h]:mm:ss, the minutes are
# right, and hh:mm is right, too. unformatted() returns the number of days.
# Source: ECMA-376 part 1, 18.8.31 (mm after an hour or before seconds are minutes); Spreadsheet::ParseExcel::Utility, ExcelFmt:
# only h and hh before it, or s after it, make minutes of mm.
# Why it matters: timesheets have this format, and value() is what each example of the module reads. Sums of hours lose up to
# an hour in each row; full hours gain a minute, which looks like rounding.
set -euo pipefail
perl -e 'use Spreadsheet::ParseXLSX' 2>/dev/null || apt-get install -y -qq --no-install-recommends libspreadsheet-parsexlsx-perl >/dev/null
/usr/bin/python3 -c 'import xlsxwriter' 2>/dev/null || apt-get install -y -qq --no-install-recommends python3-xlsxwriter >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
/usr/bin/python3 - <<'PY'
import xlsxwriter
book = xlsxwriter.Workbook('hours.xlsx')
sheet = book.add_worksheet()
for row, format in enumerate(['[h]:mm', '[h]:mm:ss', 'hh:mm']):
    style = book.add_format({'num_format': format})
    for column, hours in enumerate([18.25, 26.5, 40]):
        sheet.write_number(row, column, hours / 24, style)
book.close()
PY
cat >read.pl <<'PERL'
use strict;
use warnings;
use Spreadsheet::ParseXLSX;
my $sheet = Spreadsheet::ParseXLSX->new->parse('hours.xlsx')->worksheet(0);
for my $row (0 .. 2) {
    print join(' ', map { $sheet->get_cell($row, $_)->value } 0 .. 2), "\n";
}
PERL
dpkg-query -W libspreadsheet-parseexcel-perl libspreadsheet-parsexlsx-perl python3-xlsxwriter
found=$(perl read.pl)
echo "$found"
[ "$found" = '18:01 26:01 40:01
18:15:00 26:30:00 40:00:00
18:15 02:30 16:00' ]
