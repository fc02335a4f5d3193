import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { ENDPOINT_DESCRIPTIONS, SCOPE_DESCRIPTIONS } from '#contract/descriptions/endpoint-descriptions.ts'
import { descriptionKey, FIELD_DESCRIPTIONS } from '#contract/descriptions/field-descriptions.ts'
import type { Endpoint, EndpointAccess } from '#contract/endpoint.ts'
import { division, webUser } from '#contract/endpoints/accounts.ts'
import { courseDates, presenceChange } from '#contract/endpoints/attendance.ts'
import { instructorProfile, webContentItem } from '#contract/endpoints/content.ts'
import { course, season } from '#contract/endpoints/courses.ts'
import { album, photo } from '#contract/endpoints/gallery.ts'
import { inboxItem } from '#contract/endpoints/inbox.ts'
import { personalData } from '#contract/endpoints/personal-data.ts'
import { passwordCheckResult, session } from '#contract/endpoints/session.ts'
import { configuration } from '#contract/endpoints/system.ts'
import { endpoints } from '#contract/endpoints.ts'
import { entriesOf } from '#contract/records.ts'
import { apiCallOutcome, dateTimeValue, failure, SCOPES } from '#contract/values.ts'
import { MAX_BOOKING_CHANGES } from '#server/features/bookings/rules.ts'
import { VERSION } from '#server/platform/config/config.ts'
import { listFailureCodes } from '#server/platform/texts/failure-codes.ts'
import { COSTLY_CALL_LIMIT } from '#server/platform/throttle/token-buckets.ts'
import {
  addDescriptions,
  type Content,
  EXAMPLES,
  findFieldDescription,
  type JsonSchema,
  type OpenApiDocument,
  type OpenApiResponse,
  type Operation,
  type Parameter,
} from './openapi-model.ts'
import { describeWebhooks } from './webhooks-model.ts'

type Json = Record<string, unknown>
type Fields = v.GenericSchema & { entries?: Record<string, v.GenericSchema> }

/** Schemas shared by several responses, placed under `components`. */
const shared = {
  album,
  configuration,
  course,
  courseDates,
  dateTimeValue,
  division,
  failure,
  inboxItem,
  instructorProfile,
  outcome: apiCallOutcome,
  passwordCheckResult,
  personalData,
  photo,
  presenceChange,
  season,
  session,
  webContentItem,
  webUser,
}

