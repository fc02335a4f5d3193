import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { parse, serialize } from 'hono/utils/cookie'
import { HttpProblem, invalidField } from './problems.ts'

const COOKIE = 'XSRF-TOKEN'
/** What pages of other origins show: read alone, and the same for everybody. */
const IS_FOR_OTHERS = /^\/(?:embed$|api\/public\/)/

/** @returns what a GET answer sets, of a caller who has no such cookie; null for who has one, or is not to get one */
export function newXsrfCookie(path: string, cookies: string | undefined, isSecure: boolean): string | null {
  if (IS_FOR_OTHERS.test(path) || (cookies && parse(cookies, COOKIE)[COOKIE])) return null
  return serialize(COOKIE, randomBytes(16).toString('hex'), { path: '/', sameSite: 'Lax', secure: isSecure })
}

/** A shared cache would hand the cookie of one to others, or keep nothing: only answers without it are for such caches. */
export const cachingWithCookie = (caching: string): string => caching.replace('public', 'private')

/** Sets the cookie XSRF-TOKEN on any GET that lacks it. The app reads it, so it is not HttpOnly. */
export function xsrfCookie(isSecure: boolean): MiddlewareHandler {
  return async (c, next) => {
    await next()
    const cookie = c.req.method === 'GET' ? newXsrfCookie(c.req.path, c.req.header('Cookie'), isSecure) : null
    if (cookie === null) return
    // Put on the headers as they are: a new answer around them would be a copy of the whole list for each caller.
    const { headers } = c.res
    headers.append('Set-Cookie', cookie)
    const caching = headers.get('Cache-Control')
    if (caching?.includes('public')) headers.set('Cache-Control', cachingWithCookie(caching))
  }
}

/** Refuses (403) a request whose X-XSRF-TOKEN header does not equal its cookie. */
export function requireSameSite(c: Context): void {
  const cookie = Buffer.from(getCookie(c, COOKIE) ?? '')
  const header = Buffer.from(c.req.header('X-XSRF-TOKEN') ?? '')
  if (cookie.length === 0 || cookie.length !== header.length || !timingSafeEqual(cookie, header)) {
    throw new HttpProblem(403, 'http.crossSite')
  }
}

/** Refuses (400) a request with more than one Host: what stands before the portal may have taken the other one. */
export const oneHost: MiddlewareHandler = async (c, next) => {
  const env: { incoming?: { rawHeaders?: string[] } } | undefined = c.env
  const names = env?.incoming?.rawHeaders ?? []
  const hosts = names.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw invalidField('Host')
  await next()
}
