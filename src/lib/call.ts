import ky, { type Hooks, HTTPError, type Options } from 'ky'
import type { Endpoint } from '#contract/endpoint.ts'
import { getDateTime } from '#contract/endpoints/system.ts'
import { endpoints } from '#contract/endpoints.ts'
import { ApiError, NoResponseError, reportAccessRefused, reportReachability } from './api-error.ts'
import type { CallOptions, CallResult } from './call-options.ts'
import { addClockSample, deviceNow } from './clock.ts'
import { readSessionToken } from './session-token.ts'
import { readLanguage } from './settings.ts'

/** Timeout in ms for the response headers, and again for the body. */
const TIMEOUT_MS = 20_000
/** An act of the desk may change thousands of rows in one transaction. */
const OFFICE_TIMEOUT_MS = 120_000

const xsrfToken = () => /(?:^|;\s*)XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''

const pathOf = (path: string, params: Record<string, unknown> = {}) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** Sends a request, and estimates the server's clock from the Server-Time header of the response. */
async function measuringFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const sentAt = deviceNow()
  const response = await fetch(input, init)
  addClockSample(response.headers.get('Server-Time'), sentAt, deviceNow())
  return response
}

/** `Retry-After` of the portal is some seconds, but a proxy under maintenance may send an hour. */
const DOWNLOAD_RETRIES = { limit: 2, maxRetryAfter: 3_000 }

/** Retry limit. A single call may wait for passkey confirmation several times, and ky counts each wait as a retry. */
const CONFIRMATIONS = 10

/** The `CallOptions` of any endpoint. */
type Parts = Pick<CallOptions<Endpoint>, 'signal' | 'token' | 'language' | 'known'> & {
  params?: Record<string, unknown> | undefined
  query?: object | undefined
  body?: unknown
  form?: object | undefined
  file?: File | undefined
}

/**
 * After a history navigation browsers answer requests, and preload links, from the HTTP cache without revalidation: the
 * programme of hours ago would be shown as the present one. Another credentials mode, which makes no difference to
 * requests of the same origin, avoids the preloaded response.
 */
const revalidationOptions = (): Options =>
  typeof document !== 'undefined' &&
  performance.getEntriesByType('navigation').some(entry => 'type' in entry && entry.type === 'back_forward')
    ? { cache: 'no-cache', credentials: 'include' }
    : {}

const sessionTokenFor = ({ access }: Endpoint, { token }: Parts): string | null =>
  token === undefined && access !== 'public' ? readSessionToken() : (token ?? null)

function optionsFor(endpoint: Endpoint, options: Parts): Options {
  const { query, body, form: fields = {}, file, signal, language, known } = options
  const headers: Record<string, string> = { 'Accept-Language': language ?? readLanguage() }
  const token = sessionTokenFor(endpoint, options)
  if (token) headers.SessionToken = token
  if (known?.etag) headers['If-None-Match'] = known.etag
  if (endpoint.method !== 'GET' && typeof document !== 'undefined') headers['X-XSRF-TOKEN'] = xsrfToken()
  if (endpoint.method !== 'GET' && !file) headers['Content-Type'] = 'application/json'
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value))
  if (file) form.append('file', file)
  return {
    method: endpoint.method,
    headers,
    ...revalidationOptions(),
    fetch: measuringFetch,
    // Uploads have no timeout because a large file may take a long time.
    timeout: !file && (endpoint.access === 'office' ? OFFICE_TIMEOUT_MS : TIMEOUT_MS),
    // Downloads are retried because networks are unreliable. Other calls are retried by their callers, if at all.
    retry: endpoint.response !== null && 'file' in endpoint.response ? DOWNLOAD_RETRIES : 0,
    ...(endpoint.access === 'office' && {
      hooks: officeRequestHooks,
      retry: { limit: CONFIRMATIONS, shouldRetry: () => false },
    }),
    ...(signal && { signal }),
    ...(query && { searchParams: { ...query } as Record<string, string> }),
    ...(file ? { body: form } : body !== undefined && { json: body }),
  }
}

/**
 * Parses an error response. A response that is not from the portal (captive portal, proxy) is treated as no response,
 * unless it refuses the size of the request; the message is then empty.
 */
