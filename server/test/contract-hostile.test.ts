// @module-tag extended
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { ACTS } from '#contract/acts/acts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { performAct } from '#contract/office/office.ts'
import { entriesOf } from '#contract/records.ts'
import {
  fillPath,
  hostileJson,
  hostileNumber,
  hostileText,
  hostileValue,
  LEAK,
  unstorableCopies,
} from '#contract/test/hostile.ts'
import { failure, RIGHTS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { COSTLY_CALL_LIMIT } from '#server/platform/throttle/token-buckets.ts'
import { prepareAct } from './act-samples.ts'
import { insertSession, insertUserWithSession } from './factories.ts'
import { insertOfficer, openTestDesk } from './office.ts'
import { createWorld } from './samples.ts'
import { openTestServer } from './server.ts'

const server = await openTestServer()
// Ensures that arbitrary numbers are not ids of the callers.
await server.db.execute(sql`alter table web_users alter column id restart with 1600000000`)
const world = await createWorld(server.db)
const office = await openTestDesk(server, RIGHTS)

const SENTINEL = 'Sentinel-Pass-77'

/** A valid body in which some fields are replaced or missing, or to which others are added. */
const nearValid = (body: Record<string, unknown>) =>
  fc
    .record({
      // If the body has no fields, only unknown ones are added.
      exchanged: fc.dictionary(fc.constantFrom('id', ...Object.keys(body)), hostileValue, { maxKeys: 3 }),
      left: fc.subarray(Object.keys(body)),
      added: fc.dictionary(fc.oneof(hostileText, fc.constantFrom('[object Object]', 'id', 'isAdmin')), hostileValue, {
        maxKeys: 2,
      }),
      isLeaving: fc.boolean(),
    })
    .map(({ exchanged, left, added, isLeaving }) => {
      const kept = isLeaving ? Object.entries(body).filter(([name]) => !left.includes(name)) : Object.entries(body)
      return JSON.stringify(Object.fromEntries([...kept, ...Object.entries(exchanged), ...Object.entries(added)]))
    })

const hostileBody = (body: Record<string, unknown>) =>
  fc.oneof(
    { weight: 6, arbitrary: nearValid(body) },
    { weight: 2, arbitrary: hostileValue.map(value => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileText },
    { weight: 1, arbitrary: hostileJson },
  )

async function expectDecent(response: Response): Promise<void> {
  const text = await response.text()
  expect(response.status).toBeLessThan(500)
  expect(text).not.toMatch(LEAK)
  expect(text).not.toContain(SENTINEL)
  if (response.status >= 400) {
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(v.is(failure, JSON.parse(text))).toBe(true)
  }
}

/** Names of the fields that a schema declares. */
const namesIn = (schema: Endpoint['body']): string[] =>
  schema && 'entries' in schema && schema.entries instanceof Object ? Object.keys(schema.entries) : []

async function expectRefused(response: Response): Promise<void> {
  expect(response.status).toBe(400)
  await expectDecent(response)
}

const withBody = entriesOf<Record<string, Endpoint>>(endpoints).filter(([, { body }]) => body)
const RUNS = 100
const runsOf = ({ isCostly }: Endpoint) => (isCostly ? COSTLY_CALL_LIMIT.burst : RUNS)
/** Callers of costly endpoints are new, because all costly requests of a person share a limit. */
const callerOf = async (endpoint: Endpoint) => {
  if (!endpoint.isCostly || endpoint.access === 'instructor') return world.callerOf(endpoint)
  return endpoint.access === 'office' ? insertOfficer(server, RIGHTS) : insertUserWithSession(server.db)
}
/** There are many kinds of actions, but a single endpoint accepts all of them. */
const ACT_RUNS = 50

test.each(withBody)('%s responds correctly to any body', { timeout: 120_000 }, async (name, endpoint) => {
  const sample = world.samples[name]?.body ?? {}
  const { id } = await callerOf(endpoint)
  await fc.assert(
    fc.asyncProperty(hostileBody(sample), async body => {
      // Each call has its own session, because logging out, a new password and the deletion of an account end it.
      const token = await insertSession(server.db, id)
      const response = await server.app.request(endpoint.path, {
        method: endpoint.method,
        headers: { 'Content-Type': 'application/json', SessionToken: token },
        body,
      })
      if (endpoint.isCostly) expect(response.status).not.toBe(429)
      await expectDecent(response)
    }),
    { numRuns: runsOf(endpoint) },
  )
})

test.each(entriesOf(ACTS).map(([kind]) => kind))(
  'the action %s responds correctly to any body',
  { timeout: 120_000 },
  async kind => {
    const sample = await prepareAct(server, kind, office.act)
    await fc.assert(
      fc.asyncProperty(nearValid({ actId: randomUUID(), preview: true, ...sample.act }), async body => {
        const headers = { 'Content-Type': 'application/json', SessionToken: office.token }
        await expectDecent(await server.app.request(performAct.path, { method: performAct.method, headers, body }))
      }),
      { numRuns: ACT_RUNS },
    )
  },
)

const withAddress = entriesOf<Record<string, Endpoint>>(endpoints).filter(([, { params, query }]) => params || query)

test.each(withAddress)('%s responds correctly to any path', { timeout: 120_000 }, async (_, endpoint) => {
  const caller = await callerOf(endpoint)
  const parts = fc.array(fc.oneof(hostileText, hostileNumber.map(String)), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(
      parts,
      fc.dictionary(fc.constantFrom('sessionToken', 'x', ...namesIn(endpoint.query)), hostileText),
      async (texts, query) => {
        const search = new URLSearchParams(
          Object.entries(query).map(([key, value]): [string, string] => [key, value.toWellFormed().slice(0, 3_000)]),
        )
        const path = fillPath(endpoint.path, texts).slice(0, 8_000)
        const headers = { SessionToken: caller.token }
        const response = await server.app.request(`${path}?${search}`, { method: endpoint.method, headers })
        if (endpoint.isCostly) expect(response.status).not.toBe(429)
        await expectDecent(response)
      },
    ),
    { numRuns: runsOf(endpoint) },
  )
})

test.each(withBody)('%s rejects texts that the database cannot store', async (name, endpoint) => {
  const sample = world.samples[name]?.body ?? {}
  for (const body of unstorableCopies(sample, namesIn(endpoint.body))) {
    const headers = { 'Content-Type': 'application/json', SessionToken: world.callerOf(endpoint).token }
    const { path, method } = endpoint
    await expectRefused(await server.app.request(path, { method, headers, body: JSON.stringify(body) }))
  }
})

test.each(entriesOf(ACTS))('the action %s rejects texts that the database cannot store', async (kind, { fields }) => {
  const { act } = await prepareAct(server, kind, office.act)
  const sample = { actId: randomUUID(), ...act, preview: true }
  for (const body of unstorableCopies(sample, [...Object.keys(fields), 'reason'])) {
    const headers = { 'Content-Type': 'application/json', SessionToken: office.token }
    const { path, method } = performAct
    await expectRefused(await server.app.request(path, { method, headers, body: JSON.stringify(body) }))
  }
})

test.each(withAddress)('%s rejects an address with NUL', async (name, endpoint) => {
  const { params = {}, query = {} } = world.samples[name] ?? {}
  const caller = await callerOf(endpoint)
  const headers = { SessionToken: caller.token }
  const send = async (sent: Record<string, unknown>, search: Record<string, string>) => {
    const path = endpoint.path.replace(/:(\w+)/g, (_, key) => encodeURIComponent(String(sent[key]).toWellFormed()))
    const address = `${path}?${new URLSearchParams(search)}`
    await expectRefused(await server.app.request(address, { method: endpoint.method, headers }))
  }
  for (const key of Object.keys(params)) await send({ ...params, [key]: `\0${params[key]}` }, query)
  for (const key of namesIn(endpoint.query)) await send(params, { ...query, [key]: `\0${query[key] ?? ''}` })
})

test('headers with any content are harmless', async () => {
  const header = fc.string({ maxLength: 300 }).map(text => text.replace(/[^\x20-\x7e]/g, ''))
  await fc.assert(
    fc.asyncProperty(header, header, header, async (language, token, cookie) => {
      const headers = { 'Accept-Language': language, SessionToken: token, Cookie: cookie, 'If-None-Match': token }
      await expectDecent(await server.app.request('/api/season', { headers }))
      await expectDecent(await server.app.request('/api/course/session', { headers }))
    }),
    { numRuns: RUNS },
  )
})