// Constraints that JSON Schema cannot express (transformations, custom checks) are omitted.
const lenient = {
  errorMode: 'ignore',
  target: 'draft-2020-12',
  overrideSchema: ({ valibotSchema, jsonSchema }: { valibotSchema: { type: string }; jsonSchema: object }) => {
    if (valibotSchema.type === 'loose_object') return { ...jsonSchema, additionalProperties: true }
    if (valibotSchema.type !== 'literal') return undefined
    return { type: typeof Reflect.get(jsonSchema, 'const') as 'string', ...jsonSchema }
  },
  // `source` of a regular expression escapes slashes, and some generators of clients escape the escape.
  overrideAction: ({ jsonSchema }: { jsonSchema: { pattern?: string | undefined } }) =>
    jsonSchema.pattern?.includes('\\/')
      ? { ...jsonSchema, pattern: jsonSchema.pattern.replaceAll('\\/', '/') }
      : undefined,
} as const
const overrideRef = ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`

const withoutDialect = ({ $schema, $defs, ...schema }: Json): JsonSchema => schema
const sentSchema = (name: string, schema: v.GenericSchema) =>
  addDescriptions(withoutDialect({ ...toJsonSchema(schema, { ...lenient, typeMode: 'input' }) }), [name])
const answerSchema = (name: string, schema: v.GenericSchema) =>
  addDescriptions(
    withoutDialect({ ...toJsonSchema(schema, { ...lenient, typeMode: 'output', definitions: shared, overrideRef }) }),
    [name],
  )

/** Query parameter with which the app reads a compact form of a list. Other programs get one form only. */
const APP_ONLY = 'view'

/** Response schema for other programs: the first alternative if the app can choose a compact form. */
const publicResponse = (response: v.GenericSchema, query: Fields | undefined): v.GenericSchema =>
  query?.entries?.[APP_ONLY] && 'options' in response ? (response.options as [v.GenericSchema])[0] : response

const json = (schema: JsonSchema, example?: unknown): Content => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})
const refusal = (description: string): OpenApiResponse => ({
  description,
  content: json({ $ref: '#/components/schemas/failure' }),
})

const isForSession = ({ access }: Pick<Endpoint, 'access'>) => ['session', 'instructor', 'office'].includes(access)

/**
 * Parameters arrive as strings. The API description declares those that consist of digits as integers.
 * @param read schema of the parsed value
 */
const asInteger = ({ pattern, ...schema }: JsonSchema, { minimum = 0, maximum }: JsonSchema): JsonSchema =>
  /^\^\\d(?:[+*]|\{[\d,]+\})\$$/.test(String(pattern))
    ? { ...schema, type: 'integer', minimum, ...(maximum !== undefined && { maximum }) }
    : { ...schema, ...(pattern !== undefined && { pattern }) }

/**
 * Schema of a parameter and its example, if there is one. For an integer parameter, the example is converted to a
 * number.
 */
function schemaOf(call: string, where: 'path' | 'query', name: string, parameter: v.GenericSchema) {
  const schema = asInteger(sentSchema(call, parameter), answerSchema(call, parameter))
  const example = EXAMPLES[call]?.[where === 'path' ? 'params' : 'query']?.[name]
  return example === undefined ? { schema } : { example: schema.type === 'integer' ? Number(example) : example, schema }
}

/** Body of a request. The request that performs office actions has an example of each action type. */
function requestOf(call: string, schema: v.GenericSchema): Content {
  const { request, acts } = EXAMPLES[call] ?? {}
  if (!acts) return json(sentSchema(call, schema), request)
  const examples = Object.fromEntries(Object.entries(acts).map(([kind, value]) => [kind, { value }]))
  return { 'application/json': { schema: sentSchema(call, schema), examples } }
}

function parametersOf(call: string, endpoint: Endpoint): Parameter[] {
  const list = (where: 'path' | 'query', fields: Fields | undefined) =>
    Object.entries(fields?.entries ?? {})
      .filter(([name]) => name !== APP_ONLY)
      .map(([name, schema]) => ({
        name,
        in: where,
        required: where === 'path' || schema.type !== 'optional',
        ...findFieldDescription(descriptionKey([call], name)),
        ...schemaOf(call, where, name, schema),
      }))
  const language = {
    name: 'Accept-Language',
    in: 'header',
    description: 'Language of `message` and of other human-readable texts: `de` (default) or `en`',
    schema: { type: 'string', examples: ['de', 'en'] },
  }
  return [...list('path', endpoint.params), ...list('query', endpoint.query), language]
}

function successOf(call: string, { response, redirects, query }: Endpoint): Record<string, OpenApiResponse> {
  if (redirects)
    return {
      '302': {
        description: 'Redirect to the URL in `Location`',
        headers: { Location: { schema: { type: 'string' } } },
      },
    }
  if (response === null) return { '204': { description: 'Success, without a body' } }
  const content =
    'file' in response
      ? Object.fromEntries(
          [response.file, response.or].flatMap(type =>
            type === undefined ? [] : [[type, { schema: { type: 'string', format: 'binary' } }]],
          ),
        )
      : json(answerSchema(call, publicResponse(response, query)), EXAMPLES[call]?.response)
  return {
    '200': {
      description:
        'Result of the call. A refusal by a rule of the portal has this status, too: see `status` and `code`',
      content,
    },
  }
}

function refusalsOf(endpoint: Endpoint): Record<string, OpenApiResponse> {
  const isProtected = isForSession(endpoint)
  const isAct = typeof endpoint.rights === 'function'
  const has = (condition: unknown, status: number, description: string) =>
    condition ? { [status]: refusal(description) } : {}
  return {
    ...has(
      endpoint.params || endpoint.query || endpoint.body || endpoint.takesFile,
      400,
      'Invalid value; the message names the field',
    ),
    ...has(
      endpoint.access !== 'public',
      401,
      endpoint.scopes
        ? 'Missing, unknown or expired session (`session.invalid`), or unknown or expired service token (`invalid_token`)'
        : 'Missing, unknown or expired session',
    ),
    ...has(
      isProtected || endpoint.method !== 'GET' || endpoint.params,
      403,
      endpoint.scopes
        ? 'Missing right; for a service token `insufficient_scope`, with the sufficient scopes in `WWW-Authenticate`'
        : 'Missing right, or cross-site request',
    ),
    // Unknown ids in an action are reported in its response.
    ...has(endpoint.params || (endpoint.body && !isAct), 404, 'Unknown id'),
    ...has(
      isAct,
      409,
      'The `actId` was already used for an action with other content or by another caller (`request.otherContent`)',
    ),
    ...has(endpoint.body || endpoint.takesFile, 408, 'Body slower than 4 KB/s'),
    ...has(endpoint.body || endpoint.takesFile, 413, 'Body too large'),
    ...has(endpoint.body, 415, 'Body is not JSON'),
    ...has(endpoint.takesFile, 415, 'Body is not a form'),
    '429': {
      ...refusal(
        endpoint.isCostly
          ? `Too many requests. Limit: bursts of ${COSTLY_CALL_LIMIT.burst} and ${COSTLY_CALL_LIMIT.perMinute} per minute, for all such calls of a person or service token together`
          : 'Too many requests',
      ),
      headers: { 'Retry-After': { schema: { type: 'integer' } } },
    },
    '500': refusal('Internal server error'),
    '503': {
      ...refusal('Database unavailable, or server overloaded'),
      headers: { 'Retry-After': { schema: { type: 'integer' } } },
    },
  }
}

/**
 * Security requirements. Protected endpoints require a session, which also replaces the CSRF header; service tokens
 * require a scope.
 */
function securityOf({ access, method, scopes }: Endpoint): Record<string, string[]>[] {
  const session = { SessionToken: [] }
  const crossSite = { XsrfHeader: [], XsrfCookie: [] }
  if (scopes) return [session, ...scopes.map(scope => ({ ServiceToken: [scope] }))]
  if (isForSession({ access })) return [session]
  if (method !== 'GET') return [session, crossSite]
  return access === 'optional' ? [{}, session] : []
}

const FORM_WITH_FILE = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      properties: {
        file: { type: 'string', format: 'binary', description: FIELD_DESCRIPTIONS['uploadOfficeFile.file'] },
      },
      required: ['file'],
    },
  },
}

const CALLERS: Record<EndpointAccess, string> = {
  public: 'No authentication required.',
  optional: 'No authentication required; the response depends on whether the session is valid.',
  session: 'Any user who is logged in.',
  instructor: 'An instructor of the course, logged in.',
  office: 'Staff of the department, in a session confirmed by a passkey',
}

function callersOf({ access, rights, scopes }: Endpoint): string {
  if (access !== 'office') return CALLERS[access]
  const any = typeof rights === 'function' ? 'with the right that the action in the body requires' : 'with any right'
  const named = Array.isArray(rights) ? `with the right ${rights.map(right => `\`${right}\``).join(' or ')}` : any
  const listed = scopes?.map(scope => `\`${scope}\``).join(' or ')
  const clients = listed ? `, and API clients with a service token that has the scope ${listed}` : ''
  return `${CALLERS.office}, ${named}${clients}.`
}

