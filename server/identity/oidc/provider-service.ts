import * as jose from 'jose'
import * as client from 'openid-client'
import type { CompanyLogin, OutgoingProxy } from '#server/platform/config/config.ts'
import { isProxied } from '#server/platform/http/outgoing-proxy.ts'
import type { TokenClaims } from './rules.ts'

const TIMEOUT_S = 5
/** Tolerated clock skew. */
const CLOCK_TOLERANCE_S = 60
const REDISCOVER_MS = 24 * 3_600_000

/** Maximum age of a logout token in minutes, to prevent replay. */
export const LOGOUT_TOKEN_MAX_MINUTES = 5
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Only asymmetric algorithms are accepted: with a shared secret, the portal could forge tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Thrown if the provider did not send a valid response. Users can then log in only with a password or a passkey. */
export class ProviderUnavailable extends Error {}

/** Thrown for an invalid logout token; `message` states the reason. */
export class InvalidLogoutToken extends Error {}

/** Login state (PKCE), stored to verify the provider's response. */
export type OidcLoginState = { state: string; nonce: string; verifier: string }

export type OidcProvider = {
  /**
   * Starts a login.
   * @throws ProviderUnavailable
   */
  start(): Promise<OidcLoginState & { url: URL }>
  /**
   * Verifies the provider's response and returns the identity.
   * @param address complete callback URL
   * @throws ProviderUnavailable, or the verification error
   */
  read(address: URL, way: OidcLoginState): Promise<{ issuer: string; subject: string; claims: TokenClaims }>
  /** Identifies the session that ended at the provider. @throws ProviderUnavailable, InvalidLogoutToken */
  readLogout(token: string): Promise<{ issuer: string; subject: string; sid: string; jti: string }>
  /** URL of the provider's logout page; null if there is none or the provider does not respond */
  endAddress(back: string): Promise<URL | null>
}

/**
 * Whether the error is a network failure or an invalid provider response, rather than a failure of the login itself.
 */
const isSilence = (error: unknown): boolean => {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    return error instanceof client.ResponseBodyError && error.status >= 500
  }
  if (error instanceof client.ClientError) return /TIMEOUT|ABORT/.test(error.code ?? '') || isSilence(error.cause)
  const isStatus = error instanceof Response && error.status >= 500
  return isStatus || (error instanceof TypeError && error.message === 'fetch failed') || isAborted(error)
}
const isAborted = (error: unknown) => error instanceof Error && /^(?:AbortError|TimeoutError)$/.test(error.name)

/**
 * Client authentication with HTTP Basic (RFC 6749 §2.3.1). The library also escapes hyphens, underscores and dots, which
 * the credentials usually contain, and some providers, such as LemonLDAP::NG, do not decode them.
 */
const ClientSecretBasic =
  (secret: string): client.ClientAuth =>
  (_server, { client_id }, _body, headers) => {
    const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
    const credentials = Buffer.from(`${encode(client_id)}:${encode(secret)}`)
    headers.set('Authorization', `Basic ${credentials.toString('base64')}`)
  }

/**
 * Why a login failed: the error that the provider names, such as `invalid_client` for a wrong secret, otherwise the code of
 * the library. Both may be logged, because they contain neither tokens nor claims.
 */
export function refusalReasonOf(error: unknown): string | undefined {
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return error.error.slice(0, 100)
  const [challenge] = error instanceof client.WWWAuthenticateChallengeError ? error.cause : []
  if (challenge?.parameters.error) return challenge.parameters.error.slice(0, 100)
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** Reads the provider's metadata and configures the client for it. */
async function discover({ issuer, clientId, clientSecret }: CompanyLogin): Promise<client.Configuration> {
  const discovered = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
    timeout: TIMEOUT_S,
    ...(issuer.startsWith('http:') && { execute: [client.allowInsecureRequests] }),
  })
  const server = discovered.serverMetadata()
  const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const withSecret = supported.includes('client_secret_basic') ? ClientSecretBasic : client.ClientSecretPost
  const configuration = new client.Configuration(
    server,
    clientId,
    { ...(clientSecret && { client_secret: clientSecret }), [client.clockTolerance]: CLOCK_TOLERANCE_S },
    clientSecret ? withSecret(clientSecret) : client.None(),
  )
  configuration.timeout = TIMEOUT_S
  if (issuer.startsWith('http:')) client.allowInsecureRequests(configuration)
  return configuration
}

/**
 * Verifies the signature and the registered claims of a logout token.
 * @throws ProviderUnavailable, InvalidLogoutToken
 */
