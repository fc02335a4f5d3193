import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'

/** Cookies that only the server reads. */
export type Cookies = {
  /** '' when there is none */
  get(name: string): string
  set(name: string, value: string, maxAgeS: number): void
}

/** @returns what a call sees of its cookies, and a way to put those that it set on the answer */
export function createCookies(
  c: Context,
  isSecure: boolean,
): { cookies: Cookies; writeTo(response: Response): Response } {
  const written: string[] = []
  return {
    cookies: {
      get: name => getCookie(c, name) ?? '',
      set: (name, value, maxAge) => {
        const scope = { path: '/api', httpOnly: true, sameSite: 'Strict', secure: isSecure } as const
        written.push(serialize(name, value, { ...scope, maxAge }))
      },
    },
    writeTo: response => {
      for (const cookie of written) response.headers.append('Set-Cookie', cookie)
      return response
    },
  }
}
