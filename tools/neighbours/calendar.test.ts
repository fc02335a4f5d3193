import ICAL from 'ical.js'
import { convertIcsCalendar } from 'ts-ics'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { createWorld } from '../../server/test/samples.ts'
import { openTestServer } from '../../server/test/server.ts'

const server = await openTestServer()
const world = await createWorld(server.db)
const calendars = Object.entries<Endpoint>(endpoints).filter(
  ([, { response }]) => response !== null && 'file' in response && response.file.startsWith('text/calendar'),
)

test('there are at least three calendar endpoints', () => expect(calendars.length).toBeGreaterThanOrEqual(3))

test.each(calendars)('two parsers return the same events for %s', async (name, endpoint) => {
  const { token } = name === 'getCourseCalendar' ? world.participant : world.callerOf(endpoint)
  const { status, body } = await server.request(endpoint, { ...world.samples[name], token } as object)
  expect(status).toBe(200)
  const text = Buffer.from(body as Uint8Array).toString('utf8')
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const first = new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map(event => new ICAL.Event(event))
    .map(({ uid, summary, startDate }) => `${uid} ${summary} ${startDate.toJSDate().toISOString()}`)
  const second = (convertIcsCalendar(undefined, text).events ?? []).map(
    ({ uid, summary, start }) => `${uid} ${summary} ${start.date.toISOString()}`,
  )
  expect(first.length).toBeGreaterThan(0)
  expect(second.sort()).toEqual(first.sort())
})
