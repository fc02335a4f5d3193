type Waiter<Key, Result> = { key: Key; resolve: (result: Result) => void; reject: (error: unknown) => void }

/** Statements of one kind under way; a third would find the database no faster. */
const MAX_UNDER_WAY = 2
const MAX_KEYS = 64
/** So many have to wait for a second one: each costs the more, the fewer share it. */
const WORTH_ANOTHER = MAX_KEYS / 2

/**
 * Gathers into one statement what is asked in a turn of the event loop, or while statements of its kind are under way.
 * See docs/decisions/0003. @param ask one result a key, in their order @param rivalKeyOf rivals are asked one after the other
 */
export function together<Key, Result>(
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
    // No further than needed: in a rush thousands wait behind them.
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
    // The next statement is on its way before so many go on with what they were told: the database works meanwhile (docs/decisions/0003).
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
