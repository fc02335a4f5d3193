import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type {
  Endpoint,
  EndpointAccess,
  FormFieldsOf,
  ParamsOf,
  ParsedBodyOf,
  QueryOf,
  ResponseOf,
} from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { Language, Right } from '#contract/values.ts'
import { RIGHTS_OF_SCOPE, type Scope } from '#contract/values.ts'
import { countResponse } from '#server/platform/observability/registry.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { negotiateLanguage } from '#server/platform/texts/translate.ts'
import { createClientIpResolver, networkOf } from './address.ts'
import { createBodyBudget } from './body-budget.ts'
import { type Cookies, createCookies } from './cookies.ts'
import { requireSameSite } from './cross-site.ts'
import { privateJsonResponse } from './encoded-json.ts'
import { bearerTokenIn, contentDisposition, hasBearerToken } from './headers.ts'
import { BearerProblem, forbidden, HttpProblem, invalidField, passkeyRequired, sessionInvalid } from './problems.ts'
import { admitBody, discardBody, MAX_BODY_BYTES, readFileBody, readJsonBody, type UploadedFile } from './read-body.ts'
import { requireStorableText } from './storable-text.ts'
import { hashToken } from './token.ts'

/** User who is authenticated by a valid session token. */
export type SessionUser = {
  id: number
  email: string
  isInstructor: boolean
  /** whether the user has logged in with a password sent by e-mail and must set a new one first */
  isPasswordToChange: boolean
  /** office permissions */
  rights: Right[]
  /**
   * whether the session was recently confirmed with a passkey; requests that the user triggers in the office UI extend
   * the confirmation
   */
  isConfirmed: boolean
  /** whether a passkey was used in this session within the past minute */
  hasFreshPasskey?: boolean
  tokenHash: Buffer
  /** service token and the name of the API client that uses it; missing for people */
  service?: { id: number; name: string; scopes: readonly Scope[] }
}

/** Looks up a session token. Resolves to null if the token is unknown, expired or revoked. */
export type Authenticate = (token: string) => Promise<SessionUser | null>

type SessionOf<E extends Endpoint> = E['access'] extends 'public'
  ? null
  : E['access'] extends 'optional'
    ? SessionUser | null
    : SessionUser

/** Request that has been validated against the contract. */
export type ApiCall<E extends Endpoint = Endpoint> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: ParsedBodyOf<E>
  /** uploaded file, if the endpoint has `takesFile` */
  file: E extends { takesFile: object } ? UploadedFile : undefined
  form: FormFieldsOf<E>
  session: SessionOf<E>
  language: Language
  /** the client's network, used as the key for rate limits */
  address: string
  cookies: Cookies
  request: Request
  /**
   * Only for endpoints with `namesPeople`: reports whose data the response contains, or null for a search. Each access
   * is logged, and these people can see it.
   */
  shows: E['namesPeople'] extends true ? (people: (number | null)[]) => void : undefined
}

/** File response; its name is sent in the Content-Disposition header. */
export type FileResponse = {
  fileName: string
  content: Uint8Array | ReadableStream<Uint8Array>
  mediaType?: string
}

type CallResult<E extends Endpoint> = E['response'] extends { file: string }
  ? FileResponse
  : E['response'] extends null
    ? undefined
    : ResponseOf<E>

/** Handles one request; a returned `Response` is sent unchanged. */
export type Handler<E extends Endpoint> = (call: ApiCall<E>) => Promise<CallResult<E> | Response>

/** Runs before the body is received. A result is the response, and the body is discarded. */
type BeforeBody<E extends Endpoint> = (
  call: Pick<ApiCall<E>, 'session' | 'language'>,
) => Promise<CallResult<E> | undefined>

export type Api = {
  mount<E extends Endpoint>(endpoint: E, handler: Handler<E>, beforeBody?: BeforeBody<E>): void
  mounted: Set<Endpoint>
}

