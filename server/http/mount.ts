import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { Access, BodyOf, Endpoint, FormOf, ParamsOf, QueryOf, ResponseOf } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { Right } from '#contract/rights.ts'
import { RIGHTS_OF_SCOPE, type Scope } from '#contract/scopes.ts'
import type { Language } from '#contract/values.ts'
import { countResponse } from '#server/metrics/registry.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { languageOf } from '#server/texts/translate.ts'
import { createAddressOf, networkOf } from './address.ts'
import { type Cookies, createCookies } from './cookies.ts'
import { requireSameSite } from './cross-site.ts'
import { privateJson } from './encoded-json.ts'
import { bearerIn, contentDisposition, isBearer } from './headers.ts'
import { BearerProblem, forbidden, HttpProblem, invalidField, passkeyRequired, sessionInvalid } from './problems.ts'
import { MAX_BODY_BYTES, readFileBody, readJsonBody, type SentFile } from './read-body.ts'
import { hashToken } from './token.ts'

/** User of a valid session token. */
export type SessionUser = {
  id: number
  email: string
  isInstructor: boolean
  /** the user logged in with a mailed password and can only set a new one */
  isPasswordToChange: boolean
  /** rights at the desk */
  rights: Right[]
  /** the session was recently confirmed by a passkey; each use of the desk extends the period */
  isConfirmed: boolean
  /** a passkey was used in this session within the last minute */
  hasFreshPasskey?: boolean
  tokenHash: Buffer
  /** service token and name of its program; missing for people */
  service?: { id: number; name: string }
}

/** Looks up a session token; null if it is unknown, expired or revoked. */
export type Authenticate = (token: string) => Promise<SessionUser | null>

type SessionOf<E extends Endpoint> = E['access'] extends 'public'
  ? null
  : E['access'] extends 'optional'
    ? SessionUser | null
    : SessionUser

/** Request that has been validated against the contract. */
export type Call<E extends Endpoint = Endpoint> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** uploaded file, if the endpoint has `takesFile` */
  file: E extends { takesFile: true } ? SentFile : undefined
  form: FormOf<E>
  session: SessionOf<E>
  language: Language
  /** network of the client, as key for rate limits */
  address: string
  cookies: Cookies
  request: Request
  /**
   * For endpoints with `namesPeople`: reports whose data the response contains, or null for a search. It is logged,
   * and visible to these people.
   */
  shows: E['namesPeople'] extends true ? (people: (number | null)[]) => void : undefined
}

/** File response, whose name is used in Content-Disposition. */
export type FileAnswer = {
  fileName: string
  content: Uint8Array | ReadableStream<Uint8Array>
  mediaType?: string
}

type AnswerOf<E extends Endpoint> = E['response'] extends { file: string }
  ? FileAnswer
  : E['response'] extends null
    ? undefined
    : ResponseOf<E>

/** Handles one request; a returned `Response` is sent unchanged. */
export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E> | Response>

export type Api = {
  mount<E extends Endpoint>(endpoint: E, handler: Handler<E>): void
  mounted: Set<Endpoint>
}

/** Hooks of the desk for service tokens, rate limits and access logging. */
export type DeskHooks = {
  /** finds a program by the hash of its service token */
  findService: (tokenHash: Buffer) => Promise<{ id: number; name: string; scopes: Scope[] } | null>
  /** counts an expensive request of a person or service token @throws HttpProblem 429 */
  limitCostlyCalls: (caller: string) => Promise<void>
  /** logs that a response showed people's names */
  noteReads: (
    session: SessionUser,
    call: { call: string; isOffice: boolean },
    people: (number | null)[],
  ) => Promise<unknown>
  /** records user activity at the desk, as opposed to background requests of the app */
  noteTap: (tokenHash: Buffer) => Promise<unknown>
  /** compares the `Origin` header of a logged-in person's request with PUBLIC_URL */
  noteOrigin: (origin: string | undefined) => void
}
/** Header of requests that a user's input has triggered. */
const TAP = 'Desk-Tap'

const MAX_TOKEN_LENGTH = 200
const PROTECTED: readonly Access[] = ['session', 'instructor', 'office']

/** Lower-case path for comparison: `inboxitem` and `InboxItem` are equivalent. */
export const canonicalPath = (path: string): string => path.replace(/^\/api\/InboxItem\//, '/api/inboxitem/')

/** Validates `input` against a schema of the contract; a violation is a 400 response that names the field. */
function check<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (result.success) return result.output
  throw invalidField(v.getDotPath(result.issues[0]) ?? 'body')
}

