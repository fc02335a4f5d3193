const STEPS = 10

/** Rejects with `reason` after `ms` of time in which this process turned: a stall of its own is no silence of the other side. */
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
