import type { Hono } from 'hono'
import { createAddressOf, networkOf } from '#server/http/address.ts'
import { readFormBody } from '#server/http/read-body.ts'
import { logSecurity } from '#server/http/security-log.ts'
import { hashToken } from '#server/http/token.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { createLimit } from '#server/throttle/limits.ts'
import { BadLogoutToken, LOGOUT_MINUTES, type Provider, ProviderDown } from './provider-service.ts'
import * as repository from './repository.ts'
import { MAX_SID } from './rules.ts'

const PATH = '/api/session/company/back-channel'
const MAX_BODY = 32 * 1024

const answer = (status: number, body: object | null = null, headers: Record<string, string> = {}) =>
  new Response(body && JSON.stringify(body), {
    status,
    headers: { 'Cache-Control': 'no-store', ...(body && { 'Content-Type': 'application/json' }), ...headers },
  })
const refuse = (why: string) => answer(400, { error: 'invalid_request', error_description: why })

/**
 * Ends sessions that ended at the single sign-on provider: OpenID Connect Back-Channel Logout 1.0. See
 * docs/decisions/0095.
 */
export function mountBackChannel(app: Hono, context: ServerContext, provider: Provider): void {
  const { db, config, log } = context
  const takeTurn = createLimit(context, 'company-logout', { burst: 500, perMinute: 600 })
  const addressOf = createAddressOf(config.trustedProxies, log)

  app.post(PATH, async c => {
    await takeTurn(networkOf(addressOf(c)))
    const token = (await readFormBody(c, MAX_BODY)).get('logout_token')
    if (!token) return refuse('logout_token')
    try {
      const { issuer, subject, sid, jti } = await provider.readLogout(token)
      const ended = await db.transaction(async tx => {
        // Tolerates clock skew of a minute in either direction.
        if (!(await repository.recordLogoutToken(tx, hashToken(`${issuer} ${jti}`), LOGOUT_MINUTES + 5))) return null
        return repository.endCompanySessions(tx, { issuer, subject, sid: sid.slice(0, MAX_SID) })
      })
      if (ended === null) return refuse('jti')
      logSecurity(log, 'sessions.ended', { isByCompany: true, count: ended })
      return answer(200)
    } catch (error) {
      if (error instanceof BadLogoutToken) {
        log.warn({ reason: error.message }, 'a logout token is refused')
        return refuse(error.message)
      }
      if (!(error instanceof ProviderDown)) throw error
      log.warn({ err: error }, 'a logout token cannot be judged')
      return answer(503, { error: 'temporarily_unavailable' }, { 'Retry-After': '30' })
    }
  })
}
