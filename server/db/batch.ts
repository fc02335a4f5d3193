type Waiter<Key, Result> = { key: Key; resolve: (result: Result) => void; reject: (error: unknown) => void }

/** Maximum concurrent batch statements per kind; more do not increase throughput. */
const MAX_UNDER_WAY = 2
const MAX_KEYS = 64
/** Minimum queue length for a second concurrent statement: small batches cost more per key. */
const WORTH_ANOTHER = MAX_KEYS / 2

/**
 * Batches calls made in the same event loop iteration, or while statements of the same kind are in progress, into one
 * statement.
 * See docs/decisions/0003. @param ask runs a batch and returns one result per key, in order @param rivalKeyOf
 * conflicting keys, with the same rival key, are put into successive batches
 */
export function createBatcher<Key, Result>(
  ask: (keys: Key[]) => Promise<Result[]>,
  { maxUnderWay = MAX_UNDER_WAY, rivalKeyOf }: { maxUnderWay?: number; rivalKeyOf?: (key: Key) => unknown } = {},
): (key: Key) => Promise<Result> {
  const waiting: Waiter<Key, Result>[] = []
  let underWay = 0

  const take = (): Waiter<Key, Result>[] => {
    if (!rivalKeyOf) return waiting.splice(0, MAX_KEYS)
    const taken = new Map<unknown, Waiter<Key, Result>>()
    const left: Waiter<Key, Result>[] = []
    let looked = 0
    // Stops as soon as the batch is full: thousands of callers may be waiting.
    for (const waiter of waiting) {
      if (taken.size >= MAX_KEYS) break
      looked += 1
      const rivalKey = rivalKeyOf(waiter.key)
      if (taken.has(rivalKey)) left.push(waiter)
      else taken.set(rivalKey, waiter)
    }
    waiting.splice(0, looked, ...left)
    return [...taken.values()]
  }
  const send = async () => {
    const asked = take()
    let settle: () => void
    try {
      const results = await ask(asked.map(({ key }) => key))
      settle = () => {
        for (const [index, result] of results.entries()) asked[index]?.resolve(result)
      }
    } catch (error) {
      settle = () => {
        for (const { reject } of asked) reject(error)
      }
    }
    if (waiting.length === 0) {
      underWay -= 1
      return settle()
    }
    // Sends the next batch before the callers of this one resume, so that the database is busy meanwhile
    // (docs/decisions/0003).
    setImmediate(settle)
    return send()
  }

  return key =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (underWay >= maxUnderWay || (underWay > 0 && waiting.length < WORTH_ANOTHER)) return
      underWay += 1
      setImmediate(send)
    })
}
