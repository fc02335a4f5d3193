import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { division, webUser } from '#contract/accounts.ts'
import { courseDates, presenceChange } from '#contract/attendance.ts'
import { instructorProfile, webContentItem } from '#contract/content.ts'
import { course, courseIndex, season } from '#contract/courses.ts'
import type { Access, Endpoint } from '#contract/endpoint.ts'
import { ENDPOINT_DESCRIPTIONS } from '#contract/endpoint-descriptions.ts'
import { endpoints } from '#contract/endpoints.ts'
import { descriptionKey, FIELD_DESCRIPTIONS } from '#contract/field-descriptions.ts'
import { album, photo } from '#contract/gallery.ts'
import { inboxItem } from '#contract/inbox.ts'
import { personalData } from '#contract/personal-data.ts'
import { passwordCheckResult, session } from '#contract/session.ts'
import { configuration } from '#contract/system.ts'
import { BOOKING_STATUS, dateTimeValue, failure, outcome } from '#contract/values.ts'
import { WEBHOOK_KINDS, type WebhookKind } from '#contract/webhook-kinds.ts'
import { VERSION } from '#server/config.ts'
import { listFailureCodes } from '#server/texts/failure-codes.ts'
import {
  type Answer,
  type Content,
  type Description,
  descriptionAt,
  EXAMPLES,
  explain,
  type JsonSchema,
  type Operation,
  type Parameter,
} from './openapi-model.ts'

type Json = Record<string, unknown>
type Fields = v.GenericSchema & { entries?: Record<string, v.GenericSchema> }

