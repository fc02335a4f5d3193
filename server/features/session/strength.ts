import { MessageChannel, Worker } from 'node:worker_threads'

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

/**
 * How hard a password is to guess, 0 to 4, on a thread of its own: some take 50 ms, in which this one would answer nobody.
 * @param personalWords what an attacker knows of the person: names, the e-mail address
 */
export function findStrength(password: string, personalWords: string[]): Promise<number> {
  judge ??= startJudge()
  const { port1: own, port2: port } = new MessageChannel()
  judge.postMessage({ password, personalWords, port }, [port])
  return new Promise((resolve, reject) => {
    own.once('message', (score: number) => resolve(score))
    own.once('close', () => reject(new Error('the password was not judged')))
  })
}
