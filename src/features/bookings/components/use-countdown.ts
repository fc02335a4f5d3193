import { useEffect, useState } from 'react'
import { serverNowMs, useServerClock } from '../clock-store.ts'

const TICKS_PER_SYNC = 60
/** The server shows whole seconds: looks at different parts of a second together say when its second turns. */
const FIRST_SYNCS_MS = [0, 1270, 2540, 3760]

/**
 * The time until an instant by the server's clock, in ms, renewed every second while it is above zero.
 * @param targetMs ms since 1970; null: nothing to count
 */
export function useCountdown(targetMs: number | null): number {
  const [remainingMs, setRemainingMs] = useState(() => (targetMs ?? 0) - serverNowMs())
  useEffect(() => {
    if (targetMs === null) return
    const { sync } = useServerClock.getState()
    const syncs = FIRST_SYNCS_MS.map(delay => setTimeout(sync, delay))
    let timer = 0
    let ticks = 0
    const tick = () => {
      const remaining = targetMs - serverNowMs()
      setRemainingMs(remaining)
      if (++ticks % TICKS_PER_SYNC === 0) sync()
      // To the next full second, so that no second is skipped and the end is met.
      if (remaining >= 0) timer = window.setTimeout(tick, (remaining % 1000) + 1)
    }
    tick()
    return () => {
      clearTimeout(timer)
      for (const pending of syncs) clearTimeout(pending)
    }
  }, [targetMs])
  return remainingMs
}
