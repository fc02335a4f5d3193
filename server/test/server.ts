import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import * as v from 'valibot'
import { afterAll } from 'vitest'
import type { Endpoint, ResponseOf, SentBodyOf } from '#contract/endpoint.ts'
import type { Language } from '#contract/values.ts'
import { createApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { Database } from '#server/db/client.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { listFailureCodes } from '#server/texts/failure-codes.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** A portal that believes a proxy on this machine. */
export const behindProxy: Pick<Config, 'trustedProxies'> = {
  trustedProxies: readConfig({ PUBLIC_URL: 'https://sport.example.com' }).trustedProxies,
}

type AnswerBody<E extends Endpoint> = E['response'] extends { file: string } ? Uint8Array : ResponseOf<E>

export type TestRequest<E extends Endpoint> = {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: SentBodyOf<E>
  /** sent in a form */
  file?: File
  /** further fields of the form */
  form?: Record<string, string>
  /** session token, as from insertSession */
  token?: string
  language?: Language
  headers?: Record<string, string>
}

/** A refusal (4xx, 5xx) has `{status, message}` as its body, whatever the endpoint's own type says. */
export type TestAnswer<E extends Endpoint> = { status: number; headers: Headers; body: AnswerBody<E> }

/** An endpoint's address with its parameters filled in. */
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

/** Every failed answer of every test has a code that the OpenAPI document lists. */
function requireCode(httpStatus: number, { status, code }: { status?: string; code?: string }): void {
  if (httpStatus < 400 && status !== 'Failed') return
  if (!codes.has(code ?? '')) throw new Error(`unlisted failure code: ${code}`)
}

async function bodyOf<E extends Endpoint>(endpoint: E, response: Response): Promise<AnswerBody<E>> {
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  if (!isJson) return new Uint8Array(await response.arrayBuffer()) as AnswerBody<E>
  const body = (await response.json()) as { status?: string; code?: string }
  requireCode(response.status, body)
  // Every successful answer of every test is held against the contract.
  if (response.status === 200 && endpoint.response && !('file' in endpoint.response)) v.parse(endpoint.response, body)
  return body as AnswerBody<E>
}

export type TestServer = {
  db: Database
  database: TestDatabase
  context: ServerContext
  app: ReturnType<typeof createApp>['app']
  /** Sends one call through the app without a socket, a valid XSRF pair included. */
  request<E extends Endpoint>(endpoint: E, request?: TestRequest<E>): Promise<TestAnswer<E>>
  close(): Promise<void>
}

export function formOf(file: File, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', file)
  return form
}

/** The whole server on a fresh database. */
export async function createTestServer(config: Partial<Config> = {}, poolSize = 5): Promise<TestServer> {
  const database = await createTestDatabase({ poolSize })
  const { db } = database
  // What a portal keeps beside its database is nobody else's.
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

/** The server of a test file, for all of its tests. */
export async function openTestServer(config?: Partial<Config>, poolSize?: number): Promise<TestServer> {
  const server = await createTestServer(config, poolSize)
  afterAll(() => server.close())
  return server
}
