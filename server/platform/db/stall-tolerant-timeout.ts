/**
 * Minimum number of event loop iterations before the timeout. Opening a connection takes about ten, and each may be
 * delayed by a stall.
 */
const STEPS = 30

/**
 * Rejects with `reason` once the event loop has been running for `ms`. A stall of this process is not mistaken for a
 * missing response.
 */
export function withStallTolerantTimeout<Result>(
  work: Promise<Result>,
  ms: number,
  reason: () => Error,
): Promise<Result> {
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
