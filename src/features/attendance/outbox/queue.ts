/** Does one thing after another. Who asked hears of a fault; the next one has nothing to do with it. */
export function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const result = last.then(work)
    // Who asked hears of it.
    last = result.catch(() => undefined)
    return result
  }
}
