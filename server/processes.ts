import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Ask, answerQuestions, createAsk, type Handlers } from './channel.ts'
import type { Config } from './config.ts'
import type { OpenDatabase } from './db/connect.ts'
import { StartError } from './start-error.ts'

export type Assignment = {
  config: Omit<Config, 'trustedProxies'>
  connection: OpenDatabase['connection']
  /** the built app; null: the interface alone */
  dist: string | null
  patienceMs: number
}

/** Cluster tells of a socket that processes share, and not of those that each has for itself. */
const isListening = (worker: Worker): Promise<void> =>
  new Promise(resolve => {
    worker.on('message', message => 'isListening' in message && resolve())
  })

export type Workers = {
  /** Lets each answer the calls it has taken, and waits for that. */
  stop(): Promise<void>
  /** What each of them answers; who has gone or is silent is left out. */
  askAll<Result>(name: string): Promise<Result[]>
}

/** One that dies younger than this is started again only after a pause. */
const YOUNG_MS = 5_000
/** So many of them in a row, and none will live. */
const MOST_YOUNG_DEATHS = 8
/** Beyond its own patience, one that does not end is killed. */
const LAST_PATIENCE_MS = 2_000
const ANSWER_PATIENCE_MS = 1_000

/** Starts the processes that serve, and one anew for each that dies. @param account null: as this process @throws StartError */
export async function startWorkers(
  { config, ...rest }: Omit<Assignment, 'config'> & { config: Config },
  account: { uid: number; gid: number } | null,
  handlers: Handlers,
  { log, onLost }: { log: Logger; onLost: (error: Error) => void },
): Promise<Workers> {
  const { trustedProxies: _, ...plain } = config
  const assignment: Assignment = { config: plain, ...rest }
  // Passed on by this process, connections would wait for each other at the opening second.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'start.mjs'), args: ['worker'], ...account })
  let isStopping = false
  let youngDeaths = 0
  const living = new Map<Worker, Ask>()

  const start = (): Worker => {
    const worker = cluster.fork()
    const startedAt = performance.now()
    living.set(worker, createAsk(worker))
    worker.on('error', error => log.warn({ err: error }, 'a process cannot be reached'))
    answerQuestions(worker, handlers)
    worker.send({ assignment })
    worker.once('exit', async (code, signal) => {
      living.delete(worker)
      if (isStopping) return
      log.error({ pid: worker.process.pid, code, signal }, 'a process has ended: another one takes its place')
      youngDeaths = performance.now() - startedAt < YOUNG_MS ? youngDeaths + 1 : 0
      if (youngDeaths > MOST_YOUNG_DEATHS) return onLost(new Error('no process lives'))
      if (youngDeaths > 0) await sleep(1_000)
      if (!isStopping) start()
    })
    return worker
  }
  const isUp = async (worker: Worker) => {
    const ended = once(worker, 'exit').then(() => 'ended')
    if ((await Promise.race([isListening(worker), ended])) === 'ended') throw new StartError('a process does not start')
  }
  const stop = async () => {
    isStopping = true
    const all = [...living.keys()]
    const ended = all.map(worker => once(worker, 'exit'))
    for (const worker of all) if (worker.isConnected()) worker.send({ stop: true })
    await Promise.race([Promise.all(ended), sleep(rest.patienceMs + LAST_PATIENCE_MS, undefined, { ref: false })])
    for (const worker of living.keys()) worker.process.kill('SIGKILL')
  }
  try {
    await Promise.all(Array.from({ length: config.processes }, () => isUp(start())))
  } catch (error) {
    await stop()
    throw error
  }
  const askAll = async <Result>(name: string): Promise<Result[]> => {
    const asked = [...living.values()].map(ask =>
      // A process that is just ending counts as none.
      Promise.race([ask<Result>(name, null), sleep(ANSWER_PATIENCE_MS, null, { ref: false })]).catch(() => null),
    )
    return (await Promise.all(asked)).flatMap(answer => (answer === null ? [] : [answer]))
  }
  return { stop, askAll }
}