/** Schemas shared by several responses, placed under `components`. */
const shared = {
  album,
  configuration,
  course,
  courseDates,
  courseIndex,
  dateTimeValue,
  division,
  failure,
  inboxItem,
  instructorProfile,
  outcome,
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
const lenient = { errorMode: 'ignore', target: 'draft-2020-12' } as const
const overrideRef = ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`

const withoutDialect = ({ $schema, $defs, ...schema }: Json): JsonSchema => schema
const sentSchema = (name: string, schema: v.GenericSchema) =>
  explain(withoutDialect({ ...toJsonSchema(schema, { ...lenient, typeMode: 'input' }) }), [name])
const answerSchema = (name: string, schema: v.GenericSchema) =>
  explain(
    withoutDialect({ ...toJsonSchema(schema, { ...lenient, typeMode: 'output', definitions: shared, overrideRef }) }),
    [name],
  )

const json = (schema: JsonSchema, example?: unknown): Content => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})
const refusal = (description: string): Answer => ({
  description,
  content: json({ $ref: '#/components/schemas/failure' }),
})

const isForSession = ({ access }: Pick<Endpoint, 'access'>) => ['session', 'instructor', 'office'].includes(access)

/** Parameters arrive as text; those of digits alone are integers to a client. */
const asInteger = ({ pattern, ...schema }: JsonSchema): JsonSchema =>
  /^\^\\d(?:[+*]|\{[\d,]+\})\$$/.test(String(pattern))
    ? { ...schema, type: 'integer', minimum: 0 }
    : { ...schema, ...(pattern !== undefined && { pattern }) }

/** The schema of a parameter with its recorded example, which was sent as text. */
function schemaOf(call: string, where: 'path' | 'query', name: string, sent: JsonSchema) {
  const schema = asInteger(sent)
  const example = EXAMPLES[call]?.[where === 'path' ? 'params' : 'query']?.[name]
  return example === undefined ? { schema } : { example: schema.type === 'integer' ? Number(example) : example, schema }
}

/** Body of a request; for acts with an example of each kind. */
function requestOf(call: string, schema: v.GenericSchema): Content {
  const { request, acts } = EXAMPLES[call] ?? {}
  if (!acts) return json(sentSchema(call, schema), request)
  const examples = Object.fromEntries(Object.entries(acts).map(([kind, value]) => [kind, { value }]))
  return { 'application/json': { schema: sentSchema(call, schema), examples } }
}

function parametersOf(call: string, endpoint: Endpoint): Parameter[] {
  const list = (where: 'path' | 'query', fields: Fields | undefined) =>
    Object.entries(fields?.entries ?? {}).map(([name, schema]) => ({
      name,
      in: where,
      required: where === 'path' || schema.type !== 'optional',
      ...descriptionAt(descriptionKey([call], name)),
      ...schemaOf(call, where, name, sentSchema(call, schema)),
    }))
  const language = {
    name: 'Accept-Language',
    in: 'header',
    description: 'The language of `message` and of texts for people: `de`, also without it, or `en`',
    schema: { type: 'string', examples: ['de', 'en'] },
  }
  return [...list('path', endpoint.params), ...list('query', endpoint.query), language]
}

function successOf(call: string, { response, redirects }: Endpoint): Record<string, Answer> {
  if (redirects)
    return { '302': { description: 'The address to go to', headers: { Location: { schema: { type: 'string' } } } } }
  if (response === null) return { '204': { description: 'Done' } }
  const content =
    'file' in response
      ? Object.fromEntries(
          [response.file, response.or].flatMap(type =>
            type === undefined ? [] : [[type, { schema: { type: 'string', format: 'binary' } }]],
          ),
        )
      : json(answerSchema(call, response), EXAMPLES[call]?.response)
  return { '200': { description: 'The outcome', content } }
}

function refusalsOf(endpoint: Endpoint): Record<string, Answer> {
  const isProtected = isForSession(endpoint)
  const has = (condition: unknown, status: number, description: string) =>
    condition ? { [status]: refusal(description) } : {}
  return {
    ...has(
      endpoint.params || endpoint.query || endpoint.body || endpoint.takesFile,
      400,
      'A value does not fit; the message names the field',
    ),
    ...has(endpoint.access !== 'public', 401, 'No session, or one that is unknown or expired'),
    ...has(
      isProtected || endpoint.method !== 'GET' || endpoint.params,
      403,
      'Without the right, or a cross-site request',
    ),
    ...has(endpoint.params || endpoint.body, 404, 'Unknown id'),
    ...has(endpoint.body || endpoint.takesFile, 413, 'The body is too large'),
    ...has(endpoint.body, 415, 'The body is not JSON'),
    ...has(endpoint.takesFile, 415, 'The body is not a form'),
    '429': { ...refusal('Too many requests'), headers: { 'Retry-After': { schema: { type: 'integer' } } } },
    '500': refusal('A fault on our side'),
    '503': {
      ...refusal('The database cannot be reached, or too much is to be done at once'),
      headers: { 'Retry-After': { schema: { type: 'integer' } } },
    },
  }
}

/**
 * Security requirements: a session for protected endpoints, where it also replaces the CSRF header; a scope for
 * programs.
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

const CALLERS: Record<Access, string> = {
  public: 'Anybody.',
  optional: 'Anybody; a valid session changes the answer.',
  session: 'Whoever is logged in.',
  instructor: 'Whoever is logged in and teaches the course.',
  office: 'The department, in a session confirmed by a passkey',
}

function callersOf({ access, rights, scopes }: Endpoint): string {
  if (access !== 'office') return CALLERS[access]
  const any = typeof rights === 'function' ? 'with the right that the body asks for' : 'with any right'
  const named = Array.isArray(rights) ? `with the right ${rights.map(right => `\`${right}\``).join(' or ')}` : any
  const listed = scopes?.map(scope => `\`${scope}\``).join(' or ')
  const program = listed ? `, and programs with a service token of the scope ${listed}` : ''
  return `${CALLERS.office}, ${named}${program}.`
}

/** @param name endpoint name in the contract, as in `bookCourse` */
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
  certificates: 'Verification of certificates of attendance',
  clienterror: 'Faults of the app',
  config: 'Settings and time of the portal',
  consents: 'Explicit consents of the user (Art. 9 GDPR): read, given, withdrawn',
  course: 'Courses: list, details, booking, attendance',
  division: 'Companies of the group',
  docs: 'This documentation',
  follow: 'Followed courses, categories and seasons',
  health: 'State of the server, for monitors and load balancers',
  inboxitem: 'Messages to a person, with documents',
  instructor: 'Profiles of instructors',
  money: 'What a person owes and has paid',
  office: 'The desk of the department; calls with a scope are open to programs',
  openapi: 'This description',
  page: 'Legal texts',
  passkeys: 'Passkeys of a person',
  photo: 'Photos of an album',
  photoalbum: 'Photo albums',
  proofs: 'Proofs of sickness and shift work',
  public: 'The programme for other websites, without a login',
  push: 'Push messages of a browser',
  reminders: 'What a person is reminded of',
  season: 'Seasons',
  session: 'Login, sessions and passwords',
  webcontentitem: 'News and other contents of the start page',
  webuser: 'The own account: registration, profile, data, deletion',
}

