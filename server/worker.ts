import { once } from 'node:events'
import { answerQuestions, createAsk } from './channel.ts'
import { readConfig } from './config.ts'
import { openPools } from './db/pools.ts'
import { createLog, exitLogged } from './log.ts'
import { countProcess, registry } from './metrics/registry.ts'
import type { Assignment } from './processes.ts'
import { serve } from './serve.ts'
import { spareMemory } from './spare-memory.ts'
import { startTraces } from './traces/start.ts'

/** Takes calls and reads. What is done once, or in one order, it leaves to the process in charge, without which it ends. */
export async function run(): Promise<void> {
  process.on('disconnect', () => process.exit(1))
  // Ctrl+C reaches every process of a terminal: the one in charge sees to the end of the others.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
  const stopped = new Promise<void>(resolve => {
    process.on('message', message => 'stop' in Object(message) && resolve())
    process.on('SIGTERM', () => resolve())
  })
  const [first] = await once(process, 'message')
  const { assignment }: { assignment: Assignment } = first
  const { connection, dist, patienceMs } = assignment
  const config = { ...assignment.config, trustedProxies: readConfig().trustedProxies }
  const log = createLog(config.logLevel)
  const fail = (error: unknown) => {
    log.fatal({ err: error }, 'a process has failed')
    exitLogged(log, 1)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  const pools = openPools(connection, config.timeZone, config.processes)
  const ask = createAsk(process)
  answerQuestions(Object.assign(process, { isConnected: () => process.connected }), {
    metrics: () => registry.getMetricsAsJSON(),
  })
  if (config.metricsAddress) countProcess()
  const traces = await startTraces(config)
  const server = await serve({ db: pools.calls, config, log, wakeMailer: () => void ask('wake', null), ask }, dist)
  process.send?.({ isListening: true })
  spareMemory()
  await stopped
  await server.close(patienceMs)
  await traces?.stop()
  await pools.close()
  exitLogged(log, 0)
}
