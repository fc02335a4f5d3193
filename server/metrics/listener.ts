import { once } from 'node:events'
import { createServer } from 'node:http'
import { AggregatorRegistry, type MetricObject, Registry } from 'prom-client'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/client.ts'
import { factsOf } from '#server/error-facts.ts'
import { StartError } from '#server/start-error.ts'
import { addPortalGauges } from './portal-gauges.ts'
import { countProcess, registry } from './registry.ts'

/** What another process has counted; asked for anew each time. */
export type AskWorkers = () => Promise<MetricObject[][]>

/**
 * GET /metrics on an address of its own: this process, those that serve, the database.
 * @returns stops it; null without METRICS_PORT
 */
export async function startMetrics(
  { metricsAddress, dataDir }: Pick<Config, 'metricsAddress' | 'dataDir'>,
  db: Database,
  askWorkers: AskWorkers,
): Promise<{ stop(): Promise<void> } | null> {
  if (metricsAddress === null) return null
  const shared = new Registry()
  const readPortal = addPortalGauges(shared, db, dataDir)
  countProcess()
  const render = async () => {
    const [own, workers] = await Promise.all([registry.getMetricsAsJSON(), askWorkers(), readPortal()])
    const all = AggregatorRegistry.aggregate([own, ...workers] as MetricObject[][])
    return `${await all.metrics()}\n${await shared.metrics()}`
  }
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    if (!isAsked) return response.writeHead(404).end()
    render().then(
      text => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      // A process that does not answer: the next question comes in seconds, and the gap shows.
      () => response.writeHead(500).end(),
    )
  })
  server.listen(metricsAddress)
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new StartError(`METRICS_PORT: ${factsOf(cause).message}`, { cause })
  }
  return {
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
