#!/usr/bin/env bash
# FullCalendar 6.1.21 with its plugin icalendar and ical.js 1.5.0 (npm, happy-dom 21.0.4)
# Expected: DTSTART;TZID=Europe/Berlin:20261013T180000 is 18:00 in Berlin, shown at 12:00 in New York and at 17:00 in London.
# Actual: it is 18:00 wherever the page is opened: the plugin hands the local time on without its zone, also if the file has the
# VTIMEZONE. Times in UTC (…T160000Z) are right everywhere, and in Berlin both are, so that a test there shows nothing.
# Source: RFC 5545, 3.2.19 (TZID); expandICalEvents in @fullcalendar/icalendar (startDate.toString()); issue 7456 and pull
# request 7450 of FullCalendar.
# Why it matters: calendars of courses are embedded in the intranet of a company with sites abroad, and online courses are booked
# from there. They start hours too early or too late, without an error. UTC needs no VTIMEZONE and has one meaning.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts \
  @fullcalendar/core@6.1.21 @fullcalendar/icalendar@6.1.21 @fullcalendar/list@6.1.21 ical.js@1.5.0 happy-dom@21.0.4
event() {
  printf '%s\r\n' BEGIN:VEVENT "UID:$1" DTSTAMP:20261001T100000Z "DTSTART$2" "DTEND$3" "SUMMARY:$1" END:VEVENT
}
{
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//x//x//EN BEGIN:VTIMEZONE TZID:Europe/Berlin \
    BEGIN:STANDARD DTSTART:19701025T030000 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU' TZOFFSETFROM:+0200 TZOFFSETTO:+0100 END:STANDARD \
    BEGIN:DAYLIGHT DTSTART:19700329T020000 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU' TZOFFSETFROM:+0100 TZOFFSETTO:+0200 END:DAYLIGHT \
    END:VTIMEZONE
  event zone ';TZID=Europe/Berlin:20261013T180000' ';TZID=Europe/Berlin:20261013T190000'
  event utc :20261013T160000Z :20261013T170000Z
  printf '%s\r\n' END:VCALENDAR
} >courses.ics
cat >read.cjs <<'JS'
const { Window } = require('happy-dom')
const text = require('node:fs').readFileSync('courses.ics', 'utf8')
const window = new Window({ url: 'http://localhost/' })
const names = ['document', 'Node', 'Element', 'HTMLElement', 'Event', 'CustomEvent', 'getComputedStyle']
Object.assign(globalThis, { window, ...Object.fromEntries(names.map(name => [name, window[name]])) })
globalThis.fetch = async () => new Response(text)
const { Calendar } = require('@fullcalendar/core')
const plugins = [require('@fullcalendar/icalendar').default, require('@fullcalendar/list').default]
const events = { url: 'http://localhost/courses.ics', format: 'ics' }
const calendar = new Calendar(window.document.body, { plugins, events, initialView: 'listMonth', initialDate: '2026-10-01' })
calendar.render()
setTimeout(() => {
  const shown = calendar.getEvents().map(({ title, start }) => `${title} ${start.toTimeString().slice(0, 5)}`)
  console.log(process.env.TZ, ...shown.sort())
  process.exit()
}, 500)
JS
npm ls | tail -n +2
found=$(for zone in Europe/Berlin Europe/London America/New_York; do TZ=$zone node read.cjs; done)
echo "$found"
[ "$found" = 'Europe/Berlin utc 18:00 zone 18:00
Europe/London utc 17:00 zone 18:00
America/New_York utc 12:00 zone 18:00' ]
