#!/usr/bin/env bash
# csvkit 1.0.7 with agate 1.6.3 and pytimeparse 1.1.5 (Debian csvkit)
# Expected: converting a CSV file (csvjson, csvsort, csvsql) keeps what it says: 18:30 is a time of day or a text, 4,50 in a file with
# semicolons four and a half or a text, and a column with the numbers 0 and 1 one of numbers.
# Actual: 18:30 becomes the duration 0:18:30, eighteen minutes and a half, 4,50 becomes 450, and the column with 0 and 1
# false and true, until a row has a 2. csvsql makes columns of the types INTERVAL, DECIMAL and BOOLEAN of them. Nothing is reported; with
# --no-inference (-I) all stays as it is.
# Source: agate's type tester (BOOLEAN, NUMBER, TIMEDELTA before DATE, locale en_US); pytimeparse ("4:13" is minutes and seconds);
# csvkit.readthedocs.io, "Arguments common to all tools" (--no-inference, --locale).
# Why it matters: timetables and lists of hours have these three columns. Sorted or joined by csvkit, a file is written again with
# lessons a quarter of an hour after midnight and hundred times the hours; in January, with 0 and 1 bookings so far, another type than in March.
set -euo pipefail
command -v csvjson >/dev/null || apt-get install -y -qq --no-install-recommends csvkit >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '%s\n' 'course;start;hours;waiting' 'Yoga;18:30;4,50;0' 'Pilates;09:00;3,00;1' >list.csv
dpkg-query -W csvkit python3-agate python3-pytimeparse
converted=$(csvsort -d ';' -c course list.csv)
untouched=$(csvsort -d ';' -I -c course list.csv)
printf '%s\n' "$converted" '' "$untouched"
[ "$converted" = 'course,start,hours,waiting
Pilates,0:09:00,300,True
Yoga,0:18:30,450,False' ]
[ "$untouched" = 'course,start,hours,waiting
Pilates,09:00,"3,00",1
Yoga,18:30,"4,50",0' ]
