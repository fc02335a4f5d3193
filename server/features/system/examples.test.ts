import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { ACTS, actBody } from '#contract/acts/acts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { keysOf } from '#contract/records.ts'
import { RIGHTS } from '#contract/rights.ts'
import { prepareAct } from '#server/test/act-samples.ts'
import { insertSession } from '#server/test/factories.ts'
import { openTestDesk } from '#server/test/office.ts'
import { createWorld } from '#server/test/samples.ts'
import { openTestServer } from '#server/test/server.ts'
import { EXAMPLES, type Example } from './openapi-model.ts'

/** Operations without an example: the response is the API description or empty, or the object does not exist. */
const WITHOUT = ['getOpenApi', 'endSession', 'removePasskey']
const all = Object.entries<Endpoint>(endpoints)
const schemaOf = ({ response }: Endpoint) => (response !== null && !('file' in response) ? response : null)

/** Shortens a response: one item per list, long texts truncated, names of the operator replaced. */
function shorten(value: unknown, names: string[]): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(inner => shorten(inner, names))
  if (typeof value === 'string') {
    const short = value.length > 300 ? `${value.slice(0, 100)}…` : value
    return names.reduce((text, name) => text.replaceAll(name, 'Example'), short)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner, names)]))
}

/** Records the examples of all operations on a separate server. */
async function record(): Promise<Record<string, Example>> {
  const server = await openTestServer()
  const { portalName, groupName } = server.context.config.branding
  const world = await createWorld(server.db)
  const office = await openTestDesk(server, RIGHTS)
  const acts: Record<string, Record<string, unknown>> = {}
  // Actions are performed first, so that lists have rows.
  for (const kind of keysOf(ACTS)) {
    const sample = await prepareAct(server, kind, office.act)
    if (!sample) throw new Error(`${kind} has no sample`)
    acts[kind] = { actId: randomUUID(), ...sample.act, preview: true }
    await office.act(sample.act)
  }
  const examples: Record<string, Example> = {}
  for (const [name, endpoint] of all) {
    const { params, query, body } = world.samples[name] ?? {}
    const token = await insertSession(server.db, world.callerOf(endpoint).id)
    const answer = await server.request(endpoint, { ...world.samples[name], token, language: 'en' } as object)
    const hasAnswer = schemaOf(endpoint) && answer.status === 200 && !WITHOUT.includes(name)
    examples[name] = {
      ...(params && { params }),
      ...(query && { query }),
      ...(body && { request: body }),
      ...(name === 'performAct' && { acts }),
      ...(hasAnswer && { response: shorten(answer.body, [portalName, groupName]) }),
    }
  }
  return examples
}

// To record the examples again: WRITE_EXAMPLES=1 node node_modules/vitest/vitest.mjs run --project server server/features/system/examples.test.ts
if (process.env.WRITE_EXAMPLES)
  await writeFile(
    new URL('../../../contract/examples.json', import.meta.url),
    `${JSON.stringify(await record(), null, 1)}\n`,
  )

describe.each(all)('%s', (name, endpoint) => {
  const { params, request, response } = EXAMPLES[name] ?? {}
  test('has a request that the contract accepts', () => {
    if (endpoint.params) expect(v.is(endpoint.params, stringsOf(params))).toBe(true)
    if (endpoint.body) expect(v.is(endpoint.body, request)).toBe(true)
  })

  test('has an answer as the contract describes it, without other fields', () => {
    const schema = schemaOf(endpoint)
    if (schema === null || WITHOUT.includes(name)) return
    expect(v.parse(schema, response)).toEqual(response)
  })
})
const stringsOf = (params: Example['params'] = {}) =>
  Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]))

test('each kind of action has an example that the contract accepts', () => {
  const { acts = {} } = EXAMPLES.performAct ?? {}
  expect(Object.keys(acts)).toEqual(Object.keys(ACTS))
  for (const [kind, body] of Object.entries(acts)) expect([kind, v.is(actBody, body)]).toEqual([kind, true])
})

test('no operation is described that does not exist', () => {
  expect(Object.keys(EXAMPLES)).toEqual(Object.keys(endpoints))
})
