import type { Cookies } from '#server/http/cookies.ts'
import { createToken, hashToken } from '#server/http/token.ts'
import { DEVICE_DAYS, describeDevice, MAX_ACCOUNTS } from './device-rules.ts'

const COOKIE = 'Device'
const TOKEN = /^[\w-]{43}$/
const DAY_S = 86_400

/** Browser of a request. */
export type Device = {
  /** coarse description; '' if unknown */
  words: string
  /** hashes of its device tokens, one per account with an earlier login */
  hashes: Buffer[]
  /** Adds a token to the cookie. */
  remember(token: string): void
  /** Renews the cookie's lifetime. */
  renew(): void
}

/**
 * Reads the device cookie, which contains one token per account and survives logout. It grants no access: it only marks
 * a browser with an earlier login. Tokens are generated per browser and account and never adopted, so that an attacker
 * cannot plant one in another browser.
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
