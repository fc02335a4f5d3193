const STEPS = 10

/**
 * Rejects with `reason` when `work` takes longer than `ms` of time in which this process turned. A stall of its own, as on a busy
 * machine, is no silence of the other side: what arrived meanwhile is read first.
 */
export function withinAwake<Result>(work: Promise<Result>, ms: number, reason: () => Error): Promise<Result> {
  return new Promise((resolve, reject) => {
    let steps = 0
    const timer = setInterval(() => {
      steps += 1
      if (steps < STEPS) return
      clearInterval(timer)
      reject(reason())
    }, ms / STEPS)
    work.then(resolve, reject).finally(() => clearInterval(timer))
  })
}
