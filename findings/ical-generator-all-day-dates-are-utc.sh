#!/usr/bin/env bash
# ical-generator 11.1.2, checked with ical.js 2.2.1.
# Expected: an all-day event that starts at local midnight is written as that day.
# Seen: DTSTART;VALUE=DATE is cut from the UTC form of the Date, whatever the process's zone: midnight of 1 May in Berlin
#   becomes 30 April. Events with a time are right at once, so a test of these shows nothing; east of Greenwich every
#   all-day event (holiday, closing, absence) is a day early, west of it none.
# Matters: closed halls and absences that span whole days. Right: pass Date.UTC(year, month, day).
# Source: README of ical-generator, "Date, Time & Timezones" (says UTC for times, nothing of days).
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund ical-generator@11.1.2 ical.js@2.2.1
cat > run.mjs <<'JS'
import ical from 'ical-generator'
import ICAL from 'ical.js'
const dayOf = start => {
  const calendar = ical({ name: 'x' })
  calendar.createEvent({ id: '1', start, allDay: true, summary: 'Closed', stamp: new Date(0) })
  return new ICAL.Component(ICAL.parse(calendar.toString())).getFirstSubcomponent('vevent').getFirstPropertyValue('dtstart').toString()
}
const local = dayOf(new Date(2026, 4, 1)), utc = dayOf(new Date(Date.UTC(2026, 4, 1)))
console.log(`zone ${process.env.TZ}: local midnight of 1 May 2026 is written as ${local}, UTC midnight as ${utc}`)
process.exit(local === '2026-04-30' && utc === '2026-05-01' ? 0 : 1)
JS
TZ=Europe/Berlin node run.mjs
