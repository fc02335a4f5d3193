import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import * as v from 'valibot'
import { afterAll } from 'vitest'
import type { Endpoint, RequestBodyOf, ResponseOf } from '#contract/endpoint.ts'
import type { Language } from '#contract/values.ts'
import { createApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/db/client.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { listFailureCodes } from '#server/platform/texts/failure-codes.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** Settings of a portal that trusts a proxy on this machine. */
export const behindProxy: Pick<Config, 'trustedProxies'> = {
  trustedProxies: readConfig({ PUBLIC_URL: 'https://sport.example.com' }).trustedProxies,
}

type AnswerBody<E extends Endpoint> = E['response'] extends { file: string } ? Uint8Array : ResponseOf<E>

export type TestRequest<E extends Endpoint> = {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: RequestBodyOf<E>
  /** file that is sent in a form */
  file?: File
  /** further fields of the form */
  form?: Record<string, string>
  /** session token, as returned by insertSession */
  token?: string
  language?: Language
  headers?: Record<string, string>
}

/**
 * Response to a test request. The body of an error (4xx, 5xx) is `{status, message}`, regardless of the endpoint's
 * type.
 */
export type TestAnswer<E extends Endpoint> = { status: number; headers: Headers; body: AnswerBody<E> }

/** Path of an endpoint with its parameters filled in. */
export function addressOf(
  endpoint: Endpoint,
  params: Record<string, string | number> = {},
  query: Record<string, string> = {},
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return search ? `${path}?${search}` : path
}

const codes = new Set(listFailureCodes().map(({ code }) => code))

/** Checks for every test that each failed response has a code that is listed in the OpenAPI document. */
function requireCode(httpStatus: number, { status, code }: { status?: string; code?: string }): void {
  if (httpStatus < 400 && status !== 'Failed') return
  if (!codes.has(code ?? '')) throw new Error(`unlisted failure code: ${code}`)
}

async function bodyOf<E extends Endpoint>(endpoint: E, response: Response): Promise<AnswerBody<E>> {
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  if (!isJson) return new Uint8Array(await response.arrayBuffer()) as AnswerBody<E>
  const body = (await response.json()) as { status?: string; code?: string }
  requireCode(response.status, body)
  // Every successful response in every test is validated against the contract.
  if (response.status === 200 && endpoint.response && !('file' in endpoint.response)) v.parse(endpoint.response, body)
  return body as AnswerBody<E>
}

export type TestServer = {
  db: Database
  database: TestDatabase
  context: ServerContext
  app: ReturnType<typeof createApp>['app']
  /** Sends a request to the app without a socket. It includes a valid pair of XSRF cookie and header. */
  request<E extends Endpoint>(endpoint: E, request?: TestRequest<E>): Promise<TestAnswer<E>>
  close(): Promise<void>
}

export function formOf(file: File, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', file)
  return form
}

/** Creates the whole server with a fresh database. */
export async function createTestServer(config: Partial<Config> = {}, poolSize = 5): Promise<TestServer> {
  const database = await createTestDatabase({ poolSize })
  const { db } = database
  // Each test server has a DATA_DIR of its own.
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-'))
  const context: ServerContext = {
    db,
    config: { ...readConfig({}), dataDir, ...config },
    log: pino({ level: 'silent' }),
    wakeMailer: () => {},
  }
  const { app } = createApp(context)
  return {
    db,
    database,
    context,
    app,
    async request(endpoint, { params, query, body, file, form, token, language, headers = {} } = {}) {
      const response = await app.request(addressOf(endpoint, params, query), {
        method: endpoint.method,
        headers: {
          Cookie: 'XSRF-TOKEN=test',
          'X-XSRF-TOKEN': 'test',
          ...(token && { SessionToken: token }),
          ...(language && { 'Accept-Language': language }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(file && { body: formOf(file, form) }),
      })
      return { status: response.status, headers: response.headers, body: await bodyOf(endpoint, response) }
    },
    async close() {
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Opens the server that all tests of a file share. */
export async function openTestServer(config?: Partial<Config>, poolSize?: number): Promise<TestServer> {
  const server = await createTestServer(config, poolSize)
  afterAll(() => server.close())
  return server
}
