import { serverBusy, tooManyRequests } from '#server/platform/http/problems.ts'

export type FairQueueOptions = {
  /** maximum number of concurrent jobs */
  atOnce: number
  /** maximum number of concurrent jobs of the same origin (lane) */
  atOncePerLane?: number
  /** maximum number of waiting jobs of the same origin (lane), and (`inAll`) of all origins together */
  perLane: number
  inAll: number
  patienceMs: number
}

/** Lane of a job in the queue. It identifies the job's origin: a network, a person or a browser. */
export type QueueLane = {
  name: string
  /** whether this is a recognized user, who has priority over others */
  isKnown?: boolean
}

type Waiting = { lane: QueueLane; start: () => void }
type Queue = Map<string, Waiting[]>

/**
 * Number of consecutive jobs of recognized users after which a waiting job of another user is run, to prevent
 * starvation.
 */
const KNOWN_IN_A_ROW = 3
/** Value of Retry-After in seconds for rejected jobs. */
const RETRY_S = 5

/**
 * Creates a fair queue for expensive jobs. The origins of the jobs (lanes) are served round-robin, and the number and
 * the waiting time of their jobs are limited, so that no single caller can block the queue.
 */
export function createFairQueue({ atOnce, atOncePerLane = atOnce, perLane, inAll, patienceMs }: FairQueueOptions) {
  const known: Queue = new Map()
  const strangers: Queue = new Map()
  const running = new Map<string, number>()
  let free = atOnce
  let waiting = 0
  let knownInARow = 0

  const leave = (queue: Queue, { name }: QueueLane, one: Waiting) => {
    const lane = queue.get(name) ?? []
    lane.splice(lane.indexOf(one), 1)
    waiting -= 1
    // Round-robin: deleting and re-adding the map entry puts the remaining jobs of this origin behind those of all
    // others.
    queue.delete(name)
    if (lane.length > 0) queue.set(name, lane)
  }

  const firstOf = (queue: Queue): Waiting | null => {
    for (const [name, [first]] of queue) if (first && (running.get(name) ?? 0) < atOncePerLane) return first
    return null
  }

  const startNext = () => {
    while (free > 0) {
      const [stranger, person] = [firstOf(strangers), firstOf(known)]
      const next = person && (knownInARow < KNOWN_IN_A_ROW || !stranger) ? person : stranger
      if (!next) return
      knownInARow = next === person ? knownInARow + 1 : 0
      next.start()
    }
  }

  const begin = (name: string) => {
    free -= 1
    running.set(name, (running.get(name) ?? 0) + 1)
  }

  const end = (name: string) => {
    free += 1
    const left = (running.get(name) ?? 0) - 1
    if (left > 0) running.set(name, left)
    else running.delete(name)
    startNext()
  }

  const wait = (lane: QueueLane) => {
    const queue = lane.isKnown ? known : strangers
    const own = queue.get(lane.name) ?? []
    if (own.length >= perLane) throw tooManyRequests(RETRY_S)
    if (waiting >= inAll) throw serverBusy(RETRY_S)
    return new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        lane,
        start: () => {
          clearTimeout(patience)
          leave(queue, lane, one)
          begin(lane.name)
          resolve()
        },
      }
      const patience = setTimeout(() => {
        leave(queue, lane, one)
        // With free slots, the job waited only for the limit of its own origin.
        reject(free > 0 ? tooManyRequests(RETRY_S) : serverBusy(RETRY_S))
      }, patienceMs)
      own.push(one)
      queue.set(lane.name, own)
      waiting += 1
    })
  }

  return {
    /** Number of waiting jobs of this origin. */
    waitingIn: ({ name, isKnown }: QueueLane): number => (isKnown ? known : strangers).get(name)?.length ?? 0,
    /**
     * Runs `work` when it is its origin's turn.
     * @throws HttpProblem 429 if too many jobs of this origin are waiting or the wait for its own limit is too long, 503
     * if the queue is full or the wait for the others is too long
     */
    async run<Result>(lane: QueueLane, work: () => Promise<Result>): Promise<Result> {
      if (free > 0 && (running.get(lane.name) ?? 0) < atOncePerLane) begin(lane.name)
      else await wait(lane)
      try {
        return await work()
      } finally {
        end(lane.name)
      }
    },
  }
}
