import { tooManyRequests } from '#server/http/problems.ts'
import type { ServerContext } from '#server/runtime/context.ts'

export type LimitOptions = {
  /** bucket capacity: number of requests allowed without delay */
  burst: number
  /** tokens refilled per minute */
  perMinute: number
  /** monotonic clock in ms */
  now?: () => number
}

/** Limit of expensive calls (`isCostly`) per person or service token. */
export const COSTLY_CALLS = { burst: 30, perMinute: 30 }

type Bucket = { tokens: number; filledAt: number }

/** Maximum number of tracked addresses; the least recently seen one is evicted, which bounds memory. */
const MAX_CALLERS = 10_000

type Limit = (address: string) => number

/**
 * Creates token buckets per network address. A whole company may share one, so they must not limit successful logins
 * or bookings.
 * @returns seconds to wait; 0: allowed
 */
function createBuckets({ burst, perMinute, now = () => performance.now() }: LimitOptions): Limit {
  const buckets = new Map<string, Bucket>()
  return address => {
    const time = now()
    const { tokens, filledAt } = buckets.get(address) ?? { tokens: burst, filledAt: time }
    const available = Math.min(burst, tokens + ((time - filledAt) * perMinute) / 60_000)
    const isAllowed = available >= 1
    // Deleting and setting moves the address to the end of the map: the first entry is the least recently seen (LRU).
    buckets.delete(address)
    buckets.set(address, { tokens: isAllowed ? available - 1 : available, filledAt: time })
    const oldest = buckets.keys().next().value
    if (buckets.size > MAX_CALLERS && oldest !== undefined) buckets.delete(oldest)
    return isAllowed ? 0 : Math.ceil(((1 - available) * 60) / perMinute)
  }
}

type Taking = { name: string; options: LimitOptions; address: string }

/** Rate limits of all processes of a portal, held in the primary process. */
export function createCommonLimits(): (taking: Taking) => number {
  const limits = new Map<string, Limit>()
  return ({ name, options, address }) => {
    const limit = limits.get(name) ?? createBuckets(options)
    limits.set(name, limit)
    return limit(address)
  }
}

/**
 * Creates a rate limit per network address, shared by all processes of the portal.
 * @returns a function that counts one request
 * @throws HttpProblem 429
 */
export function createLimit(
  { ask }: Pick<ServerContext, 'ask'>,
  name: string,
  options: LimitOptions,
): (address: string) => Promise<void> {
  const take = createCommonLimits()
  return async address => {
    const taking = { name, options, address }
    const seconds = ask ? await ask<number>('limit', taking) : take(taking)
    if (seconds > 0) throw tooManyRequests(seconds)
  }
}
