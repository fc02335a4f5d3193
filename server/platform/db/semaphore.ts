import { isLockTimeout, isUnavailable, UnavailableError } from './unavailable.ts'

export type SemaphoreOptions = {
  /** number of concurrent holders */
  slots: number
  /** maximum queue length, and maximum waiting time in ms */
  maxWaiting: number
  patienceMs: number
}

export type Semaphore = {
  /**
   * Runs `work` as soon as a slot is free.
   * @throws UnavailableError if the queue is full or the wait is too long
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  refuseWaiting(reason: Error): void
}

type Waiter = { enter: () => void; refuse: (reason: Error) => void; timer: NodeJS.Timeout }

// See docs/decisions/0012.
/** Counting semaphore with a bounded FIFO queue. */
export function createSemaphore({ slots, maxWaiting, patienceMs }: SemaphoreOptions): Semaphore {
  let free = slots
  // A Set preserves insertion order and allows removal in O(1).
  const waiting = new Set<Waiter>()

  const dismiss = (waiter: Waiter) => {
    clearTimeout(waiter.timer)
    waiting.delete(waiter)
  }
  const enter = () =>
    new Promise<void>((resolve, reject) => {
      if (waiting.size >= maxWaiting)
        return reject(new UnavailableError(`the queue is full: ${waiting.size} calls are waiting`))
      const waiter: Waiter = { enter: resolve, refuse: reject, timer: setTimeout(() => giveUp(), patienceMs) }
      const giveUp = () => {
        dismiss(waiter)
        reject(new UnavailableError(`no free slot within ${patienceMs} ms`))
      }
      waiting.add(waiter)
    })
  const leave = () => {
    const [next] = waiting
    if (next === undefined) {
      free += 1
      return
    }
    dismiss(next)
    next.enter()
  }

  return {
    async run(work) {
      if (free > 0) free -= 1
      else await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    refuseWaiting(reason) {
      for (const waiter of [...waiting]) {
        dismiss(waiter)
        waiter.refuse(reason)
      }
    },
  }
}

type Lane = { gate: Semaphore; users: number; isStuck: boolean }

/** Limits how many write connections one course may occupy. The lock on its row serializes the statements anyway. */
const LANE: SemaphoreOptions = { slots: 2, maxWaiting: 2_000, patienceMs: 8_000 }

/**
 * Creates one semaphore per key, so that callers waiting for the same row lock cannot occupy all connections. After a
 * lock timeout, one caller at a time retries.
 */
export function createKeyedSemaphores(options: SemaphoreOptions = LANE) {
  const lanes = new Map<number, Lane>()

  return {
    /**
     * Runs `work` as soon as a slot for the key is free.
     * @throws UnavailableError if the queue is full, the wait is too long, or the key's row lock is unavailable
     */
    async run<Result>(key: number, work: () => Promise<Result>): Promise<Result> {
      const lane = lanes.get(key) ?? { gate: createSemaphore(options), users: 0, isStuck: false }
      lanes.set(key, lane)
      if (lane.isStuck && lane.users > 0) throw new UnavailableError('the row is locked by another transaction')
      lane.users += 1
      const workIn = async () => {
        try {
          const result = await work()
          lane.isStuck = false
          return result
        } catch (error) {
          // This runs before the slot is released. Otherwise, the next waiting caller would occupy the slot and wait
          // for the locked row, too.
          if (isLockTimeout(error)) {
            lane.isStuck = true
            lane.gate.refuseWaiting(new UnavailableError('the row is locked by another transaction'))
          } else if (!isUnavailable(error)) lane.isStuck = false
          throw error
        }
      }
      try {
        return await lane.gate.run(workIn)
      } finally {
        lane.users -= 1
        if (lane.users === 0 && !lane.isStuck) lanes.delete(key)
      }
    },
  }
}
