import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { dateTimeValue, money } from './values.ts'

export const configuration = v.object({
  instrKeyFrontend: v.string(),
  /** base addresses, ending in a slash; a file name is put behind */
  photoURL: v.string(),
  thumbnailURL: v.string(),
  contentURL: v.string(),
  externalSurcharge: money,
  accountConfirmationLink: v.string(),
  /** IANA name of the zone of all date-time values */
  timeZone: v.string(),
})
export type Configuration = v.InferOutput<typeof configuration>

export const getConfig = endpoint('GET', '/api/config', {
  access: 'public',
  summary: 'What the app has to know about this portal',
  response: configuration,
})

export const getDateTime = endpoint('GET', '/api/config/datetime', {
  access: 'public',
  summary: 'Server time',
  response: dateTimeValue,
})

export const getHealth = endpoint('GET', '/api/health', {
  access: 'public',
  summary: 'Ok when the database answers, else 503',
  response: v.object({ status: v.literal('Ok') }),
})

export const getLiveness = endpoint('GET', '/api/health/live', {
  access: 'public',
  summary: 'Ok while the process runs, whatever the database does',
  response: v.object({ status: v.literal('Ok') }),
})

export const getReadiness = endpoint('GET', '/api/health/ready', {
  access: 'public',
  summary: 'Ok when calls can be served: the database answers and has the schema of this version; else 503',
  response: v.object({ status: v.literal('Ok') }),
})

/** Begins the message of a report that the browser refused something by the page's security policy. */
export const POLICY_BROKEN = 'Content Security Policy:'

export const reportClientError = endpoint('POST', '/api/clienterror', {
  access: 'public',
  summary: 'Reports an unhandled exception of the app',
  body: v.object({
    message: v.pipe(v.string(), v.maxLength(2000)),
    stack: v.optional(v.pipe(v.string(), v.maxLength(10_000)), ''),
    route: v.optional(v.pipe(v.string(), v.maxLength(500)), ''),
    release: v.optional(v.pipe(v.string(), v.maxLength(50)), ''),
  }),
  response: null,
})

export const getOpenApi = endpoint('GET', '/api/openapi.json', {
  access: 'public',
  summary: 'This interface as OpenAPI 3.1',
  response: v.record(v.string(), v.unknown()),
})

export const getDocs = endpoint('GET', '/api/docs', {
  access: 'public',
  summary: 'This interface as a page to read, with an anchor for each call (`#bookCourse`)',
  response: { file: 'text/html' },
})
