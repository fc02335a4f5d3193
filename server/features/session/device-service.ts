import type { Cookies } from '#server/http/cookies.ts'
import { createToken, hashToken } from '#server/http/token.ts'
import { DEVICE_DAYS, describeDevice, MAX_ACCOUNTS } from './device-rules.ts'

const COOKIE = 'Device'
const TOKEN = /^[\w-]{43}$/
const DAY_S = 86_400

/** The browser that a call comes from. */
export type Device = {
  /** in coarse words; '' when not known */
  words: string
  /** of the tokens it holds: one for each account that it has logged in to */
  hashes: Buffer[]
  /** Lets it keep one more. */
  remember(token: string): void
  /** Starts anew how long it keeps them. */
  renew(): void
}

/**
 * A browser gets a token of its own for each account at the first login, in one cookie that outlives the logout. It is no key to
 * anything: it only tells that this browser was let in before. A token is never taken over from a browser that it was not made
 * for, so that nobody can prepare one for somebody else.
 */
export function readDevice(cookies: Cookies, request: Request): Device {
  const tokens = cookies
    .get(COOKIE)
    .split('.')
    .filter(token => TOKEN.test(token))
    .slice(0, MAX_ACCOUNTS)
  const write = (tokens: string[]) => cookies.set(COOKIE, tokens.join('.'), DEVICE_DAYS * DAY_S)
  return {
    words: describeDevice(request.headers.get('User-Agent') ?? ''),
    hashes: tokens.map(hashToken),
    remember: token => write([token, ...tokens].slice(0, MAX_ACCOUNTS)),
    renew: () => write(tokens),
  }
}

export function createDeviceToken(): { token: string; tokenHash: Buffer } {
  const token = createToken()
  return { token, tokenHash: hashToken(token) }
}
