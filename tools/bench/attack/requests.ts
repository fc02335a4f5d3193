import fc from 'fast-check'
import * as v from 'valibot'
import { endpoints } from '../../../contract/endpoints.ts'
import {
  fillPath,
  hostileJson,
  hostileNumber,
  hostileText,
  hostileValue,
  LEAK,
} from '../../../contract/test/hostile.ts'
import { failure } from '../../../contract/values.ts'
import type { Target } from './fixture.ts'
import { type AttackResult, createAttackResult } from './report.ts'

const AT_ONCE = 32
const FIELDS = [
  'id',
  'courseId',
  'courseDateId',
  'webUserId',
  'changeState',
  'changeId',
  'changedAt',
  'isCompleted',
  'email',
  'password',
  'confirmPassword',
  'userName',
  'keepSession',
  'token',
  'employeeStatus',
  'billingType',
  'message',
]
const body = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), hostileValue, { maxKeys: 8 }).map(o => JSON.stringify(o)),
  },
  { weight: 2, arbitrary: hostileValue.map(value => JSON.stringify(value)) },
  { weight: 1, arbitrary: hostileJson },
)
/**
 * Endpoints excluded from fuzzing: logins are rate-limited, and a logout would end the sessions that other cases use.
 */
const LEFT_OUT = ['login', 'logout', 'endOtherSessions', 'endSession', 'deleteAccount', 'changePassword']

/**
 * Fuzz test: sends generated requests to every endpoint as foreign users. Nothing may crash or leak, and all responses
 * must match the schema.
 */
export async function fuzzEndpoints(target: Target, count: number, seed: number): Promise<AttackResult> {
  const { outcome, note } = createAttackResult(`generated requests, seed ${seed}`)
  const calls = Object.entries(endpoints).filter(([name]) => !LEFT_OUT.includes(name))
  const tokens = [undefined, 'unknown', target.people.stranger.token, target.people.external.token]
  const request = fc.record({
    call: fc.constantFrom(...calls),
    token: fc.constantFrom(...tokens),
    parts: fc.array(fc.oneof(hostileText, hostileNumber.map(String)), { minLength: 2, maxLength: 2 }),
    query: fc.dictionary(fc.constantFrom('view', 'sessionToken', 'x'), hostileText, { maxKeys: 2 }),
    body,
  })
  const samples = fc.sample(request, { numRuns: count, seed })
  const one = async ({ call: [name, endpoint], token, parts, query, body }: (typeof samples)[number]) => {
    const path = fillPath(endpoint.path, parts)
    const search = new URLSearchParams(
      Object.entries(query).map(([key, words]): [string, string] => [key, words.toWellFormed().slice(0, 2_000)]),
    )
    const response = await fetch(`${target.portal.url}${path.slice(0, 6_000)}?${search}`, {
      method: endpoint.method,
      headers: {
        'Content-Type': 'application/json',
        Cookie: 'XSRF-TOKEN=a',
        'X-XSRF-TOKEN': 'a',
        ...(token && { SessionToken: token }),
      },
      ...(endpoint.method !== 'GET' && { body }),
    })
    const answer = Buffer.from(await response.arrayBuffer()).toString('utf8')
    const at = `${name} ${path.slice(0, 80)} ${body.slice(0, 120)}`
    if (response.status >= 500 && response.status !== 503) return note(`${at}: ${response.status}`)
    // These endpoints are exempt: the API description names the implementation on purpose.
    if (name !== 'getOpenApi' && name !== 'getDocs' && LEAK.test(answer)) return note(`${at}: ${answer.slice(0, 120)}`)
    if (response.status >= 400) {
      const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
      return note(isJson && v.is(failure, JSON.parse(answer)) ? null : `${at}: ${response.status} in another form`)
    }
    note(null)
  }
  const workers = Array.from({ length: AT_ONCE }, async (_, worker) => {
    for (let index = worker; index < samples.length; index += AT_ONCE) {
      const sample = samples[index]
      if (sample) await one(sample).catch((error: Error) => note(`${sample.call[0]}: ${error.message}`))
    }
  })
  await Promise.all(workers)
  return outcome
}
