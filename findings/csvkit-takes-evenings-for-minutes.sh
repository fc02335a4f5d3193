#!/usr/bin/env bash
# csvkit 1.0.7 with agate 1.6.3 and pytimeparse 1.1.5 (Debian csvkit)
# Expected: converting a CSV file (csvjson, csvsort, csvsql) keeps what it says: 18:30 is a time of day or a text.
# Actual: 18:30 becomes the duration 0:18:30, eighteen minutes and a half; csvsql makes a column of the type INTERVAL of it. Nothing is
# reported. With --no-inference (-I) it stays as it is.
# Source: agate's type tester (TIMEDELTA before DATE, no type for times of day); pytimeparse ("4:13" is minutes and seconds);
# csvkit.readthedocs.io, "Arguments common to all tools" (--no-inference).
# Why it matters: a timetable sorted or joined by csvkit is written again with lessons a quarter of an hour after midnight, and a reader
# of the new file cannot know it.
set -euo pipefail
command -v csvjson >/dev/null || apt-get install -y -qq --no-install-recommends csvkit >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '%s\n' 'course;start' 'Yoga;18:30' 'Pilates;09:00' >list.csv
dpkg-query -W csvkit python3-agate python3-pytimeparse
converted=$(csvsort -d ';' -c course list.csv)
untouched=$(csvsort -d ';' -I -c course list.csv)
printf '%s\n' "$converted" '' "$untouched"
[ "$converted" = 'course,start
Pilates,0:09:00
Yoga,0:18:30' ]
[ "$untouched" = 'course,start
Pilates,09:00
Yoga,18:30' ]
