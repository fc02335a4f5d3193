import type { Hono } from 'hono'
import * as contract from '#contract/endpoints/company.ts'
import {
  findSessionView,
  openSession,
  readRequestBrowser,
  toNoSessionResponse,
  toSessionResponse,
} from '#server/features/session/service.ts'
import { asksForPasskeys } from '#server/platform/config/config.ts'
import { createClientIpResolver, networkOf } from '#server/platform/http/address.ts'
import type { Cookies } from '#server/platform/http/cookies.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { readFormBody } from '#server/platform/http/read-body.ts'
import { logSecurityEvent } from '#server/platform/http/security-log.ts'
import { createToken, hashToken } from '#server/platform/http/token.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createMessageResponse } from '#server/platform/texts/failure-codes.ts'
import { negotiateLanguage } from '#server/platform/texts/translate.ts'
import { createRateLimit } from '#server/platform/throttle/token-buckets.ts'
import {
  createOidcProvider,
  InvalidLogoutToken,
  LOGOUT_TOKEN_MAX_MINUTES,
  type OidcProvider,
  ProviderUnavailable,
  refusalReasonOf,
} from './provider-service.ts'
import * as repository from './repository.ts'
import { LOGIN_STATE_MINUTES, listOmittedClaims, MAX_SESSION_ID_LENGTH, parsePersonClaims } from './rules.ts'
import { createCompanyLogin } from './service.ts'

const PATH = '/api/session/company/back-channel'
const MAX_BODY = 32 * 1024

const answer = (status: number, body: object | null = null, headers: Record<string, string> = {}) =>
  new Response(body && JSON.stringify(body), {
    status,
    headers: { 'Cache-Control': 'no-store', ...(body && { 'Content-Type': 'application/json' }), ...headers },
  })
const refuse = (why: string) => answer(400, { error: 'invalid_request', error_description: why })

/**
 * Mounts the endpoint through which the single sign-on provider ends sessions: OpenID Connect Back-Channel Logout 1.0.
 * See docs/decisions/0095.
 */
function mountBackChannel(app: Hono, context: ServerContext, provider: OidcProvider): void {
  const { db, config, log } = context
  const takeTurn = createRateLimit(context, 'company-logout', { burst: 500, perMinute: 600 })
  const addressOf = createClientIpResolver(config.trustedProxies, log)

  app.post(PATH, async c => {
    await takeTurn(networkOf(addressOf(c)))
    const token = (await readFormBody(c, MAX_BODY)).get('logout_token')
    if (!token) return refuse('logout_token')
    try {
      const { issuer, subject, sid, jti } = await provider.readLogout(token)
      const ended = await db.transaction(async tx => {
        // Tolerates a clock skew of one minute in either direction.
        if (!(await repository.recordLogoutToken(tx, hashToken(`${issuer} ${jti}`), LOGOUT_TOKEN_MAX_MINUTES + 5)))
          return null
        return repository.endCompanySessions(tx, { issuer, subject, sid: sid.slice(0, MAX_SESSION_ID_LENGTH) })
      })
      if (ended === null) return refuse('jti')
      logSecurityEvent(log, 'sessions.ended', { isByCompany: true, count: ended })
      return answer(200)
    } catch (error) {
      if (error instanceof InvalidLogoutToken) {
        log.warn({ reason: error.message }, 'a logout token is refused')
        return refuse(error.message)
      }
      if (!(error instanceof ProviderUnavailable)) throw error
      log.warn({ err: error }, 'a logout token cannot be verified')
      return answer(503, { error: 'temporarily_unavailable' }, { 'Retry-After': '30' })
    }
  })
}

/** Cookie that binds the login flow to one browser. */
const COOKIE = 'CompanyLogin'
const RETURN_PATH = '/api/session/company/return'

const goTo = (address: string | URL) =>
  new Response(null, { status: 302, headers: { Location: String(address), 'Cache-Control': 'no-store' } })

/** Creates the function that verifies the provider's response and logs the person in, or returns the reason why not. */
function createReturnVerifier(context: ServerContext, provider: OidcProvider | null) {
  const { log } = context
  const { companyLogin: login } = context.config
  const { logInPerson } = createCompanyLogin(context)
  return async (address: URL, way: { state: string; nonce: string; verifier: string }, acceptLanguage: string) => {
    if (!provider || !login) return { outcome: 'unavailable' } as const
    try {
      const { claims, ...subject } = await provider.read(address, way)
      const omitted = listOmittedClaims(claims, login.mapping)
      if (omitted.length > 0)
        log.warn(
          { claims: omitted },
          'company login: the provider omitted claims from the token, map app roles instead',
        )
      const person = parsePersonClaims(claims, login.mapping)
      if (person === null) return { outcome: 'notMeant' } as const
      const result = await logInPerson(person, subject, negotiateLanguage(acceptLanguage))
      return { ...result, sid: typeof claims.sid === 'string' ? claims.sid.slice(0, MAX_SESSION_ID_LENGTH) : '' }
    } catch (error) {
      const isDown = error instanceof ProviderUnavailable
      const reason = isDown ? 'down' : refusalReasonOf(error)
      if (reason === undefined) throw error
      log.warn({ reason }, 'no company login')
      return { outcome: isDown ? 'unavailable' : 'refused' } as const
    }
  }
}