const tagsOf = (paths: Description['paths']) => {
  const operations = Object.values(paths).flatMap(methods => Object.values(methods))
  const used = new Set(operations.flatMap(({ tags }) => tags))
  return [...used].map(name => ({ name, description: TAGS[name] ?? '' }))
}

const integer = (description: string): JsonSchema => ({ type: 'integer', description })
const ofBooking = {
  bookingId: integer('The booking: `GET /api/office/bookings/{id}`'),
  courseId: integer('The course: `GET /api/office/courses/{id}`'),
  webUserId: integer('The person: `GET /api/office/people/{id}`'),
  bookingStatus: {
    ...integer('The state after the event'),
    enum: Object.values(BOOKING_STATUS),
    'x-enum-varnames': Object.keys(BOOKING_STATUS),
  },
}
const EVENTS: Record<WebhookKind, { summary: string; data: Record<string, JsonSchema> }> = {
  'booking.created': { summary: 'A place was booked', data: ofBooking },
  'booking.waitlisted': { summary: 'A person joined the waiting list', data: ofBooking },
  'booking.promoted': { summary: 'A person moved up from the waiting list to a place', data: ofBooking },
  'booking.cancelled': { summary: 'A booking or a wait ended', data: ofBooking },
  'course.changed': {
    summary: 'A course was changed at the desk or by an import',
    data: {
      courseId: ofBooking.courseId,
      number: { type: 'string', description: 'The number of the course' },
      version: integer('Grows with each change'),
      cancelled: { type: 'boolean', description: 'The course does not take place' },
    },
  },
}

/** Calls to receivers, signed as Standard Webhooks specifies. */
function webhooksOf(): Description['webhooks'] {
  const header = (name: string, description: string): Parameter => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  const parameters = [
    header('webhook-id', 'Identifies the event; the same in each attempt'),
    header('webhook-timestamp', 'Seconds since 1970 of the attempt'),
    header('webhook-signature', '`v1,` and the HMAC-SHA256 of id, timestamp and body in base64'),
  ]
  const call = (kind: WebhookKind) => {
    const { summary, data } = EVENTS[kind]
    const properties = {
      type: { const: kind, description: 'The event' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
      data: { type: 'object', required: Object.keys(data), properties: data, description: 'Ids, no names' },
    }
    const schema = { type: 'object', required: Object.keys(properties), properties }
    const responses = { '2XX': { description: 'Received; anything else is repeated for five days' } }
    const operationId = `on-${kind.replace('.', '-')}`
    return {
      post: {
        operationId,
        security: [],
        summary,
        parameters,
        requestBody: { required: true as const, content: json(schema) },
        responses,
      },
    }
  }
  return Object.fromEntries(WEBHOOK_KINDS.map(kind => [kind, call(kind)]))
}

export function describeInterface(serverUrl: string): Description {
  const paths: Description['paths'] = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) }
  }
  const defined = toJsonSchemaDefs(shared, { ...lenient, typeMode: 'output', overrideRef })
  const schemas = Object.fromEntries(
    Object.entries(defined).map(([name, schema]) => [name, explain(withoutDialect({ ...schema }), [name])]),
  )
  // An open list: a newer portal may have further codes.
  const { code } = schemas.failure?.properties ?? {}
  if (code) code['x-extensible-enum'] = listFailureCodes().map(({ code }) => code)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Course booking portal',
      version: VERSION,
      description:
        'Dates with time are objects of six numbers in the zone of the portal, money is in euros, texts are UTF-8 and `""` when empty. Suffix 2 marks the second language. For people to read: `/api/docs`.',
      contact: { url: `${serverUrl}/contact` },
    },
    servers: [{ url: serverUrl }],
    tags: tagsOf(paths),
    paths,
    webhooks: webhooksOf(),
    components: {
      schemas,
      securitySchemes: {
        SessionToken: {
          type: 'apiKey',
          in: 'header',
          name: 'SessionToken',
          description: 'The `id` of the session that `PUT /api/session` answers',
        },
        ServiceToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A service token for a program, made by an owner at the desk: `Authorization: Bearer TOKEN`. It opens the calls that name one of its scopes',
        },
        XsrfHeader: {
          type: 'apiKey',
          in: 'header',
          name: 'X-XSRF-TOKEN',
          description: 'The value of the cookie, in calls that change something without a session',
        },
        XsrfCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'XSRF-TOKEN',
          description: 'Set by any GET that lacks it',
        },
      },
    },
  }
}
