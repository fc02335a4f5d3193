import { Worker } from 'node:worker_threads'
import { createFairQueue, type QueueLane } from '#server/throttle/fair-queue.ts'
import { createWorkerClient } from '#server/throttle/limits-worker.ts'
import type { StrengthRequest } from './strength-worker.ts'

const judge = createWorkerClient<StrengthRequest, number>(
  () => new Worker(new URL('./strength-worker.ts', import.meta.url)),
)

// One worker thread with one job at a time; the queue is fair between callers.
const turns = createFairQueue({ atOnce: 1, perLane: 20, inAll: 500, patienceMs: 15_000 })

/**
 * Strength from 0 to 4, computed in a worker thread because some passwords take 50 ms. See docs/decisions/0008.
 * @param personalWords personal data that an attacker would try
 */
export const findStrength = (password: string, personalWords: string[], lane: QueueLane): Promise<number> =>
  turns.run(lane, () => judge({ password, personalWords }))
