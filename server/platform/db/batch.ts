type Waiter<Key, Result> = { key: Key; resolve: (result: Result) => void; reject: (error: unknown) => void }

const MAX_KEYS = 64

/**
 * Combines the calls of one event loop iteration, and those made while a batch is in progress, into one statement. Only
 * one batch runs at a time. See docs/decisions/0003.
 * @param runBatch returns one result per key, in order; an error rejects only the calls in this batch
 * @param rivalKeyOf keys for which this returns the same value conflict and are put into successive batches
 */
export function createBatcher<Key, Result>(
  runBatch: (keys: Key[]) => Promise<Result[]>,
  rivalKeyOf?: (key: Key) => unknown,
): (key: Key) => Promise<Result> {
  const waiting: Waiter<Key, Result>[] = []
  let isRunning = false

  const takeBatch = (): Waiter<Key, Result>[] => {
    if (!rivalKeyOf) return waiting.splice(0, MAX_KEYS)
    const batch = new Map<unknown, Waiter<Key, Result>>()
    const rivals: Waiter<Key, Result>[] = []
    let scanned = 0
    // Stops as soon as the batch is full, because thousands of callers may be waiting.
    for (const waiter of waiting) {
      if (batch.size >= MAX_KEYS) break
      scanned += 1
      const rivalKey = rivalKeyOf(waiter.key)
      if (batch.has(rivalKey)) rivals.push(waiter)
      else batch.set(rivalKey, waiter)
    }
    waiting.splice(0, scanned, ...rivals)
    return [...batch.values()]
  }
  const runAll = async () => {
    while (waiting.length > 0) {
      const batch = takeBatch()
      try {
        const results = await runBatch(batch.map(({ key }) => key))
        for (const [index, result] of results.entries()) batch[index]?.resolve(result)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isRunning = false
  }

  return key =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (isRunning) return
      isRunning = true
      setImmediate(runAll)
    })
}
