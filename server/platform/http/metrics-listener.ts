import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Logger } from 'pino'
import { AggregatorRegistry, Gauge, type MetricObject, Registry } from 'prom-client'
import type { Config } from '#server/platform/config/config.ts'
import { collectProcessMetrics, registry } from '#server/platform/observability/registry.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { explainBindError } from './listen.ts'

type Sources = {
  log: Logger
  /**
   * adds the gauges whose values all servers share
   * @returns function that updates them
   */
  addPortalGauges(registry: Registry): () => Promise<void>
  /** null: single process */
  workers: { countAlive(): number; readMetrics(): Promise<MetricObject[][]> } | null
}

/**
 * Serves GET /metrics on a separate address, with the metrics of this process, the workers and the database. If the
 * address is in use, a warning is logged, because the portal can run without metrics.
 * @returns function that stops the listener; null if METRICS_PORT is not set
 */
export async function startMetrics(
  { metricsAddress, processes }: Pick<Config, 'metricsAddress' | 'processes'>,
  { log, workers, addPortalGauges }: Sources,
): Promise<{ stop(): Promise<void> } | null> {
  if (metricsAddress === null) return null
  const shared = new Registry()
  const readPortal = addPortalGauges(shared)
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [shared] })
  gauge('portal_processes_wanted', 'Configured number of processes that accept requests').set(processes)
  const alive = gauge('portal_processes_alive', 'Number of these processes that are running and responsive')
  collectProcessMetrics()
  const render = async () => {
    const [own, others] = await Promise.all([registry.getMetricsAsJSON(), workers?.readMetrics() ?? [], readPortal()])
    alive.set(workers?.countAlive() ?? 1)
    const all = AggregatorRegistry.aggregate([own as MetricObject[], ...others])
    return `${await all.metrics()}\n${await shared.metrics()}`
  }
  const server = createServer((request, response) => {
    const isFound = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    if (!isFound) return response.writeHead(404).end()
    render().then(
      text => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      error => {
        log.warn({ err: error }, 'failed to collect metrics')
        response.writeHead(500).end()
      },
    )
  })
  server.listen(metricsAddress)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { host, port } = metricsAddress
    const fault = explainBindError(host, port, errorFactsOf(error), { HOST: 'METRICS_PORT', PORT: 'METRICS_PORT' })
    log.warn(`${fault}. The portal continues without metrics`)
    return null
  }
  return {
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
