#!/usr/bin/env bash
# FullCalendar 6.1.21 with its plugin icalendar (npm, happy-dom 21.0.4), calcurse 4.7.1 and Emacs 28.2 (Debian) beside khal 0.10.5
# Expected: an event with STATUS:CANCELLED is struck through, named cancelled or left out.
# Actual: FullCalendar, calcurse and Emacs show it like any other. FullCalendar passes title, link, place, organizer and
# description on, so that the page cannot tell it apart either. khal writes CANCELLED before it.
# Source: RFC 5545, 3.8.1.11 (STATUS); buildNonDateProps in @fullcalendar/icalendar, "iCalendar Event Source" of
# fullcalendar.io; icalendar.el of Emacs (only SUMMARY, times and the configured fields are imported).
# Why it matters: the standard has the property for exactly this, and a test with a program that knows it is green. People who
# see the course calendar on an intranet page stand before a closed hall. The title has to say it, too.
set -euo pipefail
for program in calcurse khal emacs; do
  command -v "$program" >/dev/null || apt-get install -y -qq --no-install-recommends "${program/emacs/emacs-nox}" >/dev/null
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts \
  @fullcalendar/core@6.1.21 @fullcalendar/icalendar@6.1.21 @fullcalendar/list@6.1.21 ical.js@1.5.0 happy-dom@21.0.4
mkdir calendar
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//x//x//EN BEGIN:VEVENT UID:yoga DTSTAMP:20261001T100000Z \
  DTSTART:20261012T160000Z DTEND:20261012T170000Z STATUS:CANCELLED SUMMARY:Yoga END:VEVENT END:VCALENDAR >calendar/yoga.ics
cat >read.cjs <<'JS'
const { Window } = require('happy-dom')
const text = require('node:fs').readFileSync('calendar/yoga.ics', 'utf8')
const window = new Window({ url: 'http://localhost/' })
const names = ['document', 'Node', 'Element', 'HTMLElement', 'Event', 'CustomEvent', 'getComputedStyle']
Object.assign(globalThis, { window, ...Object.fromEntries(names.map(name => [name, window[name]])) })
globalThis.fetch = async () => new Response(text)
const { Calendar } = require('@fullcalendar/core')
const plugins = [require('@fullcalendar/icalendar').default, require('@fullcalendar/list').default]
const events = { url: 'http://localhost/yoga.ics', format: 'ics' }
const calendar = new Calendar(window.document.body, { plugins, events, initialView: 'listMonth', initialDate: '2026-10-01' })
calendar.render()
setTimeout(() => {
  const row = window.document.querySelector('.fc-event')
  const told = [row.textContent, row.outerHTML, JSON.stringify(calendar.getEvents())].some(shown => /cancel/i.test(shown))
  console.log('FullCalendar:', row.querySelector('.fc-list-event-title').textContent, told ? 'with a sign' : 'without a sign')
  process.exit()
}, 500)
JS
cat >khal.conf <<EOT
[calendars]
[[courses]]
path = $folder/calendar
[locale]
local_timezone = UTC
default_timezone = UTC
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
[sqlite]
path = $folder/khal.db
EOT
npm ls | tail -n +2
calcurse --version | head -n 1
emacs --version | head -n 1
khal --version
export TZ=UTC HOME=$folder
calcurse --quiet -D "$folder/calcurse" -i calendar/yoga.ics >/dev/null
emacs --batch -Q --eval "(progn (require 'icalendar) (icalendar-import-file \"calendar/yoga.ics\" \"$folder/diary\"))" 2>/dev/null
found=$(
  node read.cjs
  sed 's/^/calcurse: /' calcurse/apts
  sed 's/^/Emacs: /' diary
  khal -c khal.conf list 2026-10-12 1d | sed -n 's/^.*Yoga/khal: &/p'
)
echo "$found"
[ "$found" = 'FullCalendar: Yoga without a sign
calcurse: 10/12/2026 @ 16:00 -> 10/12/2026 @ 17:00|Yoga
Emacs: 10/12/2026 16:00-17:00 Yoga
khal: CANCELLED 16:00-17:00 Yoga' ]
