import { spawnSync } from 'node:child_process'
import ICAL from 'ical.js'
import { convertIcsCalendar } from 'ts-ics'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { createWorld } from '../../server/test/samples.ts'
import { openTestServer } from '../../server/test/server.ts'
import { hasModule, PYTHON } from './programs.ts'

const server = await openTestServer()
const world = await createWorld(server.db)
const calendars = Object.entries<Endpoint>(endpoints).filter(
  ([, { response }]) => response !== null && 'file' in response && response.file.startsWith('text/calendar'),
)

test('there are at least three calendar endpoints', () => expect(calendars.length).toBeGreaterThanOrEqual(3))

const read = (library: 'icalendar' | 'vobject', text: string): string[] => {
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', PARSERS[library]], { input: text, encoding: 'utf8' })
  if (stderr) throw new Error(stderr)
  return JSON.parse(stdout)
}
const OUTPUT = `
import json, sys
from datetime import date, datetime, timezone
def line(uid, summary, at):
    at = at if isinstance(at, datetime) else datetime(at.year, at.month, at.day, tzinfo=timezone.utc)
    return f"{uid} {summary} {at.astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.000Z')}"
text = sys.stdin.buffer.read().decode()`
const PARSERS = {
  icalendar: `${OUTPUT}
from icalendar import Calendar
print(json.dumps([line(e['uid'], e['summary'], e['dtstart'].dt) for e in Calendar.from_ical(text).walk('vevent')]))`,
  vobject: `${OUTPUT}
import vobject
print(json.dumps([line(e.uid.value, e.summary.value, e.dtstart.value) for e in vobject.readOne(text).vevent_list]))`,
}
/** libical's check of a calendar against the restrictions of RFC 5545 and 5546; the errors that it finds. */
const LIBICAL = `
import ctypes, sys
ical = ctypes.CDLL('libical.so.3')
for name in ('icalparser_parse_string', 'icalcomponent_as_ical_string'):
    getattr(ical, name).restype = ctypes.c_void_p
for name, types in (('icalrestriction_check', [ctypes.c_void_p]), ('icalcomponent_as_ical_string', [ctypes.c_void_p]), ('icalparser_parse_string', [ctypes.c_char_p])):
    getattr(ical, name).argtypes = types
parsed = ical.icalparser_parse_string(sys.stdin.buffer.read())
isValid = parsed and ical.icalrestriction_check(parsed)
text = ctypes.string_at(ical.icalcomponent_as_ical_string(parsed)).decode() if parsed else 'not parsed'
errors = [line for line in text.replace('\\r\\n ', '').split('\\r\\n') if line.startswith('X-LIC-ERROR')]
print('\\n'.join(errors) or ('' if isValid else 'invalid'))`
const hasLibical = hasModule("ctypes; ctypes.CDLL('libical.so.3')")
if (!hasLibical) console.log('Skipped: there is no libical')
const checkWithLibical = (text: string) => {
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', LIBICAL], { input: text, encoding: 'utf8' })
  return `${stdout}${stderr}`.trim()
}

test.skipIf(!hasLibical)('libical finds an ORGANIZER missing in a calendar with METHOD', () => {
  const event =
    'BEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20261124T100000Z\r\nDTSTART:20261124T100000Z\r\nSUMMARY:a\r\nEND:VEVENT'
  const calendarWith = (method: string) =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:a\r\n${method}${event}\r\nEND:VCALENDAR\r\n`
  expect(checkWithLibical(calendarWith(''))).toBe('')
  expect(checkWithLibical(calendarWith('METHOD:PUBLISH\r\n'))).toContain('ORGANIZER')
})

for (const library of ['icalendar', 'vobject'] as const)
  if (!hasModule(library)) console.log(`Skipped: Python has no ${library}`)

test.each(calendars)('four parsers return the same events for %s', async (name, endpoint) => {
  const { token } = name === 'getCourseCalendar' ? world.participant : world.callerOf(endpoint)
  const { status, body } = await server.request(endpoint, { ...world.samples[name], token } as object)
  expect(status).toBe(200)
  const text = Buffer.from(body as Uint8Array).toString('utf8')
  expect(text).toMatch(/\r\nEND:VCALENDAR\r\n$/)
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  if (hasLibical) expect(checkWithLibical(text)).toBe('')
  const first = new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map(event => new ICAL.Event(event))
    .map(({ uid, summary, startDate }) => `${uid} ${summary} ${startDate.toJSDate().toISOString()}`)
  const second = (convertIcsCalendar(undefined, text).events ?? []).map(
    ({ uid, summary, start }) => `${uid} ${summary} ${start.date.toISOString()}`,
  )
  expect(first.length).toBeGreaterThan(0)
  expect(second.sort()).toEqual(first.sort())
  for (const library of ['icalendar', 'vobject'] as const)
    if (hasModule(library)) expect(read(library, text).sort(), library).toEqual(first)
})
