#!/usr/bin/env bash
# node-ical 0.26.1 (npm), icalendar 2.8.0 (Debian ruby-icalendar) and icalendar 4.0.3 (Debian python3-icalendar) beside
# ical.js 2.2.1, ts-ics 2.4.6 (npm) and vobject 0.9.6.1 (Debian python3-vobject)
# Expected: LOCATION:\\\\server\\notes\\new is the text \\server\notes\new: a doubled backslash stands for one.
# Actual: node-ical and Ruby's icalendar find \n in it first and put line breaks into the words; Python's icalendar loses one
# of the two leading backslashes besides. The other three are right. Only a backslash before n or N is hit, so that tests
# with \\, or \\; show nothing.
# Source: RFC 5545, 3.3.11 (TEXT); node-ical's text() in ical.js, Ruby's Icalendar::Values::Text and Python's unescape_char
# replace one escape after the other instead of reading from left to right.
# Why it matters: rooms of companies name shared folders (\\server\notes) or users (DOMAIN\nora) in their calendars. The
# entry is shown on three lines, and a link or a name taken from it is wrong; writing it again stores the damage.
set -euo pipefail
python=/usr/bin/python3
"$python" -c 'import icalendar, vobject' 2>/dev/null ||
  apt-get install -y -qq --no-install-recommends python3-icalendar python3-vobject >/dev/null
ruby -rstringio -e 'require "icalendar"' 2>/dev/null || apt-get install -y -qq --no-install-recommends ruby-icalendar >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent ical.js@2.2.1 node-ical@0.26.1 ts-ics@2.4.6
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//a//b//EN BEGIN:VEVENT UID:1@example.com DTSTAMP:20270101T000000Z \
  DTSTART:20270101T080000Z SUMMARY:Meeting 'LOCATION:\\\\server\\notes\\new' END:VEVENT END:VCALENDAR >event.ics
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'
const text = readFileSync('event.ics', 'utf8')
const event = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'))
console.log('ical.js', JSON.stringify(event.location))
console.log('ts-ics', JSON.stringify(convertIcsCalendar(undefined, text).events[0].location))
console.log('node-ical', JSON.stringify(Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT').location))
JS
cat >read.py <<'PY'
import json, icalendar, vobject
text = open('event.ics', newline='').read()
print('vobject', json.dumps(vobject.readOne(text).vevent.location.value))
print('icalendar (Python)', json.dumps(str(icalendar.Calendar.from_ical(text).walk('VEVENT')[0]['LOCATION'])))
PY
cat >read.rb <<'RUBY'
require 'stringio'
require 'json'
require 'icalendar'
puts "icalendar (Ruby) #{Icalendar::Calendar.parse(File.read('event.ics')).first.events[0].location.to_s.to_json}"
RUBY
npm ls | tail -n +2
dpkg-query -W python3-icalendar python3-vobject ruby-icalendar
found=$(node read.mjs; "$python" read.py; ruby read.rb)
echo "$found"
expected=$(cat <<'TEXT'
ical.js "\\\\server\\notes\\new"
ts-ics "\\\\server\\notes\\new"
node-ical "\\\\server\\\notes\\\new"
vobject "\\\\server\\notes\\new"
icalendar (Python) "\\server\notes\new"
icalendar (Ruby) "\\\\server\\\notes\\\new"
TEXT
)
[ "$found" = "$expected" ]
