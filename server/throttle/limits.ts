import type { ServerContext } from '#server/context.ts'
import { tooManyRequests } from '#server/http/problems.ts'

export type LimitOptions = {
  /** calls at once */
  burst: number
  /** calls that come back each minute */
  perMinute: number
  /** a clock that never goes back, in ms */
  now?: () => number
}

type Bucket = { tokens: number; filledAt: number }

/** More callers than these at once, and the one seen longest ago is forgotten: the memory is bounded. */
const MAX_CALLERS = 10_000

type Limit = (address: string) => number

/** Per network address. A whole company may share one: never before a right login or booking. @returns the seconds to wait; 0: taken */
function createBuckets({ burst, perMinute, now = () => performance.now() }: LimitOptions): Limit {
  const buckets = new Map<string, Bucket>()
  return address => {
    const time = now()
    const { tokens, filledAt } = buckets.get(address) ?? { tokens: burst, filledAt: time }
    const available = Math.min(burst, tokens + ((time - filledAt) * perMinute) / 60_000)
    const isAllowed = available >= 1
    // Deleted and set again, the address moves to the end: the first one is the one seen longest ago.
    buckets.delete(address)
    buckets.set(address, { tokens: isAllowed ? available - 1 : available, filledAt: time })
    const oldest = buckets.keys().next().value
    if (buckets.size > MAX_CALLERS && oldest !== undefined) buckets.delete(oldest)
    return isAllowed ? 0 : Math.ceil(((1 - available) * 60) / perMinute)
  }
}

type Taking = { name: string; options: LimitOptions; address: string }

/** The limits of all processes of a portal, kept in the one in charge. */
export function createCommonLimits(): (taking: Taking) => number {
  const limits = new Map<string, Limit>()
  return ({ name, options, address }) => {
    const limit = limits.get(name) ?? createBuckets(options)
    limits.set(name, limit)
    return limit(address)
  }
}

/** A limit per network address in all processes of the portal together. @returns takes one call @throws HttpProblem 429 */
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