/** Mounts the company's single sign-on through OpenID Connect. */
export function mountCompany(api: Api, app: Hono, context: ServerContext): void {
  const { db, config, log, wakeMailer } = context
  const { companyLogin: login, publicUrl, branding, outgoingProxy } = config
  const provider = login && createOidcProvider(login, publicUrl + RETURN_PATH, outgoingProxy)
  const verifyReturn = createReturnVerifier(context, provider)
  if (provider) mountBackChannel(app, context, provider)
  // Rate limit for logins, because each one writes a row and sends a request to the provider. The limit is far above
  // what a whole company needs at once.
  const takeTurn = createRateLimit(context, 'company-login', { burst: 2_000, perMinute: 1_200 })
  const backToApp = (next = '') => goTo(`/login?company=1${next && `&next=${encodeURIComponent(next)}`}`)

  api.mount(contract.getCompanyLogin, async ({ language }) => ({
    isOn: provider !== null,
    label: provider ? (branding.texts.companyLogin[language] ?? '') : '',
  }))

  api.mount(contract.startCompanyLogin, async ({ query, address, cookies }) => {
    if (provider === null) return backToApp()
    await takeTurn(address)
    const browser = createToken()
    const way = await provider.start().catch(error => {
      if (!(error instanceof ProviderUnavailable)) throw error
      log.warn({ err: error }, 'the company login is not available')
      return null
    })
    await repository.insertLoginState(db, {
      browserHash: hashToken(browser),
      stateHash: hashToken(way?.state ?? createToken()),
      nonce: way?.nonce ?? '',
      verifier: way?.verifier ?? '',
      next: query.next,
      isKept: query.keepSession === 'true',
      outcome: way ? null : 'unavailable',
    })
    cookies.setForReturn(COOKIE, browser, LOGIN_STATE_MINUTES * 60)
    return way ? goTo(way.url) : backToApp(query.next)
  })

  api.mount(contract.returnFromCompany, async ({ query, cookies, request, address }) => {
    await takeTurn(address)
    const browserHash = hashToken(readToken(cookies))
    const way = await repository.consumeLoginState(db, browserHash, hashToken(query.state ?? ''))
    if (way === null) return backToApp()
    // Uses the configured public URL rather than the request's Host header.
    const returned = new URL(publicUrl + RETURN_PATH + new URL(request.url).search)
    const result = await verifyReturn(
      returned,
      { ...way, state: query.state ?? '' },
      request.headers.get('Accept-Language') ?? '',
    )
    const { webUserId = null, sid = '' } = { webUserId: undefined, sid: undefined, ...result }
    await repository.saveLoginOutcome(db, browserHash, result.outcome, { webUserId, sid })
    if (result.outcome !== 'Ok') logSecurityEvent(log, 'login.failed', { isByCompany: true, reason: result.outcome })
    wakeMailer()
    return backToApp(way.next)
  })

  api.mount(contract.finishCompanyLogin, async ({ cookies, request, language }) => {
    const token = createToken()
    const acceptLanguage = request.headers.get('Accept-Language')
    const outcome = await db.transaction(async tx => {
      const found = await repository.consumeLoginOutcome(tx, hashToken(readToken(cookies)))
      if (found?.outcome !== 'Ok' || found.webUserId === null) return found?.outcome ?? 'expired'
      await openSession(tx, found.webUserId, {
        tokenHash: hashToken(token),
        keepSession: found.isKept,
        device: readRequestBrowser(cookies, request),
        language: acceptLanguage ? negotiateLanguage(acceptLanguage) : null,
        asksForPasskey: asksForPasskeys(context.config),
      })
      await repository.setProviderSessionId(tx, hashToken(token), found.sid)
      return found.webUserId
    })
    cookies.setForReturn(COOKIE, '', 0)
    const view = typeof outcome === 'number' ? await findSessionView(db, hashToken(token)) : null
    if (view) {
      logSecurityEvent(log, 'login.ok', { webUserId: view.webUserId, isByCompany: true })
      wakeMailer()
      return toSessionResponse(token, view)
    }
    const key = typeof outcome === 'number' ? 'locked' : provider ? outcome : 'off'
    return toNoSessionResponse(
      createMessageResponse(language, key === 'locked' ? 'NotActive' : 'Failed', `session.company.${key}`),
    )
  })

  api.mount(contract.leaveCompany, async () => goTo((await provider?.endAddress(`${publicUrl}/`)) ?? `${publicUrl}/`))
}

const readToken = (cookies: Cookies): string => cookies.get(COOKIE).slice(0, 200)
