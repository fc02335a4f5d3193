#!/usr/bin/env bash
# systemd 252 (Debian systemd), croner 11.0.1 and cron-parser 5.10.6 (npm), croniter and APScheduler (Debian
# python3-croniter, python3-apscheduler)
# Expected: what is due daily at 2:30 in Berlin is due once on each day, also on 28 March 2027, when 2:30 does not exist; Debian's cron runs
# it at once after the change, at 3:00.
# Actual: systemd leaves the day out: after 27 March the timer elapses on 29 March. Persistent=yes does not help, because nothing
# was missed. Of the libraries croner takes 3:00 and cron-parser 3:30; croniter and APScheduler give 2:30 at the offset of
# winter, a time that no clock shows. croniter is wrong where the time exists, too: 2:15 for 3:15 on that day, and 3:30 on the day
# after the end of summer time.
# Source: systemd.time(7), systemd-analyze(1) (calendar); cron(8) of Debian on changes of the clock by less than three hours;
# documentation of croner and cron-parser on daylight saving time.
# Why it matters: nightly backups are put between 2 and 3, when nobody works. Once a year there is none, and an alarm for "no backup for
# 26 hours" fires on a Sunday; moved from cron to a timer the same line means something else. At 3:15 all but croniter agree.
set -euo pipefail
python=/usr/bin/python3
command -v systemd-analyze >/dev/null || apt-get install -y -qq --no-install-recommends systemd >/dev/null
"$python" -c 'import croniter, apscheduler' 2>/dev/null ||
  apt-get install -y -qq --no-install-recommends python3-croniter python3-apscheduler >/dev/null
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
print('croner', new Cron(line, { timezone, paused: true }).nextRuns(2, new Date(from)))
const parsed = CronExpressionParser.parse(line, { currentDate: new Date(from), tz: timezone })
print('cron-parser', [parsed.next().toDate(), parsed.next().toDate()])
JS
cat >next.py <<'PY'
import sys
from datetime import datetime
from zoneinfo import ZoneInfo
from apscheduler.triggers.cron import CronTrigger
from croniter import croniter
start, line = datetime.fromisoformat(sys.argv[1]).astimezone(ZoneInfo('Europe/Berlin')), sys.argv[2]
def show(name, days):
    print(name, ', '.join(day.strftime('%Y-%m-%d %H:%M') for day in days))
following = croniter(line, start)
show('croniter', [following.get_next(datetime), following.get_next(datetime)])
trigger = CronTrigger.from_crontab(line, timezone='Europe/Berlin')
first = trigger.get_next_fire_time(None, start)
show('APScheduler', [first, trigger.get_next_fire_time(first, first)])
PY
npm ls | tail -n +2
dpkg-query -W systemd python3-croniter python3-apscheduler
next_two() { # DAY HH:MM
  local hour=${2%:*} minute=${2#*:}
  TZ=Europe/Berlin systemd-analyze calendar --base-time="$1 12:00" --iterations=2 "*-*-* $2" |
    sed -nE 's/^.*(Next elapse|Iter. #2): \w+ ([0-9-]+ [0-9]+:[0-9]+):00 .*$/\2/p' | paste -sd, | sed 's/,/, /; s/^/systemd /'
  node next.mjs "$1T12:00:00+01:00" "$minute $hour * * *"
  "$python" next.py "$1T12:00:00+01:00" "$minute $hour * * *"
}
found=$(
  next_two 2027-03-27 02:30
  next_two 2026-10-24 02:30
  next_two 2027-03-27 03:15
)
echo "$found"
[ "$found" = 'systemd 2027-03-29 02:30, 2027-03-30 02:30
croner 2027-03-28 03:00, 2027-03-29 02:30
cron-parser 2027-03-28 03:30, 2027-03-29 02:30
croniter 2027-03-28 02:30, 2027-03-29 02:30
APScheduler 2027-03-28 02:30, 2027-03-29 02:30
systemd 2026-10-25 02:30, 2026-10-26 02:30
croner 2026-10-25 02:30, 2026-10-26 02:30
cron-parser 2026-10-25 02:30, 2026-10-26 02:30
croniter 2026-10-25 02:30, 2026-10-26 03:30
APScheduler 2026-10-25 02:30, 2026-10-26 02:30
systemd 2027-03-28 03:15, 2027-03-29 03:15
croner 2027-03-28 03:15, 2027-03-29 03:15
cron-parser 2027-03-28 03:15, 2027-03-29 03:15
croniter 2027-03-28 02:15, 2027-03-29 03:15
APScheduler 2027-03-28 03:15, 2027-03-29 03:15' ]
