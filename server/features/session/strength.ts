import { MessageChannel, Worker } from 'node:worker_threads'
import { createTurns, type Lane } from '#server/throttle/turns.ts'

let judge: Worker | null = null

/** Started with the first question and kept: the dictionaries take 0.3 s to load. */
function startJudge(): Worker {
  const worker = new Worker(new URL('./strength-worker.ts', import.meta.url))
  worker.unref()
  const forget = () => {
    if (judge === worker) judge = null
  }
  worker.on('error', forget)
  worker.on('exit', forget)
  return worker
}

// One thread judges one at a time: a few of one caller may wait, and those of others go in between.
const turns = createTurns({ atOnce: 1, perLane: 20, inAll: 500, patienceMs: 15_000 })

/**
 * 0 to 4, on a thread of its own: some take 50 ms. See docs/decisions/0044.
 * @param personalWords what an attacker knows of the person
 */
export const findStrength = (password: string, personalWords: string[], lane: Lane): Promise<number> =>
  turns.run(lane, () => ask(password, personalWords))

function ask(password: string, personalWords: string[]): Promise<number> {
  judge ??= startJudge()
  const { port1: own, port2: port } = new MessageChannel()
  judge.postMessage({ password, personalWords, port }, [port])
  return new Promise((resolve, reject) => {
    own.once('message', (score: number) => resolve(score))
    own.once('close', () => reject(new Error('the password was not judged')))
  })
}
