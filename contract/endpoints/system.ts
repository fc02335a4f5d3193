import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { dateTimeValue, money } from '../values.ts'

export const configuration = v.object({
  instrKeyFrontend: v.string(),
  /** base URLs with a trailing slash, to which file names are appended */
  photoURL: v.string(),
  thumbnailURL: v.string(),
  contentURL: v.string(),
  externalSurcharge: money,
  accountConfirmationLink: v.string(),
  /** IANA time zone of all date-time values */
  timeZone: v.string(),
})
export type Configuration = v.InferOutput<typeof configuration>

export const getConfig = endpoint('public', 'GET', '/api/config', { response: configuration })
export const getDateTime = endpoint('public', 'GET', '/api/config/datetime', { response: dateTimeValue })

const working = v.object({ status: v.literal('Ok') })
export const getHealth = endpoint('public', 'GET', '/api/health', {
  response: v.object({
    ...working.entries,
    /** conditions that require an operator's attention although the portal works; missing if there are none */
    warnings: v.optional(v.array(v.picklist(['auditAnchor', 'publicUrl']))),
  }),
})
export const getLiveness = endpoint('public', 'GET', '/api/health/live', { response: working })
export const getReadiness = endpoint('public', 'GET', '/api/health/ready', { response: working })

/** Message prefix of Content Security Policy violation reports. */
export const CSP_REPORT_PREFIX = 'Content Security Policy:'

export const reportClientError = endpoint('public', 'POST', '/api/clienterror', {
  body: v.object({
    message: v.pipe(v.string(), v.maxLength(2000)),
    stack: v.optional(v.pipe(v.string(), v.maxLength(10_000)), ''),
    route: v.optional(v.pipe(v.string(), v.maxLength(500)), ''),
    release: v.optional(v.pipe(v.string(), v.maxLength(50)), ''),
  }),
  response: null,
})

export const getOpenApi = endpoint('public', 'GET', '/api/openapi.json', {
  response: v.record(v.string(), v.unknown()),
})

export const getDocs = endpoint('public', 'GET', '/api/docs', { response: { file: 'text/html' } })
