import { AggregatorRegistry, type MetricObject } from 'prom-client'

type Metrics = MetricObject[]

const isCumulative = ({ type }: MetricObject) => ['counter', 'histogram'].includes(String(type))

/**
 * Merged metrics of several processes, labelled by process. Counters never decrease: a process that responds too late
 * counts with its last values, and ended processes stay in the sum.
 */
export function createProcessMetrics<Process>() {
  const latest = new Map<Process, Metrics>()
  let ended: Metrics = []
  /** Values of ended processes are added sequentially. */
  let adding: Promise<void> = Promise.resolve()
  const addToEnded = async (metrics: Metrics) => {
    ended = await AggregatorRegistry.aggregate([ended, metrics.filter(isCumulative)]).getMetricsAsJSON()
  }
  return {
    update(process: Process, metrics: Metrics): void {
      latest.set(process, metrics)
    },
    end(process: Process): void {
      const last = latest.get(process)
      latest.delete(process)
      if (last) adding = adding.then(() => addToEnded(last))
    },
    async read(): Promise<Metrics[]> {
      await adding
      return [ended, ...latest.values()]
    },
  }
}