async function verifyLogoutToken(
  token: string,
  keys: jose.JWTVerifyGetKey,
  { issuer, clientId }: CompanyLogin,
  silence: string,
) {
  const { payload } = await jose
    .jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_S,
      maxTokenAge: LOGOUT_TOKEN_MAX_MINUTES * 60,
      requiredClaims: ['iat', 'jti', 'events'],
    })
    .catch(cause => {
      if (
        cause instanceof jose.errors.JWKSTimeout ||
        !(cause instanceof jose.errors.JOSEError) ||
        /Expected 200 OK/.test(cause.message)
      )
        throw new ProviderUnavailable(silence, { cause })
      throw new InvalidLogoutToken(cause.code, { cause })
    })
  return payload
}

/**
 * The session or person that a logout token names (OpenID Connect Back-Channel Logout 1.0, section 2.4).
 * @throws InvalidLogoutToken
 */
function identifyEndedSession(payload: jose.JWTPayload): { subject: string; sid: string; jti: string } {
  const { sub = '', sid = '', jti = '', events, nonce } = payload
  const event = typeof events === 'object' && events !== null ? Reflect.get(events, LOGOUT_EVENT) : undefined
  if (typeof event !== 'object' || event === null) throw new InvalidLogoutToken('events')
  if (nonce !== undefined) throw new InvalidLogoutToken('nonce')
  if (typeof sid !== 'string' || typeof jti !== 'string' || jti === '') throw new InvalidLogoutToken('jti')
  if (sub === '' && sid === '') throw new InvalidLogoutToken('sub')
  return { subject: sub, sid, jti }
}

/**
 * OpenID Connect client for the company's provider. Provider metadata is discovered on first use and refreshed daily.
 */
export function createOidcProvider(
  login: CompanyLogin,
  redirectUri: string,
  outgoingProxy: OutgoingProxy | null = null,
): OidcProvider {
  const { issuer, clientId, mapping } = login
  const isBehindProxy = outgoingProxy !== null && isProxied(outgoingProxy, new URL(issuer).hostname)
  const silence = `the provider of the company login does not answer${isBehindProxy ? ' through HTTPS_PROXY' : ''}`
  let known: { configuration: Promise<client.Configuration>; at: number } | null = null

  const configure = async (): Promise<client.Configuration> => {
    if (known === null || performance.now() - known.at > REDISCOVER_MS)
      known = { configuration: discover(login), at: performance.now() }
    try {
      return await known.configuration
    } catch (cause) {
      known = null
      // The metadata were read, but belong to an issuer of another name, as with a slash too many.
      const issuerOf = (error: unknown): string | null =>
        error instanceof Error ? issuerOf(error.cause) : (Object(Object(error).body).issuer ?? null)
      const named = isSilence(cause) ? null : issuerOf(cause)
      const reason = named ? `OIDC_ISSUER is ${issuer}, but the provider calls itself ${named}` : silence
      throw new ProviderUnavailable(reason, { cause })
    }
  }

  /** The provider's keys (JWKS), cached until a token refers to an unknown key. */
  let keys: { address: string; find: ReturnType<typeof jose.createRemoteJWKSet> } | null = null
  const findKeys = async () => {
    const address = (await configure()).serverMetadata().jwks_uri
    if (address === undefined) throw new ProviderUnavailable('the provider of the company login names no keys')
    if (keys?.address !== address)
      keys = { address, find: jose.createRemoteJWKSet(new URL(address), { timeoutDuration: TIMEOUT_S * 1000 }) }
    return keys.find
  }

  return {
    async readLogout(token) {
      const find = await findKeys()
      return { issuer, ...identifyEndedSession(await verifyLogoutToken(token, find, login, silence)) }
    },

    async start() {
      const configuration = await configure()
      const way = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: mapping.scope,
        state: way.state,
        nonce: way.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(way.verifier),
        code_challenge_method: 'S256',
      })
      return { ...way, url }
    },

    async read(address, { state, nonce, verifier }) {
      const configuration = await configure()
      try {
        const tokens = await client.authorizationCodeGrant(configuration, address, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('no ID token')
        const more = configuration.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {}
        return { issuer: claims.iss, subject: claims.sub, claims: { ...more, ...claims } }
      } catch (cause) {
        if (isSilence(cause)) throw new ProviderUnavailable(silence, { cause })
        throw cause
      }
    },

    async endAddress(back) {
      // The local session ends in any case, even if the provider does not respond.
      const configuration = await configure().catch(() => null)
      if (!configuration?.serverMetadata().end_session_endpoint) return null
      return client.buildEndSessionUrl(configuration, { client_id: clientId, post_logout_redirect_uri: back })
    },
  }
}
