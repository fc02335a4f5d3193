import { AggregatorRegistry, type MetricObject } from 'prom-client'

type Metrics = MetricObject[]

const isCumulative = ({ type }: MetricObject) => ['counter', 'histogram'].includes(String(type))

/**
 * The metrics of several processes, by the process. Counters never decrease: a process that answers too late counts with its last
 * figures, and those of one that has ended stay in the sum.
 */
export function createProcessMetrics<Process>() {
  const latest = new Map<Process, Metrics>()
  let ended: Metrics = []
  /** Totals of ended processes are summed up one after the other. */
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
