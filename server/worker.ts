import { once } from 'node:events'
import { readConfig } from './platform/config/config.ts'
import { openPools } from './platform/db/pools.ts'
import { enableOutgoingProxy } from './platform/http/outgoing-proxy.ts'
import { createLog, exitAfterFlush } from './platform/observability/log.ts'
import { collectProcessMetrics, registry } from './platform/observability/registry.ts'
import { startTraces } from './platform/observability/start.ts'
import { watchDescriptorExhaustion } from './platform/process/file-descriptors.ts'
import { startHeartbeat } from './platform/runtime/heartbeat.ts'
import { createProcessRequester, handleProcessRequests } from './platform/runtime/process-requests.ts'
import type { WorkerOptions } from './platform/runtime/processes.ts'
import { serveApp } from './serve.ts'

/**
 * Runs a worker process, which accepts requests. It delegates tasks that must run only once or in order to the primary
 * process, and ends when the primary process ends. A primary process that hangs is killed, so that it does not block
 * the port and the data for the next start. See docs/decisions/0140.
 */
export async function run(): Promise<void> {
  const { ppid } = process
  const { trustedProxies, webhookNetworks, logLevel } = readConfig()
  const log = createLog(logLevel)
  process.on('disconnect', () => exitAfterFlush(log, 1))
  // The signals are ignored, because Ctrl+C reaches all processes of a terminal, and the primary process shuts down the
  // workers.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
  const stopped = new Promise<void>(resolve => {
    process.on('message', message => 'stop' in Object(message) && resolve())
    process.on('SIGTERM', () => resolve())
  })
  const channel = Object.assign(process, { isConnected: () => process.connected })
  const heartbeat = startHeartbeat(channel, () => {
    log.fatal({ pid: ppid }, 'the main process hangs: all processes exit')
    // The current parent process is compared with the original one, because the primary process may have ended and
    // another process may have its id.
    if (process.ppid === ppid) process.kill(ppid, 'SIGKILL')
  })
  const [first] = await once(process, 'message')
  const { assignment }: { assignment: WorkerOptions } = first
  const { connection, dist, patienceMs } = assignment
  const config = { ...assignment.config, trustedProxies, webhookNetworks }
  const fail = (error: unknown) => {
    log.fatal({ err: error }, 'a process has failed')
    exitAfterFlush(log, 1)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  watchDescriptorExhaustion(log)
  enableOutgoingProxy(config)
  const pools = openPools(connection, config.timeZone, config.processes)
  const ask = createProcessRequester(channel, heartbeat)
  handleProcessRequests(channel, { metrics: () => registry.getMetricsAsJSON() })
  if (config.metricsAddress) collectProcessMetrics()
  const traces = await startTraces(config)
  // Errors are ignored. The sender polls regularly, so a lost wake-up only causes a delay of a few seconds.
  const wakeMailer = () => void ask('wake', null).catch(() => undefined)
  const server = await serveApp({ db: pools.calls, config, log, wakeMailer, ask }, dist)
  process.send?.({ isListening: true })
  await stopped
  await server.close(patienceMs)
  await traces?.stop()
  await pools.close()
  exitAfterFlush(log, 0)
}
