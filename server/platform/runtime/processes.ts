import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { MetricObject } from 'prom-client'
import type { Config } from '#server/platform/config/config.ts'
import type { OpenedDatabase } from '#server/platform/db/connect.ts'
import { createProcessMetrics } from '#server/platform/observability/registry.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { type Heartbeat, startHeartbeat } from './heartbeat.ts'
import {
  createProcessRequester,
  handleProcessRequests,
  type ProcessRequester,
  type ProcessRequestHandlers,
} from './process-requests.ts'

export type WorkerOptions = {
  /** without its block lists, which a message between processes would turn into empty objects */
  config: Omit<Config, 'trustedProxies' | 'webhookNetworks'>
  connection: OpenedDatabase['connection']
  /** folder with the built app; null: only the API is served */
  dist: string | null
  patienceMs: number
}

export type Workers = {
  /** stops all workers and waits until each has finished the requests it has accepted */
  stop(): Promise<void>
  /** number of workers that accept requests and are responsive */
  countAlive(): number
  /** metrics of all workers since startup, including workers that have ended */
  readMetrics(): Promise<MetricObject[][]>
}

/** Minimum lifetime of a worker in ms. A worker that ends earlier is replaced only after a delay. */
const YOUNG_MS = 5_000
const RESTART_PAUSE_MS = 1_000
/** Number of consecutive early exits of workers, during startup and afterwards, after which the portal shuts down. */
const MAX_EARLY_ENDS = { starting: 3, running: 8 }
/** Time in ms that a worker is granted beyond its own shutdown limit before it is killed. */
const STOP_GRACE_MS = 2_000
const METRICS_LIMIT_MS = 1_000

/**
 * Starts the workers and replaces those that end or become unresponsive. See docs/decisions/0140.
 * @param account account to which the workers switch; null: the current one
 * @throws StartError if workers repeatedly end before all of them accept requests
 */
export async function startWorkers(
  { config, ...rest }: Omit<WorkerOptions, 'config'> & { config: Config },
  account: { uid: number; gid: number } | null,
  handlers: ProcessRequestHandlers,
  { log, onLost }: { log: Logger; onLost: (error: Error) => void },
): Promise<Workers> {
  const { trustedProxies: _, webhookNetworks: __, ...plain } = config
  const assignment: WorkerOptions = { config: plain, ...rest }
  // Workers accept connections themselves. If this process distributed them, they would queue up when booking opens.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: join(import.meta.dirname, '../../start.mjs'), args: ['worker'], ...account })
  let isStopping = false
  let earlyEnds = 0
  const living = new Map<Worker, { ask: ProcessRequester; heartbeat: Heartbeat; isListening: boolean }>()
  const metrics = createProcessMetrics<Worker>()
  const started = Promise.withResolvers<void>()
  let isStarted = false
  const countListening = () => [...living.values()].filter(({ isListening }) => isListening).length

  const start = () => {
    const worker = cluster.fork()
    const startedAt = performance.now()
    const { pid } = worker.process
    const heartbeat = startHeartbeat(worker, () => {
      if (isStopping) return
      log.error({ pid }, 'a process hangs and is killed')
      worker.process.kill('SIGKILL')
    })
    const entry = { ask: createProcessRequester(worker, heartbeat), heartbeat, isListening: false }
    living.set(worker, entry)
    worker.on('error', error => log.warn({ err: error }, 'a process is unreachable'))
    worker.on('message', message => {
      if (!('isListening' in message)) return
      entry.isListening = true
      if (countListening() === config.processes) started.resolve()
    })
    handleProcessRequests(worker, handlers)
    worker.send({ assignment })
    worker.once('exit', async (code, signal) => {
      heartbeat.stop()
      living.delete(worker)
      metrics.end(worker)
      if (isStopping) return
      log.error({ pid, code, signal }, 'a process has exited and is replaced')
      earlyEnds = performance.now() - startedAt < YOUNG_MS ? earlyEnds + 1 : 0
      if (!isStarted && earlyEnds > MAX_EARLY_ENDS.starting) {
        return started.reject(new StartError('The processes of the portal end as soon as they start: see the log'))
      }
      if (earlyEnds > MAX_EARLY_ENDS.running) return onLost(new Error('every new process has ended within seconds'))
      if (earlyEnds > 0) await sleep(RESTART_PAUSE_MS)
      if (!isStopping) start()
    })
  }
  const stop = async () => {
    isStopping = true
    const all = [...living.keys()]
    const ended = all.map(worker => once(worker, 'exit'))
    for (const worker of all) if (worker.isConnected()) worker.send({ stop: true })
    await Promise.race([Promise.all(ended), sleep(rest.patienceMs + STOP_GRACE_MS, undefined, { ref: false })])
    for (const worker of living.keys()) worker.process.kill('SIGKILL')
  }
  for (let count = 0; count < config.processes; count += 1) start()
  try {
    await started.promise
    isStarted = true
  } catch (error) {
    await stop()
    throw error
  }
  const updateMetrics = async (worker: Worker, ask: ProcessRequester) => {
    const figures = await ask<MetricObject[]>('metrics', null)
    if (living.has(worker)) metrics.update(worker, figures)
  }
  return {
    stop,
    countAlive: () =>
      [...living.values()].filter(({ isListening, heartbeat }) => isListening && !heartbeat.isSilent()).length,
    async readMetrics() {
      // For a worker that does not respond, the last known metrics are used.
      const updates = [...living].map(([worker, { ask }]) => updateMetrics(worker, ask).catch(() => undefined))
      await Promise.race([Promise.all(updates), sleep(METRICS_LIMIT_MS, undefined, { ref: false })])
      return metrics.read()
    },
  }
}