const fileResponse = ({ fileName, content, mediaType }: FileAnswer, defaultType: string) =>
  new Response(content instanceof Uint8Array ? Buffer.from(content) : content, {
    headers: {
      'Content-Type': mediaType ?? defaultType,
      'Content-Disposition': contentDisposition('attachment', fileName),
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      // The policy prevents a document that is displayed inline from executing anything.
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
 * Authorizes a request by the endpoint's access rule. @returns the session to use @throws HttpProblem if a session is
 * required or lacks permission
 */
function authorize({ access, isOpenBeforePassword }: Endpoint, session: SessionUser | null): SessionUser | null {
  if (session && (!session.isPasswordToChange || isOpenBeforePassword)) return session
  if (session && access === 'optional') return null
  if (session && access !== 'public') throw new HttpProblem(403, 'http.passwordToChange')
  if (!session && PROTECTED.includes(access)) throw sessionInvalid()
  return session
}

/** Finds the session of a request, of a person or a program, and checks it against the endpoint's access rule. */
function createSessionFinder(authenticate: Authenticate, findService: DeskHooks['findService']) {
  /** Authenticates a program. @throws HttpProblem 401, 403 */
  const authenticateService = async (bearer: string, wanted: readonly Scope[] = []): Promise<SessionUser> => {
    const tokenHash = hashToken(bearer)
    const service = await findService(tokenHash)
    if (service === null) throw new BearerProblem('invalid_token')
    const scopes = wanted.filter(scope => service.scopes.includes(scope))
    if (scopes.length === 0) throw new BearerProblem('insufficient_scope', wanted)
    const rights = scopes.flatMap(scope => RIGHTS_OF_SCOPE[scope])
    const nobody = { id: 0, email: '', isInstructor: false, isPasswordToChange: false }
    return { ...nobody, rights, isConfirmed: true, tokenHash, service: { id: service.id, name: service.name } }
  }

  return async (endpoint: Endpoint, c: Context): Promise<SessionUser | null> => {
    const authorization = c.req.header('Authorization')
    const bearer = bearerIn(authorization)
    const token = c.req.header('SessionToken') ?? ''
    const isOfProgram = token === '' && PROTECTED.includes(endpoint.access)
    if (isOfProgram && !bearer && isBearer(authorization)) throw new BearerProblem('invalid_token')
    if (isOfProgram && !bearer && endpoint.scopes) throw new BearerProblem('missing')
    if (bearer && (endpoint.scopes || isOfProgram)) return authenticateService(bearer, endpoint.scopes)
    const isTokenUsable = token !== '' && token.length <= MAX_TOKEN_LENGTH
    // Public endpoints need the session only to verify that the request is same-site.
    const isNeeded = endpoint.access !== 'public' || endpoint.method !== 'GET'
    const session = isNeeded && isTokenUsable ? await authenticate(token) : null
    const authorized = authorize(endpoint, session)
    if (!session && endpoint.method !== 'GET') requireSameSite(c)
    return authorized
  }
}

type Caller = { session: SessionUser | null; isPasskeyRequired: boolean }

/** Checks the rights of a desk request, whose lack is reported before any other error. */
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

/** Reads and validates the body; for desk requests, after checking the rights it requires. */
async function readBody(endpoint: Endpoint, caller: Caller, c: Context) {
  const { access, rights } = endpoint
  const dependsOnBody = typeof rights === 'function'
  // The scope of a program has been checked already.
  const isDecided = dependsOnBody || caller.session?.service !== undefined
  if (access === 'office') requireRight(endpoint, caller, isDecided ? null : rights)
  if (!endpoint.body) return undefined
  // Many HTTP clients cannot send a body with DELETE, so it may be missing.
  const isBare = endpoint.method === 'DELETE' && c.req.header('Content-Type') === undefined
  const body = isBare ? {} : await readJsonBody(c, endpoint.maxBytes)
  if (dependsOnBody) requireRight(endpoint, caller, rights(body))
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
    config: { publicUrl, trustedProxies, isPasskeyRequired, metricsAddress },
    log,
  }: Pick<ServerContext, 'config' | 'log'>,
  { findService, noteReads, noteTap, noteOrigin, limitCostlyCalls }: DeskHooks,
): Api {
  const mounted = new Set<Endpoint>()
  const addressOf = createAddressOf(trustedProxies, log)
  const findSession = createSessionFinder(authenticate, findService)

  const api: Api = {
    mounted,
    mount(endpoint, handler) {
      if (mounted.has(endpoint)) throw new Error(`${endpoint.method} ${endpoint.path} is mounted twice`)
      mounted.add(endpoint)
      app.on(endpoint.method, canonicalPath(endpoint.path), async c => {
        const session = await findSession(endpoint, c)
        if (session) noteOrigin(c.req.header('Origin'))
        const { cookies, writeTo } = createCookies(c, publicUrl.startsWith('https:'))
        const body = await readBody(endpoint, { session, isPasskeyRequired }, c)
        if (endpoint.isCostly && session)
          await limitCostlyCalls(session.service ? session.tokenHash.toString('hex') : String(session.id))
        const file = endpoint.takesFile && (await readFileBody(c, endpoint.maxBytes ?? MAX_BODY_BYTES))
        if (session?.isConfirmed && endpoint.access === 'office' && c.req.header(TAP)) await noteTap(session.tokenHash)
        let shown: (number | null)[] | null = null
        const call = {
          params: endpoint.params && check(endpoint.params, c.req.param()),
          query: endpoint.query && check(endpoint.query, c.req.query()),
          body,
          file,
          form: endpoint.form && file && check(endpoint.form, file.fields),
          session: endpoint.access === 'public' ? null : session,
          language: languageOf(c.req.header('Accept-Language')),
          address: networkOf(addressOf(c)),
          cookies,
          request: c.req.raw,
          shows: (people: (number | null)[]) => {
            shown = people
          },
        }
        // The parts have been validated above; TypeScript cannot infer the schema's type through `check`.
        const answer = await handler(call as Call<typeof endpoint>)
        if (endpoint.namesPeople && session) {
          const read = { call: nameOf(endpoint), isOffice: endpoint.access === 'office' }
          await noteReads(session, read, requireShown(endpoint, shown))
        }
        if (answer instanceof Response) return writeTo(answer)
        if (metricsAddress) countResponse(`${endpoint.method} ${endpoint.path}`, answer)
        if (endpoint.response === null || answer === undefined) return c.body(null, 204)
        if ('file' in endpoint.response) return fileResponse(answer as FileAnswer, endpoint.response.file)
        return writeTo(await privateJson(c.req.raw, JSON.stringify(answer)))
      })
    },
  }
  return api
}
