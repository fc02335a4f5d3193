/** Runs a callback after the next paint; on a hidden page only once it becomes visible again. */
export const afterPaint = (act: () => void): void => {
  requestAnimationFrame(() => setTimeout(act))
}

/** Like `setTimeout`. Returns a function that cancels the timer. */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

type Delay = { pauseMs: number; mostMs?: number }

/** Debounces: runs once no call follows for `pauseMs`, at most `mostMs` after the first call. */
export function debounce(schedule: typeof after, { pauseMs, mostMs }: Delay, act: () => void): () => void {
  let stopPause = () => {}
  let stopLatest: (() => void) | undefined
  const run = () => {
    stopPause()
    stopLatest?.()
    stopLatest = undefined
    act()
  }
  return () => {
    stopPause()
    stopPause = schedule(pauseMs, run)
    if (mostMs !== undefined) stopLatest ??= schedule(mostMs, run)
  }
}