/** @param name endpoint name in the contract, for example `bookCourse` */
function operationOf(name: string, endpoint: Endpoint): Operation {
  return {
    operationId: name,
    summary: ENDPOINT_DESCRIPTIONS[name] ?? '',
    description: callersOf(endpoint),
    tags: [(endpoint.path.split('/')[2] ?? '').toLowerCase().replace(/\.\w+$/, '')],
    security: securityOf(endpoint),
    parameters: parametersOf(name, endpoint),
    ...(endpoint.body && { requestBody: { required: true, content: requestOf(name, endpoint.body) } }),
    ...(endpoint.takesFile && { requestBody: { required: true, content: FORM_WITH_FILE } }),
    responses: { ...successOf(name, endpoint), ...refusalsOf(endpoint) },
  }
}

const TAGS: Record<string, string> = {
  calendar: 'Personal calendar feed',
  'booking-order': 'Published orders of booking requests',
  certificates: 'Verification of certificates of attendance',
  clienterror: 'Error reports of the app',
  config: 'Settings of the portal, and server time',
  consents: 'Explicit consents of the user (Art. 9 GDPR)',
  course: 'Courses: list, details, booking, attendance',
  division: 'Divisions of the company',
  docs: 'Documentation of this API as a web page',
  follow: 'Courses, categories and seasons that the user follows',
  health: 'Health checks for monitoring and load balancers',
  inboxitem: 'Messages of the user, with documents',
  instructor: 'Profiles of instructors',
  money: 'Costs of the user',
  office: 'The office UI for staff; API clients may call endpoints that have a scope',
  openapi: 'OpenAPI description of this API',
  page: 'Legal texts',
  passkeys: 'Passkeys of the user',
  photo: 'Photos of an album',
  photoalbum: 'Photo albums',
  proofs: 'Proofs of sickness and shift work',
  'substitute-requests': 'Requests to teach a lesson as a substitute',
  public: 'The programme for other websites, without a login',
  push: 'Push subscriptions of browsers',
  reminders: 'Notification settings of the user',
  season: 'Seasons',
  session: 'Login, sessions and passwords',
  webcontentitem: 'News and other content of the start page',
  webuser: 'Account of the user: registration, profile, personal data, deletion',
}

