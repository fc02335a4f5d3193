import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { HttpProblem, invalidField } from './problems.ts'

const COOKIE = 'XSRF-TOKEN'
/** Matches resources that other origins may embed, because they are read-only and the same for everyone. */
const IS_FOR_OTHERS = /^\/(?:embed$|api\/public\/)/

/**
 * Sets the XSRF-TOKEN cookie in the response to every GET request that lacks it. The cookie is not HttpOnly, because
 * the app reads it.
 */
export function setXsrfCookie(isSecure: boolean): MiddlewareHandler {
  const nextWithCookie: MiddlewareHandler = async (c, next) => {
    await next()
    const options = { path: '/', sameSite: 'Lax', secure: isSecure } as const
    // The header is appended in place, because creating a new response would copy the whole header list for each
    // client.
    const { headers } = c.res
    headers.append('Set-Cookie', serialize(COOKIE, randomBytes(16).toString('hex'), options))
    // A shared cache would deliver the cookie to other clients.
    const caching = headers.get('Cache-Control')
    if (caching?.includes('public')) headers.set('Cache-Control', caching.replace('public', 'private'))
  }
  return (c, next) => {
    if (c.req.method !== 'GET' || IS_FOR_OTHERS.test(c.req.path) || getCookie(c, COOKIE)) return next()
    return nextWithCookie(c, next)
  }
}

/** CSRF protection by double submit. @throws HttpProblem 403 if the X-XSRF-TOKEN header does not match the cookie */
export function requireSameSite(c: Context): void {
  const cookie = Buffer.from(getCookie(c, COOKIE) ?? '')
  const header = Buffer.from(c.req.header('X-XSRF-TOKEN') ?? '')
  if (cookie.length === 0 || cookie.length !== header.length || !timingSafeEqual(cookie, header)) {
    throw new HttpProblem(403, 'http.crossSite')
  }
}

/** Rejects requests with several Host headers with 400, because a proxy may have used a different one for routing. */
export const rejectMultipleHosts: MiddlewareHandler = (c, next) => {
  const env: { incoming?: { rawHeaders?: string[] } } | undefined = c.env
  const names = env?.incoming?.rawHeaders ?? []
  const hosts = names.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw invalidField('Host')
  return next()
}
