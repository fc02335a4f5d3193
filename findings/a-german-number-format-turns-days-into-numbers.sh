#!/usr/bin/env bash
# pandas 1.5.3 (Debian python3-pandas) and readr 2.1.4 (Debian r-cran-readr) beside read.csv2 of R 4.2 (r-base-core)
# Expected: decimal="," and thousands="." say how amounts are written, 1.234,50. Whatever is no amount stays what it is: a day
# 24.11.2026, a time 18.30, the number of a course 26.1.004. In a number a dot of thousands has three digits after it.
# Actual: pandas removes the dots wherever only digits are left then: the days are 24112026 and 1122026, the times 1830 and 1900, the
# courses 261004 and 262010. The zero in front is lost, and sorted, 1 December is before 24 November. readr's read_csv2, which is
# meant for such files, does the same with times and courses, and leaves days alone. Nothing is reported. R's own read.csv2 is right
# about them, and leaves 1.234,50 a text.
# Source: pandas.pydata.org, read_csv (thousands, decimal); issue 14066 of pandas (closed: for a column in parse_dates it is mended);
# readr.tidyverse.org, read_csv2 and parse_guess (numbers with grouping marks).
# Why it matters: these two options are what each advice for German files names, and they are needed, since an amount of more than 999
# is a text without them. Who joins two lists by the number of a course, or filters by day, gets wrong rows; written again,
# 01.12.2026 has become a number of seven digits that nothing reads as a day. parse_dates or dtype=str is needed for such columns.
set -euo pipefail
/usr/bin/python3 -c 'import pandas' 2>/dev/null || apt-get install -y -qq --no-install-recommends python3-pandas >/dev/null
/usr/bin/Rscript -e 'library(readr)' >/dev/null 2>&1 || apt-get install -y -qq --no-install-recommends r-cran-readr >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >costs.csv <<'CSV'
Tag;Beginn;Kurs;Betrag
24.11.2026;18.30;26.1.004;1.234,50
01.12.2026;19.00;26.2.010;45,00
CSV
cat >read.py <<'PY'
import pandas
def show(how, **options):
    rows = pandas.read_csv('costs.csv', sep=';', decimal=',', thousands='.', **options)
    print(how, *[str(value) for row in rows.itertuples(index=False) for value in row])
show('pandas:')
show('pandas with dtype:', dtype={'Tag': str, 'Beginn': str, 'Kurs': str})
PY
cat >read.R <<'R'
suppressMessages(library(readr))
show <- function(how, rows) cat(how, as.character(t(sapply(rows, as.character))), "\n")
show("readr:", as.data.frame(suppressMessages(read_csv2("costs.csv"))))
show("read.csv2:", read.csv2("costs.csv"))
R
dpkg-query -W python3-pandas r-cran-readr r-base-core
cat costs.csv
found=$(
  /usr/bin/python3 read.py
  /usr/bin/Rscript read.R | sed 's/ *$//'
)
echo "$found"
[ "$found" = 'pandas: 24112026 1830 261004 1234.5 1122026 1900 262010 45.0
pandas with dtype: 24.11.2026 18.30 26.1.004 1234.5 01.12.2026 19.00 26.2.010 45.0
readr: 24.11.2026 1830 261004 1234.5 01.12.2026 1900 262010 45
read.csv2: 24.11.2026 18.30 26.1.004 1.234,50 01.12.2026 19.00 26.2.010 45,00' ]