const tagsOf = (paths: OpenApiDocument['paths']) => {
  const operations = Object.values(paths).flatMap(methods => Object.values(methods))
  const used = new Set(operations.flatMap(({ tags }) => tags))
  return [...used].map(name => ({ name, description: TAGS[name] ?? '' }))
}

const COSTLY_NAMES = entriesOf<Record<string, Endpoint>>(endpoints).flatMap(([name, { isCostly }]) =>
  isCostly ? `\`${name}\`` : [],
)

const INFO = [
  'Amounts are in euros. Texts are UTF-8, and `""` if empty. Fields with the suffix 2 are in the second language. This description is also available as a web page: `/api/docs`.',
  'Dates and times are in the time zone of the portal. Courses, attendance and the account of the user contain them as objects of six numbers (`dateTimeValue`); actions, the other calls under `/api/office` and public lists as strings (`YYYY-MM-DD`, `HH:mm`, `YYYY-MM-DDTHH:mm`).',
  'A call that is refused by a rule of the portal, for example because of a full course, an unknown id in an action or a wrong password, returns HTTP 200 with a `status` other than `Ok`. With `Failed`, and with `Reason` and `Changed` of actions, `code` contains the reason. The other statuses (`WrongPWorUser`, `TooManyFailures`, `NotActive`, `NotFound`, `Duplicate`) are the reason themselves and have no `code`. An HTTP status of 400 or higher means that the request itself was not accepted; `code` contains the reason.',
  `Rate limits: a request beyond a limit returns 429; retry after \`Retry-After\` seconds. ${COSTLY_NAMES.join(', ')} share one limit for each person or service token: bursts of ${COSTLY_CALL_LIMIT.burst} and ${COSTLY_CALL_LIMIT.perMinute} requests per minute. SCIM has its own limit. The limits of other calls affect only excessive use from one IP address or by one person, such as wrong passwords, uploads or feeds.`,
  `A person can make at most ${MAX_BOOKING_CHANGES} bookings and cancellations of the same course within an hour, in total (\`booking.tooManyChanges\`, HTTP 200; the message contains the waiting time). Actions by staff and API clients are not included. \`bookable\` and \`obstacle\` do not reflect this limit.`,
].join('\n\n')

/** Scopes of service tokens, and what they permit besides calls and actions. */
const SERVICE_TOKEN = [
  'Service token of an API client: `Authorization: Bearer TOKEN`. An owner creates it in the office UI or with `create-token`.',
  'A service token has one or more scopes, and permits the calls and actions that list one of them. An API client that books usually needs the scope `lists` as well, to read.',
  ...SCOPES.map(scope => `\`${scope}\`: ${SCOPE_DESCRIPTIONS[scope]}.`),
].join(' ')

export function createOpenApiDocument(serverUrl: string): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) }
  }
  const defined = toJsonSchemaDefs(shared, { ...lenient, typeMode: 'output', overrideRef })
  const schemas = Object.fromEntries(
    Object.entries(defined).map(([name, schema]) => [name, addDescriptions(withoutDialect({ ...schema }), [name])]),
  )
  // Extensible, because a newer portal may have further codes.
  const { code } = schemas.failure?.properties ?? {}
  if (code) code['x-extensible-enum'] = listFailureCodes().map(({ code }) => code)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Course booking portal',
      version: VERSION,
      description: INFO,
      contact: { url: `${serverUrl}/contact` },
    },
    servers: [{ url: serverUrl }],
    tags: tagsOf(paths),
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas,
      securitySchemes: {
        SessionToken: {
          type: 'apiKey',
          in: 'header',
          name: 'SessionToken',
          description:
            'The `id` of the session, as returned by `PUT /api/session`. Office calls require a session confirmed by a passkey; otherwise they return 403 with the status `PasskeyRequired`. If the operator has set `OFFICE_PASSKEY=off`, as in the demo, no passkey is required.',
        },
        ServiceToken: {
          type: 'http',
          scheme: 'bearer',
          description: SERVICE_TOKEN,
        },
        XsrfHeader: {
          type: 'apiKey',
          in: 'header',
          name: 'X-XSRF-TOKEN',
          description:
            'Value of the cookie `XSRF-TOKEN`. Required for every request except GET without a valid `SessionToken` or service token, including the login; otherwise 403 `request.crossSite`',
        },
        XsrfCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'XSRF-TOKEN',
          description: 'Set by the response to any GET request without this cookie',
        },
      },
    },
  }
}
