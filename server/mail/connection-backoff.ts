import { rest } from '#server/runtime/rest.ts'

const LONGEST_TROUBLE_MS = 60_000

type LaneOptions = {
  count: number
  /** initial delay; doubled up to a minute */
  troubleMs: number
  stopping: AbortSignal
}

/**
 * Exponential backoff for a sender's connections. Each has its own state; if all have failed, the first success wakes
 * the others.
 */
export function createConnectionBackoff({ count, troubleMs, stopping }: LaneOptions) {
  const inTrouble = new Set<object>()
  let recovery = new AbortController()
  let isAway = false
  return () => {
    const lane = {}
    let troubles = 0
    return {
      goOn(): void {
        troubles = 0
        inTrouble.delete(lane)
        if (!isAway) return
        recovery.abort()
        recovery = new AbortController()
        isAway = false
      },
      async rest(): Promise<void> {
        inTrouble.add(lane)
        isAway ||= inTrouble.size === count
        troubles += 1
        const longest = Math.min(troubleMs * 2 ** Math.min(troubles - 1, 10), LONGEST_TROUBLE_MS)
        await rest(longest * (0.75 + Math.random() / 4), AbortSignal.any([stopping, recovery.signal]))
      },
    }
  }
}
