import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importJWK, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'

export const CLIENT = { id: 'portal', secret: 'secret-of-the-portal-that-is-long' }

type Claims = Record<string, unknown>

/** A real OpenID Connect provider for the company login. All users are logged in as `person`. */
export type CompanyProvider = {
  issuer: string
  /** the person who is logged in: `sub` and claims; null: the user cancels */
  person: (Claims & { sub: string }) | null
  /** modifies the ID token, which is then signed again with the provider's own key */
  twist: ((claims: Claims) => Claims) | null
  /** respond to all requests with 503 */
  isDown: boolean
  /** signs claims with the provider's own key */
  sign(claims: Claims): Promise<string>
  close(): Promise<void>
}

/**
 * Starts the provider.
 * @param redirectUri redirect URI of the portal
 * @param logoutUri URI of the portal's back-channel logout
 */
export async function startCompanyProvider(redirectUri: string, logoutUri?: string): Promise<CompanyProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...(privateKey as KeyObject).export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' }
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const key = await importJWK(jwk, 'RS256')
  const sign = (claims: Claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(key)
  const state: CompanyProvider = { issuer, person: null, twist: null, isDown: false, sign, close: async () => {} }

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL('/', redirectUri).href],
        ...(logoutUri && { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true }),
      },
    ],
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['cookies'] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub'],
      profile: ['given_name', 'family_name', 'employee_number', 'company', 'groups', 'realm_access'],
      email: ['email', 'email_verified'],
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
    // By default, the provider does not connect to private networks, but the portal is in one.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => {
      const claims = state.person ?? { sub }
      return { accountId: sub, claims: async () => ({ ...claims, sub }) }
    },
    // All clients belong to the company, so users are not asked for their consent.
    loadExistingGrant: async ctx => {
      const { session, client } = ctx.oidc
      if (!session?.accountId || !client) return undefined
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  provider.use(async (ctx, next) => {
    if (state.isDown) {
      ctx.status = 503
      return
    }
    if (ctx.path.startsWith('/interaction/')) {
      const { person } = state
      const result = person
        ? { login: { accountId: person.sub, remember: false } }
        : { error: 'access_denied', error_description: 'cancelled' }
      const to = await provider.interactionResult(ctx.req, ctx.res, result)
      ctx.status = 303
      ctx.set('Location', to)
      return
    }
    await next()
    const body = ctx.body as { id_token?: string } | undefined
    if (ctx.path !== '/token' || !body?.id_token || !state.twist) return
    const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1] ?? '', 'base64url').toString())
    body.id_token = await sign(state.twist(claims))
  })
  server.on('request', provider.callback())
  state.close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  return state
}
