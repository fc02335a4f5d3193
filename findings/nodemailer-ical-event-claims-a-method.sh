#!/usr/bin/env bash
# nodemailer 10.6.0, option icalEvent; read back with postal-mime 4.0.0.
# Expected: a calendar file without METHOD is sent as it is; leaving the option `method` out (or empty) claims none.
# Seen: the alternative part always says "text/calendar; method=PUBLISH", although the file has no METHOD property: RFC 6047
#   (section 2.4) wants both to agree. There is no value of `method` that leaves it out. The second copy, the attachment,
#   is "application/ics", a media type that is not registered (RFC 5545 registers text/calendar).
# Matters: mail programs that honour the parameter treat lessons of a course as somebody's published event; servers that
#   check iTIP refuse PUBLISH without an ORGANIZER. A plain attachment with contentType "text/calendar" has neither fault.
# Source: nodemailer.com, "Calendar events"; RFC 6047 §2.4; RFC 5545 §8.1.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund nodemailer@10.6.0 postal-mime@4.0.0
cat > run.mjs <<'JS'
import nodemailer from 'nodemailer'
import PostalMime from 'postal-mime'
const content = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nEND:VCALENDAR\r\n'
const transport = nodemailer.createTransport({ streamTransport: true, buffer: true })
const typesOf = async options => {
  const { message } = await transport.sendMail({ from: 'a@example.org', to: 'b@example.org', text: 'Lessons', ...options })
  const lines = message.toString().match(/^Content-Type: (?:text\/calendar|application\/ics)[^\r\n]*/gm) ?? []
  const { attachments } = await PostalMime.parse(message)
  return { lines, attachments: attachments.length }
}
const event = await typesOf({ icalEvent: { filename: 'lessons.ics', content } })
const empty = await typesOf({ icalEvent: { method: '', filename: 'lessons.ics', content } })
const plain = await typesOf({ attachments: [{ filename: 'lessons.ics', contentType: 'text/calendar; charset=utf-8', content }] })
console.log('icalEvent:', event, "\nwith method '':", empty, '\nplain attachment:', plain)
const claims = ({ lines }) => lines.some(line => line.includes('method=PUBLISH')) && lines.some(line => line.includes('application/ics'))
process.exit(claims(event) && claims(empty) && !plain.lines.some(line => /method|application\/ics/.test(line)) ? 0 : 1)
JS
node run.mjs
