import { tooManyRequests } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'

export type LimitOptions = {
  /** bucket capacity: number of requests that are allowed in quick succession */
  burst: number
  /** tokens refilled per minute */
  perMinute: number
  /** monotonic clock in ms */
  now?: () => number
}

/** Limit on expensive requests (`isCostly`) per person or service token. */
export const COSTLY_CALL_LIMIT = { burst: 30, perMinute: 30 }

type Bucket = { tokens: number; filledAt: number }

/** Maximum number of buckets. The least recently used one is evicted, which limits memory usage. */
const MAX_CALLERS = 10_000

type Limit = (address: string) => number

/**
 * Creates one token bucket per network address. A whole company may share an address, so the buckets must not limit
 * successful logins or bookings.
 * @returns function that takes a token and returns the number of seconds to wait; 0: allowed
 */
function createBuckets({ burst, perMinute, now = () => performance.now() }: LimitOptions): Limit {
  const buckets = new Map<string, Bucket>()
  return address => {
    const time = now()
    const { tokens, filledAt } = buckets.get(address) ?? { tokens: burst, filledAt: time }
    const available = Math.min(burst, tokens + ((time - filledAt) * perMinute) / 60_000)
    const isAllowed = available >= 1
    // Deleting and re-adding the address moves it to the end of the map, so that the first entry is the least recently
    // used one (LRU).
    buckets.delete(address)
    buckets.set(address, { tokens: isAllowed ? available - 1 : available, filledAt: time })
    const oldest = buckets.keys().next().value
    if (buckets.size > MAX_CALLERS && oldest !== undefined) buckets.delete(oldest)
    return isAllowed ? 0 : Math.ceil(((1 - available) * 60) / perMinute)
  }
}

type Taking = { name: string; options: LimitOptions; address: string }

/** Creates the rate limits that all processes of a portal share. They are stored in the primary process. */
export function createSharedLimits(): (taking: Taking) => number {
  const limits = new Map<string, Limit>()
  return ({ name, options, address }) => {
    const limit = limits.get(name) ?? createBuckets(options)
    limits.set(name, limit)
    return limit(address)
  }
}

/**
 * Creates a rate limit per network address that all processes of the portal share.
 * @returns function that counts one request and throws HttpProblem 429 beyond the limit
 */
export function createRateLimit(
  { ask }: Pick<ServerContext, 'ask'>,
  name: string,
  options: LimitOptions,
): (address: string) => Promise<void> {
  const take = createSharedLimits()
  return async address => {
    const taking = { name, options, address }
    const seconds = ask ? await ask<number>('limit', taking) : take(taking)
    if (seconds > 0) throw tooManyRequests(seconds)
  }
}
