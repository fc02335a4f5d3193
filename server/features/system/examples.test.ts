import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { ACTS, type ActKind, actBody } from '#contract/acts/acts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { listDivisions } from '#contract/endpoints/accounts.ts'
import { endpoints } from '#contract/endpoints.ts'
import { keysOf } from '#contract/records.ts'
import { RIGHTS } from '#contract/values.ts'
import { prepareAct } from '#server/test/act-samples.ts'
import { insertSession } from '#server/test/factories.ts'
import { openTestDesk } from '#server/test/office.ts'
import { createWorld } from '#server/test/samples.ts'
import { openTestServer } from '#server/test/server.ts'
import { EXAMPLES, type Example } from './openapi-model.ts'

/** Operations without an example: the response is the API description or empty, or the object does not exist. */
const WITHOUT = ['getOpenApi', 'endSession', 'removePasskey']
const RECORD = 'run WRITE_EXAMPLES=1 npm run unit -- server/features/system/examples.test.ts'

const all = Object.entries<Endpoint>(endpoints)
const kinds = keysOf(ACTS)
const schemaOf = ({ response }: Endpoint) => (response !== null && !('file' in response) ? response : null)

const stringsOf = (params: Example['params'] = {}) =>
  Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]))

/** Whether the contract accepts the request, and describes the response without further fields. */
function isValid(name: string, endpoint: Endpoint, { params, request, response }: Example): boolean {
  if (endpoint.params && !v.is(endpoint.params, stringsOf(params))) return false
  if (endpoint.body && !v.is(endpoint.body, request)) return false
  const schema = schemaOf(endpoint)
  if (schema === null || WITHOUT.includes(name)) return true
  const parsed = v.safeParse(schema, response)
  return parsed.success && isEqual(parsed.output, response)
}

function isEqual(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other)
    return true
  } catch {
    return false
  }
}

/** Names examples of `examples` that are missing, invalid, or belong to no operation or act of the contract. */
function findProblems(examples: Readonly<Record<string, Example>>): string[] {
  const { acts = {} } = examples.performAct ?? {}
  const describeProblem = (name: string, example: unknown, isGood: boolean) => {
    if (isGood) return []
    return example ? [`the example of ${name} does not match the contract`] : [`no example of ${name}`]
  }
  const isUnknown = (name: string) => !(name in endpoints) && !(name in ACTS)
  return [
    ...all.flatMap(([name, endpoint]) => {
      const example = examples[name]
      return describeProblem(name, example, example !== undefined && isValid(name, endpoint, example))
    }),
    ...kinds.flatMap(kind => describeProblem(kind, acts[kind], v.is(actBody, acts[kind]))),
    ...[...Object.keys(examples), ...Object.keys(acts)].filter(isUnknown).map(name => `${name} no longer exists`),
  ]
}

/** Shortens a response: one item per list, long texts truncated, names of the operator replaced. */
function shorten(value: unknown, names: string[]): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(inner => shorten(inner, names))
  if (typeof value === 'string') {
    const short = value.length > 300 ? `${value.slice(0, 100)}…` : value
    return names.reduce((text, name) => text.replaceAll(name, 'Example'), short)
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner, names)]))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Records the examples of all operations on a separate server. */
async function record(): Promise<Record<string, Example>> {
  const server = await openTestServer()
  const { portalName, groupName } = server.context.config.branding
  const world = await createWorld(server.db)
  const office = await openTestDesk(server, RIGHTS)
  const acts: Record<string, Record<string, unknown>> = {}
  // Actions are performed first, so that lists have rows.
  for (const kind of kinds) {
    const sample = await prepareAct(server, kind, office.act)
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

/** Combines two versions of a value: the fields of `fresh`, with the values of `recorded` where it has the field. */
function mergeValues(recorded: unknown, fresh: unknown): unknown {
  if (Array.isArray(recorded) && Array.isArray(fresh))
    return recorded.length > 0 && fresh.length > 0 ? [mergeValues(recorded[0], fresh[0])] : fresh
  if (!isRecord(recorded) || !isRecord(fresh)) return recorded === undefined ? fresh : recorded
  return Object.fromEntries(Object.entries(fresh).map(([key, value]) => [key, mergeValues(recorded[key], value)]))
}

/** Replaces what is missing or invalid among the recorded examples, and nothing else, so that changes stay readable. */
function mergeExamples(recorded: Readonly<Record<string, Example>>, fresh: Record<string, Example>) {
  const actOf = (kind: ActKind) => {
    const known = recorded.performAct?.acts?.[kind]
    return v.is(actBody, known) ? known : fresh.performAct?.acts?.[kind]
  }
  const merged = all.map(([name, endpoint]) => {
    const [known, made = {}] = [recorded[name], fresh[name]]
    if (known && isValid(name, endpoint, known)) return [name, known]
    const both = mergeValues(known, made) as Example
    return [name, isValid(name, endpoint, both) ? both : made]
  })
  const examples: Record<string, Example> = Object.fromEntries(merged)
  // Sorted, so that acts moved in the contract move no lines here.
  const acts = Object.fromEntries([...kinds].sort().map(kind => [kind, actOf(kind)]))
  return { ...examples, performAct: { ...examples.performAct, acts } } as Record<string, Example>
}

if (process.env.WRITE_EXAMPLES && findProblems(EXAMPLES).length > 0) {
  const file = fileURLToPath(new URL('../../../contract/examples.json', import.meta.url))
  const examples = mergeExamples(EXAMPLES, await record())
  await writeFile(file, `${JSON.stringify(examples, null, 2)}\n`)
  execFileSync('npx', ['biome', 'format', '--write', file], { shell: process.platform === 'win32' })
  Object.assign(EXAMPLES, examples)
}

test('each operation and each act has an example that the contract accepts', () => {
  const problems = findProblems(EXAMPLES).map(problem => `contract/examples.json: ${problem}: ${RECORD}`)
  expect(problems.join('\n')).toBe('')
})

test('recording adds a missing act, operation and field, and changes no other line', () => {
  const { register: _register, ...operations } = EXAMPLES
  const { [kinds[0] ?? '']: _first, ...acts } = EXAMPLES.performAct?.acts ?? {}
  const { name: _name, ...division } = v.parse(listDivisions.response, EXAMPLES.listDivisions?.response)[0] ?? {}
  const recorded = {
    ...operations,
    listDivisions: { response: [division] },
    performAct: { ...EXAMPLES.performAct, acts } as Example,
  }
  expect(findProblems(recorded)).toEqual([
    'the example of listDivisions does not match the contract',
    'no example of register',
    `no example of ${kinds[0]}`,
  ])
  const fresh = { ...EXAMPLES, listDivisions: { response: [{ ...division, id: 17, name: 'Neu' }] } }
  const merged = mergeExamples(recorded, { ...fresh, getCourse: { params: { id: 17 } } })
  expect(merged).toEqual({ ...EXAMPLES, listDivisions: { response: [{ ...division, name: 'Neu' }] } })
  expect(Object.keys(merged)).toEqual(Object.keys(endpoints))
  const actsOf = ({ performAct }: Record<string, Example>) => Object.keys(performAct?.acts ?? {})
  expect(actsOf(merged)).toEqual(actsOf(EXAMPLES))
})
