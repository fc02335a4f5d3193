#!/usr/bin/env bash
# ical.js 2.2.1, node-ical 0.27.2, ts-ics 2.4.6 (npm) and calcurse 4.7.1 (Debian) beside vobject 0.9.6.1 (Debian
# python3-vobject)
# Expected: an event that starts on 12 October and has RDATE:20261021T160000Z,20261105T170000Z, without RRULE, has three lessons:
# the start counts as the first one, the two dates are added.
# Actual: ical.js returns the two dates without the start, node-ical's expandRecurringEvent(), ts-ics and calcurse the start
# without the two dates. vobject gives the three. With an RRULE that matches the start, ical.js has the start, so that tests
# with a series show nothing.
# Source: RFC 5545, 3.8.5.2 (recurrence set of DTSTART, RRULE and RDATE); issue 294 and pull request 534 of ical.js, both
# about the start that is missing; node-ical's README, expandRecurringEvent (names EXDATE and RECURRENCE-ID only).
# Why it matters: RDATE is what the format has for courses whose dates follow no rule, and for a lesson that is added to a
# series. Whoever uses it sends some readers only the first lesson and others all but the first one, each without an error.
# One event for each lesson is read by all.
set -euo pipefail
command -v calcurse >/dev/null || apt-get install -y -qq --no-install-recommends calcurse >/dev/null
/usr/bin/python3 -c 'import vobject' 2>/dev/null || apt-get install -y -qq --no-install-recommends python3-vobject >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts ical.js@2.2.1 node-ical@0.27.2 ts-ics@2.4.6
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//x//x//EN BEGIN:VEVENT UID:yoga DTSTAMP:20261001T100000Z \
  DTSTART:20261012T160000Z DTEND:20261012T170000Z RDATE:20261021T160000Z,20261105T170000Z SUMMARY:Yoga END:VEVENT \
  END:VCALENDAR >yoga.ics
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'
const text = readFileSync('yoga.ics', 'utf8')
const day = date => date.toISOString().slice(5, 10)

const event = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'))
const iterator = event.iterator()
const first = []
for (let next = iterator.next(); next; next = iterator.next()) first.push(day(next.toJSDate()))
console.log('ical.js:', ...first)

const [parsed] = Object.values(nodeIcal.sync.parseICS(text)).filter(({ type }) => type === 'VEVENT')
const range = { from: new Date('2026-10-01'), to: new Date('2026-12-01') }
console.log('node-ical:', ...nodeIcal.expandRecurringEvent(parsed, range).map(({ start }) => day(start)))

const { events } = convertIcsCalendar(undefined, text)
const kept = events.flatMap(({ start, ...more }) => [start.date, ...(JSON.stringify(more).match(/2026-1\d-(?:21|05)/g) ?? [])])
console.log('ts-ics:', ...kept.map(date => (date instanceof Date ? day(date) : date)))
JS
cat >read.py <<'PY'
import vobject
event = vobject.readOne(open('yoga.ics', newline='').read()).vevent
print('vobject:', *[at.strftime('%m-%d') for at in event.getrruleset(addRDate=True)])
PY
npm ls | tail -n +2
calcurse --version | head -n 1
TZ=UTC calcurse --quiet -D "$folder/calcurse" -i yoga.ics >/dev/null
found=$(node read.mjs; sed -E 's|^([0-9]+)/([0-9]+)/.*|calcurse: \1-\2|' calcurse/apts; /usr/bin/python3 read.py)
echo "$found"
[ "$found" = 'ical.js: 10-21 11-05
node-ical: 10-12
ts-ics: 10-12
calcurse: 10-12
vobject: 10-12 10-21 11-05' ]