/**
 * Callbacks for authenticating service tokens, limiting expensive requests, logging access to people's names, and
 * recording user activity and request origins.
 */
export type ApiRequestHooks = {
  /** finds an API client by the hash of its service token */
  findService: (tokenHash: Buffer) => Promise<{ id: number; name: string; scopes: Scope[] } | null>
  /**
   * Creates a limit on requests per person or service token: `costly` for endpoints with `isCostly`, else the name of an
   * endpoint with `takesFile`. The limit throws HttpProblem 429.
   */
  createCallLimit: (name: string, limit?: Endpoint['takesFile']) => (caller: string) => Promise<void>
  /** logs that a response contained people's names */
  noteReads: (
    session: SessionUser,
    call: { call: string; isOffice: boolean },
    people: (number | null)[],
  ) => Promise<unknown>
  /** records that a user is active in the office UI; not called for the app's background requests */
  noteTap: (tokenHash: Buffer) => Promise<unknown>
  /** compares the `Origin` header of an authenticated request with PUBLIC_URL */
  noteOrigin: (origin: string | undefined) => void
}
/** Header of requests that were triggered by user input. */
const TAP = 'Desk-Tap'

const MAX_TOKEN_LENGTH = 200
const PROTECTED: readonly EndpointAccess[] = ['session', 'instructor', 'office']

/** Canonical form of a path: `InboxItem` and `inboxitem` are equivalent. */
export const canonicalPath = (path: string): string => path.replace(/^\/api\/InboxItem\//, '/api/inboxitem/')

/** Validates `input` against a schema of the contract. @throws HttpProblem 400 naming the invalid field */
function check<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (!result.success) throw invalidField(v.getDotPath(result.issues[0]) ?? 'body')
  requireStorableText(result.output)
  return result.output
}

