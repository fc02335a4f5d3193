import { Worker } from 'node:worker_threads'
import { createThread } from '#server/throttle/thread.ts'
import { createTurns, type Lane } from '#server/throttle/turns.ts'
import type { StrengthQuestion } from './strength-worker.ts'

const judge = createThread<StrengthQuestion, number>(() => new Worker(new URL('./strength-worker.ts', import.meta.url)))

// One thread judges one at a time: a few of one caller may wait, and those of others go in between.
const turns = createTurns({ atOnce: 1, perLane: 20, inAll: 500, patienceMs: 15_000 })

/**
 * 0 to 4, on a thread of its own: some take 50 ms. See docs/decisions/0008.
 * @param personalWords what an attacker knows of the person
 */
export const findStrength = (password: string, personalWords: string[], lane: Lane): Promise<number> =>
  turns.run(lane, () => judge({ password, personalWords }))
