#!/usr/bin/env bash
# ical.js 2.2.1, node-ical 0.27.2, ts-ics 2.4.6 (npm) and khal 0.10.5 (Debian khal)
# Expected: an event that starts in Berlin at 12:00 on 24 October 2026, the day before summer time ends, and has DURATION:PT24H lasts 24
# hours, until 11:00. With DURATION:P1D it lasts until the same time of the next day, 12:00, which is 25 hours.
# Actual: none of the four tells the two apart, but for ts-ics on a computer whose own zone is Berlin. For ical.js both end at 12:00, for
# node-ical, khal and, in UTC, ts-ics at 11:00, so that each is wrong about one of them. All of them are right about DTEND.
# Source: RFC 5545, 3.3.6 (days and weeks are nominal, hours, minutes and seconds exact); issue 630 and pull request 956 of libical,
# issue 660 of ical.net (mended there).
# Why it matters: a 24-hour swim or a night of sports has one end for half of its participants and another for the rest, and so have
# the helpers' shifts and the lock of the hall; on all other days they agree. DTEND has one meaning, in UTC or with a time zone.
set -euo pipefail
command -v khal >/dev/null || apt-get install -y -qq --no-install-recommends khal >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --save-exact ical.js@2.2.1 node-ical@0.27.2 ts-ics@2.4.6
mkdir calendar
cat >write.mjs <<'JS'
import { writeFileSync } from 'node:fs'
const change = (name, from, to, at, when) =>
  [`BEGIN:${name}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `DTSTART:${at}`, `RRULE:FREQ=YEARLY;${when}`, `END:${name}`]
const lengths = { hours: 'DURATION:PT24H', day: 'DURATION:P1D', end: 'DTEND;TZID=Europe/Berlin:20261025T110000' }
for (const [name, length] of Object.entries(lengths))
  writeFileSync(`calendar/${name}.ics`, [
    'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', 'BEGIN:VTIMEZONE', 'TZID:Europe/Berlin',
    ...change('DAYLIGHT', '+0100', '+0200', '19810329T020000', 'BYMONTH=3;BYDAY=-1SU'),
    ...change('STANDARD', '+0200', '+0100', '19961027T030000', 'BYMONTH=10;BYDAY=-1SU'),
    'END:VTIMEZONE', 'BEGIN:VEVENT', `UID:${name}`, 'DTSTAMP:20260101T000000Z',
    'DTSTART;TZID=Europe/Berlin:20261024T120000', length, `SUMMARY:${name}`, 'END:VEVENT', 'END:VCALENDAR', '',
  ].join('\r\n'))
JS
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { convertIcsCalendar, getEventEnd } from 'ts-ics'
const inBerlin = new Intl.DateTimeFormat('de', { timeZone: 'Europe/Berlin', timeStyle: 'short' })
const ends = { 'ical.js': [], 'node-ical': [], [`ts-ics in ${process.env.TZ}`]: [] }
for (const name of ['hours', 'day', 'end']) {
  const text = readFileSync(`calendar/${name}.ics`, 'utf8')
  const calendar = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.register(calendar.getFirstSubcomponent('vtimezone'))
  const found = [
    new ICAL.Event(calendar.getFirstSubcomponent('vevent')).endDate.toJSDate(),
    Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT').end,
    getEventEnd(convertIcsCalendar(undefined, text).events[0]),
  ]
  Object.values(ends).forEach((times, index) => times.push(inBerlin.format(found[index])))
}
for (const [reader, times] of Object.entries(ends)) console.log(`${reader}: ${times.join(' ')}`)
JS
cat >khal.conf <<EOF_KHAL
[calendars]
[[one]]
path = $folder/calendar
[locale]
local_timezone = Europe/Berlin
default_timezone = Europe/Berlin
timeformat = %H:%M
dateformat = %d.%m.
longdateformat = %d.%m.%Y
datetimeformat = %d.%m. %H:%M
longdatetimeformat = %d.%m.%Y %H:%M
[sqlite]
path = $folder/khal.db
EOF_KHAL
node write.mjs
npm ls | tail -n +2
dpkg-query -W khal
found=$(
  TZ=UTC node read.mjs
  TZ=Europe/Berlin node read.mjs | grep ts-ics
  listed=$(khal -c khal.conf list --day-format '' --format '{title} {end-time}' 24.10.2026 1d)
  echo "khal: $(for name in hours day end; do sed -n "s/^$name //p" <<<"$listed"; done | paste -s -d ' ')"
)
echo 'ends of PT24H, P1D and DTEND at 11:00'
echo "$found"
[ "$found" = 'ical.js: 12:00 12:00 11:00
node-ical: 11:00 11:00 11:00
ts-ics in UTC: 11:00 11:00 11:00
ts-ics in Europe/Berlin: 11:00 12:00 11:00
khal: 11:00 11:00 11:00' ]
