import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'

/** Cookies that only the server reads. */
export type Cookies = {
  /** '' when there is none */
  get(name: string): string
  set(name: string, value: string, maxAgeS: number): void
  /** The same for one that is to be there when another site sends the browser back. */
  setForReturn(name: string, value: string, maxAgeS: number): void
}

/** @returns what a call sees of its cookies, and a way to put those that it set on the answer */
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
