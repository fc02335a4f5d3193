/**
 * Number of event loop turns before a timeout: opening a connection takes about ten, each of which may follow a stall.
 */
const STEPS = 30

/**
 * Rejects with `reason` after `ms` of time during which the event loop was running: a stall of this process does not
 * count as a missing response.
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