const fileResponse = ({ fileName, content, mediaType }: FileResponse, defaultType: string) =>
  new Response(content instanceof Uint8Array ? Buffer.from(content) : content, {
    headers: {
      'Content-Type': mediaType ?? defaultType,
      'Content-Disposition': contentDisposition('attachment', fileName),
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      // This policy keeps documents that are displayed inline from running scripts.
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  })

/** Names of endpoints, as in the OpenAPI document. */
const namesOfCalls = new Map(Object.entries(endpoints).map(([name, endpoint]) => [endpoint, name]))
const nameOf = (endpoint: Endpoint) => namesOfCalls.get(endpoint) ?? `${endpoint.method} ${endpoint.path}`

function requireShown(endpoint: Endpoint, shown: (number | null)[] | null): (number | null)[] {
  if (shown === null) throw new Error(`${nameOf(endpoint)} reports no shown people: its handler has to call shows()`)
  return [...new Set(shown)]
}

/**
 * Authorizes a request according to the endpoint's access rule.
 * @returns the session to use
 * @throws HttpProblem if the session is missing or lacks permission
 */
function authorize({ access, isOpenBeforePassword }: Endpoint, session: SessionUser | null): SessionUser | null {
  if (session && (!session.isPasswordToChange || isOpenBeforePassword)) return session
  if (session && access === 'optional') return null
  if (session && access !== 'public') throw new HttpProblem(403, 'http.passwordToChange')
  if (!session && PROTECTED.includes(access)) throw sessionInvalid()
  return session
}

/**
 * Creates a function that finds a request's session, which belongs to a person or an API client, and checks it against
 * the endpoint's access rule.
 */
function createSessionFinder(authenticate: Authenticate, findService: ApiRequestHooks['findService']) {
  /** Authenticates an API client by its service token. @throws HttpProblem 401, 403 */
  const authenticateService = async (bearer: string, wanted: readonly Scope[] = []): Promise<SessionUser> => {
    const tokenHash = hashToken(bearer)
    const service = await findService(tokenHash)
    if (service === null) throw new BearerProblem('invalid_token')
    const scopes = wanted.filter(scope => service.scopes.includes(scope))
    if (scopes.length === 0) throw new BearerProblem('insufficient_scope', wanted)
    const rights = scopes.flatMap(scope => RIGHTS_OF_SCOPE[scope])
    const nobody = { id: 0, email: '', isInstructor: false, isPasswordToChange: false }
    return { ...nobody, rights, isConfirmed: true, tokenHash, service: { ...service } }
  }

  return async (endpoint: Endpoint, c: Context): Promise<SessionUser | null> => {
    const authorization = c.req.header('Authorization')
    const bearer = bearerTokenIn(authorization)
    const token = c.req.header('SessionToken') ?? ''
    const isOfProgram = token === '' && PROTECTED.includes(endpoint.access)
    if (isOfProgram && !bearer && hasBearerToken(authorization)) throw new BearerProblem('invalid_token')
    if (isOfProgram && !bearer && endpoint.scopes) throw new BearerProblem('missing')
    if (bearer && (endpoint.scopes || isOfProgram)) return authenticateService(bearer, endpoint.scopes)
    const isTokenUsable = token !== '' && token.length <= MAX_TOKEN_LENGTH
    // Public endpoints use the session only to check that the request is same-site.
    const isNeeded = endpoint.access !== 'public' || endpoint.method !== 'GET'
    const session = isNeeded && isTokenUsable ? await authenticate(token) : null
    const authorized = authorize(endpoint, session)
    if (!session && endpoint.method !== 'GET') requireSameSite(c)
    return authorized
  }
}

type Caller = { session: SessionUser | null; isPasskeyRequired: boolean }

/** Checks the permissions for an office request. Missing permissions are reported before any other error. */
function requireRight(
  { scopes = [] }: Endpoint,
  { session, isPasskeyRequired }: Caller,
  rights: readonly Right[] | null | undefined,
): void {
  if (!session || session.rights.length === 0) throw forbidden()
  if (isPasskeyRequired && !session.isConfirmed) throw passkeyRequired()
  if (!rights || rights.some(right => session.rights.includes(right))) return
  if (!session.service) throw forbidden()
  const sufficient = scopes.filter(scope => RIGHTS_OF_SCOPE[scope].some(right => rights.includes(right)))
  throw new BearerProblem('insufficient_scope', sufficient)
}

/** For office requests, checks the required permissions as far as they do not depend on the body. */
function requireRightBeforeBody(endpoint: Endpoint, caller: Caller): void {
  const { access, rights } = endpoint
  // The scopes of an API client have already been checked.
  const isDecided = typeof rights === 'function' || caller.session?.service !== undefined
  if (access === 'office') requireRight(endpoint, caller, isDecided ? null : rights)
}

/** Reads and validates the body. */
async function readBody(endpoint: Endpoint, caller: Caller, c: Context) {
  if (!endpoint.body) return undefined
  // The body of a DELETE request may be missing, because many HTTP clients cannot send one.
  const isBare = endpoint.method === 'DELETE' && c.req.header('Content-Type') === undefined
  const body = isBare ? {} : await readJsonBody(c, endpoint.maxBytes)
  if (typeof endpoint.rights === 'function') requireRight(endpoint, caller, endpoint.rights(body))
  return check(endpoint.body, body)
}

/**
 * Mounts endpoints of the contract with authentication, authorization, CSRF protection and validation. Handlers receive
 * only valid requests.
 */
export function createApi(
  app: Hono,
  authenticate: Authenticate,
  {
    config: { publicUrl, trustedProxies, isPasskeyRequired, metricsAddress, dataDir },
    log,
  }: Pick<ServerContext, 'config' | 'log'>,
  { findService, noteReads, noteTap, noteOrigin, createCallLimit }: ApiRequestHooks,
): Api {
  const mounted = new Set<Endpoint>()
  const addressOf = createClientIpResolver(trustedProxies, log)
  const findSession = createSessionFinder(authenticate, findService)
  const reserveBody = createBodyBudget()
  const limitCostlyCalls = createCallLimit('costly')

  const api: Api = {
    mounted,
    mount(endpoint, handler, beforeBody) {
      if (mounted.has(endpoint)) throw new Error(`${endpoint.method} ${endpoint.path} is mounted twice`)
      mounted.add(endpoint)
      const { takesFile, isCostly, maxBytes = MAX_BODY_BYTES } = endpoint
      const hasBody = endpoint.body !== undefined || takesFile !== undefined
      const limitUploads = takesFile && createCallLimit(nameOf(endpoint), takesFile)

      /** @returns JSON, file or prepared response of the endpoint */
      const send = async (c: Context, answer: Awaited<ReturnType<typeof handler>>): Promise<Response> => {
        if (answer instanceof Response) return answer
        if (metricsAddress) countResponse(`${endpoint.method} ${endpoint.path}`, answer)
        if (endpoint.response === null || answer === undefined) return c.body(null, 204)
        if ('file' in endpoint.response) return fileResponse(answer as FileResponse, endpoint.response.file)
        return privateJsonResponse(c.req.raw, JSON.stringify(answer))
      }

      const handle = async (c: Context, session: SessionUser | null, address: string): Promise<Response> => {
        const { cookies, writeTo } = createCookies(c, publicUrl.startsWith('https:'))
        const body = await readBody(endpoint, { session, isPasskeyRequired }, c)
        const file = takesFile && (await readFileBody(c, maxBytes, dataDir))
        requireStorableText(file?.name, 'file')
        if (session?.isConfirmed && endpoint.access === 'office' && c.req.header(TAP)) await noteTap(session.tokenHash)
        let shown: (number | null)[] | null = null
        const call = {
          params: endpoint.params && check(endpoint.params, c.req.param()),
          query: endpoint.query && check(endpoint.query, c.req.query()),
          body,
          file,
          form: endpoint.form && file && check(endpoint.form, file.fields),
          session: endpoint.access === 'public' ? null : session,
          language: negotiateLanguage(c.req.header('Accept-Language')),
          address,
          cookies,
          request: c.req.raw,
          shows: (people: (number | null)[]) => {
            shown = people
          },
        }
        if (endpoint.changesData && c.req.raw.method === 'HEAD') return c.body(null)
        // All parts have been validated above, but TypeScript cannot infer the schema's type through `check`.
        const answer = await handler(call as ApiCall<typeof endpoint>)
        const isUnchanged = answer instanceof Response && answer.status === 304
        if (endpoint.namesPeople && session && !isUnchanged) {
          const read = { call: nameOf(endpoint), isOffice: endpoint.access === 'office' }
          await noteReads(session, read, requireShown(endpoint, shown))
        }
        return writeTo(await send(c, answer))
      }

      app.on(endpoint.method, canonicalPath(endpoint.path), async c => {
        const session = await findSession(endpoint, c)
        if (session) noteOrigin(c.req.header('Origin'))
        requireRightBeforeBody(endpoint, { session, isPasskeyRequired })
        const address = networkOf(addressOf(c))
        const caller = session?.service ? session.tokenHash.toString('hex') : String(session?.id ?? address)
        let release = () => {}
        const admit = async (bytes: number) => {
          release = reserveBody({ caller, address }, bytes)
          if (isCostly && session) await limitCostlyCalls(caller)
          await limitUploads?.(caller)
          const language = negotiateLanguage(c.req.header('Accept-Language'))
          return beforeBody?.({ session, language } as ApiCall<typeof endpoint>)
        }
        try {
          const refusal = hasBody ? await admitBody(c, maxBytes, admit) : await admit(0)
          if (refusal === undefined) return await handle(c, session, address)
          await discardBody(c)
          return await send(c, refusal)
        } finally {
          release()
        }
      })
    },
  }
  return api
}
