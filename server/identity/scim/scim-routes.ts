import type { Context, Hono } from 'hono'
import { findService } from '#server/office/connections/repository.ts'
import { createClientIpResolver, networkOf } from '#server/platform/http/address.ts'
import { bearerTokenIn, hasBearerToken } from '#server/platform/http/headers.ts'
import { BearerProblem, bearerChallengeOf, HttpProblem } from '#server/platform/http/problems.ts'
import { readJsonBody } from '#server/platform/http/read-body.ts'
import { requireStorableText } from '#server/platform/http/storable-text.ts'
import { hashToken } from '#server/platform/http/token.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { createRateLimit } from '#server/platform/throttle/token-buckets.ts'
import { describeScimService, SCIM_SCHEMAS, SCIM_USER_RESOURCE_TYPE } from './scim-model.ts'
import type { StoredScimUser } from './scim-repository.ts'
import {
  ENTERPRISE_SCHEMA,
  parseScimFilter,
  parseScimPerson,
  patchScimPerson,
  SCIM_MESSAGE_SCHEMAS,
  ScimProblem,
  selectAttributes,
  USER_SCHEMA,
  userTypeOf,
} from './scim-rules.ts'
import { createScimService, type ScimClient } from './scim-service.ts'

const BASE = '/api/scim/v2'
const TYPE = 'application/scim+json'
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const MAX_BODY = 64 * 1024

const json = (body: object, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': TYPE, 'Cache-Control': 'private, no-store', ...headers },
  })
const refuse = (status: number, detail: string, scimType?: string, headers: Record<string, string> = {}) =>
  json(
    { schemas: [`${SCIM_MESSAGE_SCHEMAS}:Error`], status: String(status), ...(scimType && { scimType }), detail },
    status,
    headers,
  )
const listOf = (resources: object[], total = resources.length, startIndex = 1) => ({
  schemas: [`${SCIM_MESSAGE_SCHEMAS}:ListResponse`],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})
const whole = (text: string | undefined, otherwise: number) =>
  text && /^-?\d{1,9}$/.test(text) ? Number(text) : otherwise

/** User resource with the enterprise extension (RFC 7643, sections 4.1 and 4.3). */
const toUserResource = (person: StoredScimUser, location: string) => ({
  schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
  id: person.id,
  ...(person.externalId !== null && { externalId: person.externalId }),
  userName: person.userName,
  active: person.isActive,
  ...(person.employeeStatus !== null && { userType: userTypeOf(person.employeeStatus) }),
  [ENTERPRISE_SCHEMA]: {
    employeeNumber: person.personnelNumber,
    ...(person.division !== null && { division: person.division }),
  },
  meta: {
    resourceType: 'User',
    created: person.createdAt.toISOString(),
    lastModified: person.changedAt.toISOString(),
    location,
  },
})

/** Converts a refusal to an error response (RFC 7644, section 3.12). Rethrows all other errors. */
function toErrorResponse(error: unknown): Response {
  if (error instanceof ScimProblem) return refuse(error.status, error.message, error.scimType)
  if (!(error instanceof HttpProblem)) throw error
  const { status, key, values } = error
  return refuse(status, translate('en', key, values), status === 400 ? 'invalidSyntax' : undefined, {
    ...(error instanceof BearerProblem && bearerChallengeOf(error)),
    ...(values.seconds && { 'Retry-After': String(values.seconds) }),
  })
}

/**
 * Mounts SCIM 2.0 (RFC 7643, 7644) for the company's directory. It is a separate API with its own response formats, for
 * service tokens with the `people` scope. See docs/decisions/0095.
 */
export function mountScim(app: Hono, context: ServerContext): void {
  const { db, config, log } = context
  const scim = createScimService(context)
  const takeTurn = createRateLimit(context, 'scim', { burst: 2_000, perMinute: 3_000 })
  const addressOf = createClientIpResolver(config.trustedProxies, log)

  /** @throws HttpProblem 401, 403 */
  const authenticateClient = async (c: Context): Promise<ScimClient> => {
    const authorization = c.req.header('Authorization')
    if (!hasBearerToken(authorization)) throw new BearerProblem('missing')
    const bearer = bearerTokenIn(authorization)
    const service = bearer ? await findService(db, hashToken(bearer)) : null
    if (service === null) throw new BearerProblem('invalid_token')
    if (!service.scopes.includes('people')) throw new BearerProblem('insufficient_scope', ['people'])
    return { tokenId: service.id, name: service.name }
  }

  const locationOf = (id: string) => `${config.publicUrl}${BASE}/Users/${id}`
  const present = (person: StoredScimUser) => toUserResource(person, locationOf(person.id))

  type Answer = (c: Context, program: ScimClient) => Promise<Response>
  const on = (method: string, path: string, answer: Answer) =>
    app.on(method, `${BASE}${path}`, async c => {
      try {
        await takeTurn(networkOf(addressOf(c)))
        return await answer(c, await authenticateClient(c))
      } catch (error) {
        return toErrorResponse(error)
      }
    })
  const bodyOf = async (c: Context) => {
    const body = await readJsonBody(c, MAX_BODY, [TYPE, 'application/json'])
    requireStorableText(body)
    return body
  }
  const idOf = (c: Context) => {
    const id = c.req.param('id') ?? ''
    if (!UUID.test(id)) throw new ScimProblem(404, 'There is no such user')
    return id
  }
  const saved = (person: StoredScimUser | null, status = 200) => {
    if (person === null) throw new ScimProblem(404, 'There is no such user')
    return json(present(person), status, { Location: locationOf(person.id) })
  }

  on('GET', '/ServiceProviderConfig', async () => json(describeScimService(config.publicUrl)))
  on('GET', '/ResourceTypes', async () => json(listOf([SCIM_USER_RESOURCE_TYPE])))
  on('GET', '/ResourceTypes/User', async () => json(SCIM_USER_RESOURCE_TYPE))
  on('GET', '/Schemas', async () => json(listOf(SCIM_SCHEMAS)))
  on('GET', '/Schemas/:id', async c => {
    const schema = SCIM_SCHEMAS.find(({ id }) => id === c.req.param('id'))
    if (!schema) throw new ScimProblem(404, 'There is no such schema')
    return json(schema)
  })
  on('GET', '/Users', async c => {
    const { filter, startIndex, count } = c.req.query()
    const page = { startIndex: whole(startIndex, 1), count: whole(count, 100) }
    const found = await scim.list(parseScimFilter(filter), page)
    const chosen = found.people.map(person => selectAttributes(present(person), c.req.query()))
    return json(listOf(chosen, found.total, found.startIndex))
  })
  on('GET', '/Users/:id', async c => json(selectAttributes(present(await scim.find(idOf(c))), c.req.query())))
  on('POST', '/Users', async (c, program) => saved(await scim.create(program, parseScimPerson(await bodyOf(c))), 201))
  on('PUT', '/Users/:id', async (c, program) => {
    const person = parseScimPerson(await bodyOf(c))
    return saved(await scim.save(program, idOf(c), () => person))
  })
  on('PATCH', '/Users/:id', async (c, program) => {
    const body = await bodyOf(c)
    return saved(await scim.save(program, idOf(c), before => patchScimPerson(before, body)))
  })
  on('DELETE', '/Users/:id', async (c, program) => {
    await scim.remove(program, idOf(c))
    return new Response(null, { status: 204 })
  })
  app.all(`${BASE}/*`, () => refuse(404, 'There is nothing at this address, or not by this method'))
}
