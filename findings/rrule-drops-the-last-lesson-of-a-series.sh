#!/usr/bin/env bash
# rrule 2.8.1 and ts-ics 2.4.6 (npm) beside ical.js 2.2.1, node-ical 0.26.1 (npm) and python-dateutil (Debian python3-dateutil)
# Expected: a weekly series at 18:00 in Berlin from 12 October 2026, UNTIL=20261102T170000Z, has four lessons, all at 18:00.
# UNTIL has to be in UTC where the start has a zone, and a lesson at that very instant belongs to the series.
# Actual: rrule gives three, whatever zone the process has: it compares the local 18:00 with 17:00Z as if both were of one zone,
# so that east of Greenwich the last lesson is lost. ts-ics repeats in the zone of the process: on a server in UTC the two
# lessons after the end of summer time are at 17:00 in Berlin. The other three give the four lessons.
# Source: RFC 5545, section 3.3.10 (UNTIL); the README of rrule describes its dates as "floating" or pseudo-UTC, not UNTIL.
# Why it matters: programs end a series with its last lesson. Who reads timetables with these libraries shows a course without
# its last lesson, or at another hour in winter, and who writes a series sends that to all who do. One event for each
# lesson, in UTC, has neither.
set -euo pipefail
python=/usr/bin/python3
"$python" -c 'import dateutil' 2>/dev/null || apt-get install -y -qq python3-dateutil >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent rrule@2.8.1 ts-ics@2.4.6 ical.js@2.2.1 node-ical@0.26.1
cat >run.mjs <<'EOF'
import { execFileSync } from 'node:child_process'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import rrule from 'rrule'
import { convertIcsCalendar, extendByRecurrenceRule } from 'ts-ics'

const start = 'DTSTART;TZID=Europe/Berlin:20261012T180000'
const rule = 'RRULE:FREQ=WEEKLY;UNTIL=20261102T170000Z'
const change = (name, from, to, at, when) =>
  [`BEGIN:${name}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `DTSTART:${at}`, `RRULE:FREQ=YEARLY;${when}`, `END:${name}`]
const text = [
  'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', 'BEGIN:VTIMEZONE', 'TZID:Europe/Berlin',
  ...change('DAYLIGHT', '+0100', '+0200', '19810329T020000', 'BYMONTH=3;BYDAY=-1SU'),
  ...change('STANDARD', '+0200', '+0100', '19961027T030000', 'BYMONTH=10;BYDAY=-1SU'),
  'END:VTIMEZONE', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20260101T000000Z', start,
  'DTEND;TZID=Europe/Berlin:20261012T190000', rule, 'SUMMARY:Yoga', 'END:VEVENT', 'END:VCALENDAR', '',
].join('\r\n')

function readWithIcalJs() {
  const calendar = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.register(calendar.getFirstSubcomponent('vtimezone'))
  const times = []
  const iterator = new ICAL.Event(calendar.getFirstSubcomponent('vevent')).iterator()
  for (let at = iterator.next(); at; at = iterator.next()) times.push(at.toJSDate())
  return times
}
const period = { from: new Date('2026-10-01'), to: new Date('2026-12-01') }
function readWithNodeIcal() {
  const event = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT')
  return nodeIcal.expandRecurringEvent(event, period).map(({ start }) => start)
}
function readWithTsIcs() {
  const [event] = convertIcsCalendar(undefined, text).events
  return extendByRecurrenceRule(event.recurrenceRule, { start: event.start.date, end: period.to })
}
const DATEUTIL = `
import datetime
from dateutil import rrule, tz
start = datetime.datetime(2026, 10, 12, 18, tzinfo=tz.gettz('Europe/Berlin'))
for at in rrule.rrulestr('${rule}', dtstart=start): print(at.isoformat())`

const inBerlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' })
const show = times => times.map(at => inBerlin.format(at).slice(5)).join(', ')
const right = '10-12 18:00, 10-19 18:00, 10-26 18:00, 11-02 18:00'
const python = execFileSync('/usr/bin/python3', ['-c', DATEUTIL], { encoding: 'utf8' }).trim().split('\n')
const seen = {
  'ical.js': show(readWithIcalJs()),
  'node-ical': show(readWithNodeIcal()),
  dateutil: show(python.map(at => new Date(at))),
  rrule: `${rrule.rrulestr(`${start}\n${rule}`).all().length} lessons`,
  'ts-ics': show(readWithTsIcs()),
}
console.log(`zone of the process: ${process.env.TZ}`, seen)
const isAsBefore =
  [seen['ical.js'], seen['node-ical'], seen.dateutil].every(times => times === right) &&
  seen.rrule === '3 lessons' &&
  seen['ts-ics'] === (process.env.TZ === 'UTC' ? '10-12 18:00, 10-19 18:00, 10-26 17:00, 11-02 17:00' : right)
process.exit(isAsBefore ? 0 : 1)
EOF
npm ls | tail -n +2
"$python" -c 'import dateutil; print("python-dateutil", dateutil.__version__)'
TZ=UTC node run.mjs
TZ=Europe/Berlin node run.mjs