function toApiError({ response, data }: HTTPError): ApiError | NoResponseError {
  if (response.status === 304) return new ApiError(304, 'not modified')
  const isOfPortal = typeof data === 'object' && data !== null && 'message' in data && 'status' in data
  // A proxy with a lower limit than the portal's; sending the same again would never succeed.
  if (response.status === 413 && !isOfPortal) return new ApiError(413, '')
  if (!isOfPortal) return new NoResponseError(`HTTP ${response.status} with a body that is not a portal response`)
  const retryAfter = Number(response.headers.get('Retry-After'))
  return new ApiError(response.status, String(data.message), retryAfter > 0 ? retryAfter : null)
}

/** Reads a file from a response, with the name from its Content-Disposition header. */
async function readFile(response: Response): Promise<File> {
  const [, encoded = ''] = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  const content = await response.blob()
  return new File([content], decodeURIComponent(encoded), { type: content.type })
}

async function request<E extends Endpoint>(endpoint: E, options: Parts): Promise<CallResult<E>> {
  // Only GET requests set the cookie, which ends with the browser: a page from the cache may not have it yet.
  if (
    endpoint.method !== 'GET' &&
    !sessionTokenFor(endpoint, options) &&
    typeof document !== 'undefined' &&
    !xsrfToken()
  )
    await request(getDateTime, { signal: options.signal })
  const pending = ky(pathOf(endpoint.path, options.params), optionsFor(endpoint, options))
  const { response } = endpoint
  if (response === null) {
    await pending
    return undefined as CallResult<E>
  }
  // A downloaded file is read without a timeout because a large file may take a long time.
  if (options.known) options.known.etag = (await pending).headers.get('ETag')
  return (await ('file' in response ? readFile(await pending) : pending.json())) as CallResult<E>
}

/**
 * Sends a single API call. Used by both `api` and the service worker.
 * @returns JSON, or a file with the name set by the server
 * @throws ApiError for an error response, NoResponseError if there is no usable response
 */
export type ApiCall = <E extends Endpoint>(endpoint: E, options: CallOptions<E>) => Promise<CallResult<E>>

export const callEndpoint: ApiCall = async (endpoint, options) => {
  const sentAt = deviceNow()
  const { signal, token = readSessionToken() } = options
  try {
    const answer = await request(endpoint, options)
    reportReachability(true, sentAt)
    return answer
  } catch (cause) {
    if (signal?.aborted) throw cause
    const error = cause instanceof HTTPError ? toApiError(cause) : new NoResponseError('no response', { cause })
    const isRefusal = error instanceof ApiError
    reportReachability(isRefusal && error.status < 500, sentAt)
    if (isRefusal) reportAccessRefused(error.status, token !== null && token === readSessionToken())
    throw error
  }
}

/**
 * Hooks set by the office UI. They are in a mutable object because setter functions would add code to the entry chunk
 * that only the office UI uses.
 */
export const officeCallHooks = {
  /** marks the next request as user activity, which polling is not */
  isUserActive: true,
  /** resolves once the user has confirmed the session with a passkey */
  confirmSession: async (): Promise<void> => undefined,
}

/**
 * Hooks for the office UI's API calls. They report user activity, and retry a call after the user has confirmed the
 * session with a passkey.
 */
export const officeRequestHooks: Hooks = {
  beforeRequest: [
    ({ request }) => {
      if (officeCallHooks.isUserActive) request.headers.set('Desk-Tap', '1')
      officeCallHooks.isUserActive = false
    },
  ],
  afterResponse: [
    async ({ response }) => {
      if (response.status !== 403) return
      // A response whose body is not JSON cannot be a request for passkey confirmation.
      const refusal = await response.json<{ status?: string }>().catch(() => null)
      if (refusal?.status !== 'PasskeyRequired') return
      await officeCallHooks.confirmSession()
      return ky.retry({ delay: 0 })
    },
  ],
}

/** Calls an endpoint of the contract by name. */
export async function callEndpointByName(name: string, options: object): Promise<unknown> {
  const endpoint = endpoints[name]
  if (!endpoint) throw new Error(`the contract has no endpoint ${name}`)
  return callEndpoint(endpoint, options as CallOptions<Endpoint>)
}
