import ky, { type KyResponse } from 'ky'
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf, SentBodyOf } from '#contract/endpoint.ts'
import { ApiError, NoAnswerError } from './api-error.ts'
import { noteServerDate } from './clock.ts'
import { readLanguage } from './language.ts'
import { readSessionToken } from './session-token.ts'

type Part<Name extends string, Value> = Value extends undefined ? { [K in Name]?: undefined } : { [K in Name]: Value }

export type CallOptions<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  (QueryOf<E> extends undefined ? { query?: undefined } : { query?: Partial<QueryOf<E>> }) &
  (BodyOf<E> extends undefined ? { body?: undefined } : { body: SentBodyOf<E> }) & {
    signal?: AbortSignal
    /** another person's token than the stored one: the outbox sends as the one who recorded */
    token?: string | null
  }

type AnswerOf<E extends Endpoint> = E['response'] extends { file: string } ? Blob : ResponseOf<E>

const TIMEOUT_MS = 20_000
const client = ky.create({ retry: 0, throwHttpErrors: false, timeout: TIMEOUT_MS })

const lostListeners = new Set<() => void>()

/** Tells when the server answered 401 to a call that carried the stored token. Returns the way to stop listening. */
export function onSessionLost(listener: () => void): () => void {
  lostListeners.add(listener)
  return () => lostListeners.delete(listener)
}

const forbiddenListeners = new Set<() => void>()

/** Tells when the server answered 403: the session is good, the right is missing. */
export function onForbidden(listener: () => void): void {
  forbiddenListeners.add(listener)
}

const reachabilityListeners = new Set<(isReachable: boolean) => void>()

/** Tells after every call whether the server answered it. */
export function onReachability(listener: (isReachable: boolean) => void): void {
  reachabilityListeners.add(listener)
}

const reportReachable = (isReachable: boolean) => {
  for (const listener of reachabilityListeners) listener(isReachable)
}

const xsrfToken = () => /(?:^|;\s*)XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''

const pathOf = (path: string, params: Record<string, unknown> = {}) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

function headersOf(endpoint: Endpoint, token: string | null) {
  const headers = new Headers({ 'Accept-Language': readLanguage() })
  if (endpoint.access !== 'public' && token) headers.set('SessionToken', token)
  if (endpoint.method !== 'GET' && typeof document !== 'undefined') headers.set('X-XSRF-TOKEN', xsrfToken())
  return headers
}

async function refusal(response: KyResponse): Promise<Error> {
  const body: unknown = await response.json().catch(() => null)
  if (typeof body !== 'object' || body === null || !('message' in body)) {
    return new NoAnswerError(`HTTP ${response.status} without an answer of the portal`)
  }
  const retryAfter = Number(response.headers.get('Retry-After'))
  return new ApiError(response.status, String(body.message), retryAfter > 0 ? retryAfter : null)
}

/**
 * Sends one call of the contract. Unsuccessful calls are not retried.
 * @returns the answer's JSON, or a Blob for files
 * @throws ApiError when the portal refused, NoAnswerError when nothing usable came back
 */
export async function call<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<AnswerOf<E>> {
  const { params, query, body, signal, token = readSessionToken() } = options
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]),
  ).toString()
  const url = `${pathOf(endpoint.path, params)}${search && `?${search}`}`

  const sentAt = Date.now()
  let response: KyResponse
  try {
    response = await client(url, {
      method: endpoint.method,
      headers: headersOf(endpoint, token),
      ...(body === undefined ? {} : { json: body }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    reportReachable(false)
    throw new NoAnswerError('no answer', { cause: error })
  }
  reportReachable(response.status < 500)
  noteServerDate(response.headers.get('Date'), sentAt, Date.now())
  if (!response.ok) {
    if (response.status === 401 && token !== null && token === readSessionToken()) {
      for (const listener of lostListeners) listener()
    }
    if (response.status === 403) for (const listener of forbiddenListeners) listener()
    throw await refusal(response)
  }
  if (endpoint.response === null) return undefined as AnswerOf<E>
  if ('file' in endpoint.response) return (await response.blob()) as AnswerOf<E>
  if (!response.headers.get('Content-Type')?.includes('json')) throw new NoAnswerError('not the portal')
  try {
    return await response.json()
  } catch (error) {
    throw new NoAnswerError('the answer broke off', { cause: error })
  }
}
