import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'

/** Reads and sets HttpOnly cookies. */
export type Cookies = {
  /** returns the value of a cookie; '' if it is missing */
  get(name: string): string
  set(name: string, value: string, maxAgeS: number): void
  /** like `set`, but with SameSite=Lax, for cookies that are needed when another site redirects back to the portal */
  setForReturn(name: string, value: string, maxAgeS: number): void
}

/**
 * Creates the cookie store of a request.
 * @returns the store, and a function that adds newly set cookies to a response
 */
export function createCookies(
  c: Context,
  isSecure: boolean,
): { cookies: Cookies; writeTo(response: Response): Response } {
  const written: string[] = []
  const write = (sameSite: 'Strict' | 'Lax') => (name: string, value: string, maxAge: number) => {
    written.push(serialize(name, value, { path: '/api', httpOnly: true, sameSite, secure: isSecure, maxAge }))
  }
  return {
    cookies: { get: name => getCookie(c, name) ?? '', set: write('Strict'), setForReturn: write('Lax') },
    writeTo: response => {
      for (const cookie of written) response.headers.append('Set-Cookie', cookie)
      return response
    },
  }
}
