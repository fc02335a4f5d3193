/**
 * Shares one run of `work` between callers. Callers that arrive during a run share the next one, so that each result
 * comes from work that started after the request. See docs/decisions/0025.
 */
export function coalesceCalls<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<Result> | null = null
  return () => {
    waiting ??= running.then(() => {
      waiting = null
      const result = work()
      // The callers receive the error; the next run only waits until this one has ended.
      running = result.catch(() => undefined)
      return result
    })
    return waiting
  }
}
