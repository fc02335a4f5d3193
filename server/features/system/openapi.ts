import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { division, webUser } from '#contract/accounts.ts'
import { courseDates, presenceChange } from '#contract/attendance.ts'
import { instructorProfile, webContentItem } from '#contract/content.ts'
import { course, courseIndex, season } from '#contract/courses.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { album, photo } from '#contract/gallery.ts'
import { inboxItem } from '#contract/inbox.ts'
import { passwordCheckResult, session } from '#contract/session.ts'
import { configuration } from '#contract/system.ts'
import { dateTimeValue, failure, outcome } from '#contract/values.ts'

type Json = Record<string, unknown>
type Fields = v.GenericSchema & { entries?: Record<string, v.GenericSchema> }

/** Shapes that answers share; they stand once under `components`. */
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
  photo,
  presenceChange,
  season,
  session,
  webContentItem,
  webUser,
}

// What JSON Schema cannot say (a transformation, a check written as code) is left out.
const lenient = { errorMode: 'ignore', target: 'draft-2020-12' } as const
const overrideRef = ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`

const withoutDialect = ({ $schema, $defs, ...schema }: Json): Json => schema
const sentSchema = (schema: v.GenericSchema) =>
  withoutDialect({ ...toJsonSchema(schema, { ...lenient, typeMode: 'input' }) })
const answerSchema = (schema: v.GenericSchema) =>
  withoutDialect({ ...toJsonSchema(schema, { ...lenient, typeMode: 'output', definitions: shared, overrideRef }) })

const json = (schema: Json) => ({ 'application/json': { schema } })
const refusal = (description: string) => ({ description, content: json({ $ref: '#/components/schemas/failure' }) })

const isForSession = ({ access }: Pick<Endpoint, 'access'>) => ['session', 'instructor', 'office'].includes(access)

function parametersOf(endpoint: Endpoint): Json[] {
  const list = (where: 'path' | 'query', fields: Fields | undefined) =>
    Object.entries(fields?.entries ?? {}).map(([name, schema]) => ({
      name,
      in: where,
      required: where === 'path' || schema.type !== 'optional',
      schema: sentSchema(schema),
    }))
  const language = { name: 'Accept-Language', in: 'header', schema: { type: 'string', examples: ['de', 'en'] } }
  return [...list('path', endpoint.params), ...list('query', endpoint.query), language]
}

function successOf({ response, redirects }: Endpoint): Json {
  if (redirects)
    return { '302': { description: 'The address to go to', headers: { Location: { schema: { type: 'string' } } } } }
  if (response === null) return { '204': { description: 'Done' } }
  const content =
    'file' in response
      ? { [response.file]: { schema: { type: 'string', format: 'binary' } } }
      : json(answerSchema(response))
  return { '200': { description: 'The outcome', content } }
}

function refusalsOf(endpoint: Endpoint): Json {
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

/** Who may call: a session opens protected endpoints, and stands in for the cross-site header elsewhere. */
function securityOf({ access, method }: Endpoint): Json[] {
  const session = { SessionToken: [] }
  const crossSite = { XsrfHeader: [], XsrfCookie: [] }
  if (isForSession({ access })) return [session]
  if (method !== 'GET') return [session, crossSite]
  return access === 'optional' ? [{}, session] : []
}

const FORM_WITH_FILE = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      properties: { file: { type: 'string', format: 'binary' } },
      required: ['file'],
    },
  },
}

/** @param name the endpoint's name in the contract, as in `bookCourse` */
function operationOf(name: string, endpoint: Endpoint): Json {
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [
      endpoint.path
        .split('/')[2]
        ?.toLowerCase()
        .replace(/\.\w+$/, ''),
    ],
    security: securityOf(endpoint),
    parameters: parametersOf(endpoint),
    ...(endpoint.body && { requestBody: { required: true, content: json(sentSchema(endpoint.body)) } }),
    ...(endpoint.takesFile && { requestBody: { required: true, content: FORM_WITH_FILE } }),
    responses: { ...successOf(endpoint), ...refusalsOf(endpoint) },
  }
}

/** The interface as an OpenAPI 3.1 document, made from the contract's own schemas. */
export function describeInterface(serverUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) }
  }
  const schemas = toJsonSchemaDefs(shared, { ...lenient, typeMode: 'output', overrideRef })
  return {
    openapi: '3.1.0',
    info: { title: 'Course booking portal', version: '1.2.0' },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        SessionToken: { type: 'apiKey', in: 'header', name: 'SessionToken' },
        XsrfHeader: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
        XsrfCookie: { type: 'apiKey', in: 'cookie', name: 'XSRF-TOKEN' },
      },
    },
  }
}
