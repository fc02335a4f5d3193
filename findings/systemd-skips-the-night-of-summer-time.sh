#!/usr/bin/env bash
# systemd 252 (Debian systemd) beside croner 11.0.1 and cron-parser 5.10.6 (npm)
# Expected: what is due daily at 2:30 in Berlin is due once on each day, also on 28 March 2027, when the clock goes from 2:00 to 3:00.
# Actual: systemd leaves the day out: after 27 March the timer elapses on 29 March, 47 hours later. Of the libraries croner takes 3:00 of
# that day and cron-parser 3:30. At 3:15 all three have each day.
# Source: systemd.time(7), systemd-analyze(1) (calendar); issue 5595 of systemd (a request, open since 2017) and Debian's bug 1033548;
# documentation of croner and cron-parser on daylight saving time.
# Why it matters: nightly backups are put between 2 and 3, when nobody works. Once a year there is none, and the same line in a
# scheduler of an application would have made one.
set -euo pipefail
command -v systemd-analyze >/dev/null || apt-get install -y -qq --no-install-recommends systemd >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent croner@11.0.1 cron-parser@5.10.6
cat >next.mjs <<'JS'
import { Cron } from 'croner'
import { CronExpressionParser } from 'cron-parser'
const timezone = 'Europe/Berlin'
const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
const [, , from, line] = process.argv
const print = (name, days) => console.log(name, days.map(day => format.format(day)).join(', '))
print('croner', new Cron(line, { timezone, paused: true }).nextRuns(3, new Date(from)))
const parsed = CronExpressionParser.parse(line, { currentDate: new Date(from), tz: timezone })
print('cron-parser', [1, 2, 3].map(() => parsed.next().toDate()))
JS
npm ls | tail -n +2
dpkg-query -W systemd
next_three() { # HH:MM
  local hour=${1%:*} minute=${1#*:}
  TZ=Europe/Berlin systemd-analyze calendar --base-time='2027-03-26 12:00' --iterations=3 "*-*-* $1" |
    sed -nE 's/^.*(Next elapse|Iter. #[23]): \w+ ([0-9-]+ [0-9]+:[0-9]+):00 .*$/\2/p' | paste -sd, | sed 's/,/, /g; s/^/systemd /'
  node next.mjs 2027-03-26T12:00:00+01:00 "$minute $hour * * *"
}
hours() { echo $((($(TZ=Europe/Berlin date -d "$2" +%s) - $(TZ=Europe/Berlin date -d "$1" +%s)) / 3600)); }
found=$(
  next_three 02:30
  next_three 03:15
  echo "$(hours '2027-03-27 02:30' '2027-03-29 02:30') hours"
)
echo "$found"
[ "$found" = 'systemd 2027-03-27 02:30, 2027-03-29 02:30, 2027-03-30 02:30
croner 2027-03-27 02:30, 2027-03-28 03:00, 2027-03-29 02:30
cron-parser 2027-03-27 02:30, 2027-03-28 03:30, 2027-03-29 02:30
systemd 2027-03-27 03:15, 2027-03-28 03:15, 2027-03-29 03:15
croner 2027-03-27 03:15, 2027-03-28 03:15, 2027-03-29 03:15
cron-parser 2027-03-27 03:15, 2027-03-28 03:15, 2027-03-29 03:15
47 hours' ]
