import { isLockTimeout, isUnavailable, UnavailableError } from './unavailable.ts'

export type GateOptions = {
  /** how many are inside at once */
  slots: number
  /** how many may wait, and how long, in ms */
  maxWaiting: number
  patienceMs: number
}

export type Gate = {
  /** @throws UnavailableError when too many wait, or it took too long to get in */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  refuseWaiting(reason: Error): void
}

type Waiter = { enter: () => void; refuse: (reason: Error) => void; timer: NodeJS.Timeout }

// See docs/decisions/0012.
/** Lets so many in at once, the others in the order in which they came. */
export function createGate({ slots, maxWaiting, patienceMs }: GateOptions): Gate {
  let free = slots
  // A set keeps the order in which they came.
  const waiting = new Set<Waiter>()

  const dismiss = (waiter: Waiter) => {
    clearTimeout(waiter.timer)
    waiting.delete(waiter)
  }
  const enter = () =>
    new Promise<void>((resolve, reject) => {
      if (waiting.size >= maxWaiting) return reject(new UnavailableError(`${waiting.size} calls wait already`))
      const waiter: Waiter = { enter: resolve, refuse: reject, timer: setTimeout(() => giveUp(), patienceMs) }
      const giveUp = () => {
        dismiss(waiter)
        reject(new UnavailableError(`no turn within ${patienceMs} ms`))
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

type Lane = { gate: Gate; users: number; isStuck: boolean }

/** Of the connections for writing, what one course may have: its lock lets in one at a time anyway. */
const LANE: GateOptions = { slots: 2, maxWaiting: 2_000, patienceMs: 8_000 }

/** Keeps those who queue for one thing from taking every connection. While its lock is not to be had, one at a time tries again. */
export function createLanes(options: GateOptions = LANE) {
  const lanes = new Map<number, Lane>()

  return {
    /** @throws UnavailableError as a Gate does, and when the thing is stuck */
    async run<Result>(key: number, work: () => Promise<Result>): Promise<Result> {
      const lane = lanes.get(key) ?? { gate: createGate(options), users: 0, isStuck: false }
      lanes.set(key, lane)
      if (lane.isStuck && lane.users > 0) throw new UnavailableError('somebody holds it locked')
      lane.users += 1
      const workIn = async () => {
        try {
          const result = await work()
          lane.isStuck = false
          return result
        } catch (error) {
          // Before the next one is let in.
          if (isLockTimeout(error)) {
            lane.isStuck = true
            lane.gate.refuseWaiting(new UnavailableError('somebody holds it locked'))
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
