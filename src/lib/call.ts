import type * as v from 'valibot'
import type { BodyOf, Endpoint, ResponseOf, SentBodyOf } from '#contract/endpoint.ts'
import type { Language } from '#contract/values.ts'
import { ApiError, NoAnswerError } from './api-error.ts'
import { deviceNow, noteServerDate } from './clock.ts'
import { readLanguage } from './language.ts'
import { readSessionToken } from './session-token.ts'

type Part<Name extends string, Value> = Value extends undefined ? { [K in Name]?: undefined } : { [K in Name]: Value }

/** URL parameters are strings; callers may also pass numbers. */
type Said<S> = S extends v.GenericSchema
  ? {
      [K in keyof v.InferInput<S>]:
        | v.InferInput<S>[K]
        | (K extends keyof v.InferOutput<S> ? v.InferOutput<S>[K] : never)
    }
  : undefined
export type SaidParams<E extends Endpoint> = Said<E['params']>
export type SaidQuery<E extends Endpoint> = E['query'] extends v.GenericSchema ? Partial<Said<E['query']>> : undefined

export type CallOptions<E extends Endpoint> = Part<'params', SaidParams<E>> &
  (SaidQuery<E> extends undefined ? { query?: undefined } : { query?: SaidQuery<E> }) &
  (BodyOf<E> extends undefined ? { body?: undefined } : { body: SentBodyOf<E> }) & {
    signal?: AbortSignal
    /** overrides the stored token: the outbox sends with the token of the user who recorded the change */
    token?: string | null
    /** language of server messages: the service worker cannot read the user's setting */
    language?: Language | undefined
  }

type AnswerOf<E extends Endpoint> = E['response'] extends { file: string } ? File : ResponseOf<E>

const TIMEOUT_MS = 20_000

const lostListeners = new Set<() => void>()

/** Subscribes to 401 responses to calls that carried the stored token. Returns the unsubscribe function. */
export function onSessionLost(listener: () => void): () => void {
  lostListeners.add(listener)
  return () => lostListeners.delete(listener)
}

const forbiddenListeners = new Set<() => void>()

/** Subscribes to 403 responses: the session is valid but lacks the permission. */
export function onForbidden(listener: () => void): void {
  forbiddenListeners.add(listener)
}

type ReachabilityListener = (isReachable: boolean, sentAt: number) => void
const reachabilityListeners = new Set<ReachabilityListener>()

/** Subscribes to the outcome of each call: whether the server responded, and the device time of the request in ms. */
export function onReachability(listener: ReachabilityListener): void {
  reachabilityListeners.add(listener)
}

const reportReachable: ReachabilityListener = (isReachable, sentAt) => {
  for (const listener of reachabilityListeners) listener(isReachable, sentAt)
}

const xsrfToken = () => /(?:^|;\s*)XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''

const pathOf = (path: string, params: Record<string, unknown> = {}) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

function headersOf(endpoint: Endpoint, token: string | null, language: Language, isTokenGiven: boolean) {
  const headers = new Headers({ 'Accept-Language': language })
  if (endpoint.method !== 'GET') headers.set('Content-Type', 'application/json')
  if ((endpoint.access !== 'public' || isTokenGiven) && token) headers.set('SessionToken', token)
  if (endpoint.method !== 'GET' && typeof document !== 'undefined') headers.set('X-XSRF-TOKEN', xsrfToken())
  return headers
}

/** Parses an error response. A response that is not the portal's (captive portal, proxy) counts as no answer. */
async function refusal(response: Response): Promise<ApiError | NoAnswerError> {
  // A body that is not JSON did not come from the portal either.
  const body: unknown = await response.json().catch(() => null)
  if (typeof body !== 'object' || body === null || !('message' in body && 'status' in body)) {
    return new NoAnswerError(`HTTP ${response.status} with a body that is not a portal response`)
  }
  const retryAfter = Number(response.headers.get('Retry-After'))
  return new ApiError(response.status, String(body.message), retryAfter > 0 ? retryAfter : null)
}

function tell(error: ApiError, token: string | null): void {
  const isOurs = token !== null && token === readSessionToken()
  if (error.status === 401 && isOurs) for (const listener of lostListeners) listener()
  if (error.status === 403) for (const listener of forbiddenListeners) listener()
}

/** Reads a file response, named by its Content-Disposition header. */
async function readFile(response: Response): Promise<File> {
  const [, encoded = ''] = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  const content = await response.blob()
  return new File([content], decodeURIComponent(encoded), { type: content.type })
}

async function readAnswer<E extends Endpoint>(endpoint: E, response: Response): Promise<AnswerOf<E>> {
  if (endpoint.response === null) return undefined as AnswerOf<E>
  if ('file' in endpoint.response) return (await readFile(response)) as AnswerOf<E>
  if (!response.headers.get('Content-Type')?.includes('json'))
    throw new Error('the response is not JSON from the portal')
  return await response.json()
}

/**
 * Sends one call without retries.
 * @returns JSON, or a file with the name set by the server @throws ApiError for an error response, NoAnswerError
 * without a usable one
 */
export type Call = <E extends Endpoint>(endpoint: E, options: CallOptions<E>) => Promise<AnswerOf<E>>

/** @param send a `fetch` without retries, timeout or exceptions on HTTP errors */
export const createCall =
  (send: (url: string, init: RequestInit) => Promise<Response>): Call =>
  async (endpoint, options) => {
    const { params, query, body, signal, token = readSessionToken(), language = readLanguage() } = options
    const search = new URLSearchParams(
      Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]),
    ).toString()
    const url = `${pathOf(endpoint.path, params)}${search && `?${search}`}`

    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), TIMEOUT_MS)
    signal?.addEventListener('abort', () => patience.abort())
    const sentAt = deviceNow()
    try {
      const response = await send(url, {
        method: endpoint.method,
        headers: headersOf(endpoint, token, language, options.token !== undefined),
        signal: patience.signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      noteServerDate(response.headers.get('Date'), sentAt, deviceNow())
      // The timeout covers only the response headers: the body of a large file may take longer.
      if (endpoint.response !== null && 'file' in endpoint.response) clearTimeout(timer)
      if (!response.ok) throw await refusal(response)
      const answer = await readAnswer(endpoint, response)
      reportReachable(true, sentAt)
      return answer
    } catch (error) {
      if (signal?.aborted) throw error
      reportReachable(error instanceof ApiError && error.status < 500, sentAt)
      if (error instanceof ApiError) tell(error, token)
      if (error instanceof ApiError || error instanceof NoAnswerError) throw error
      throw new NoAnswerError('no response', { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
