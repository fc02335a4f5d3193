import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  Registry,
} from 'prom-client'

/** Metrics of this process since it started. */
export const registry = new Registry()

const requests = new Histogram({
  name: 'portal_request_duration_seconds',
  help: 'Duration of HTTP requests in seconds, by method, route pattern and status',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
  registers: [registry],
})
const answers = new Counter({
  name: 'portal_answers_total',
  help: 'Responses with a status in the body, such as bookings, cancellations, attendance changes, logins and office actions',
  labelNames: ['call', 'answer'],
  registers: [registry],
})
const tasks = new Gauge({
  name: 'portal_job_last_success_timestamp_seconds',
  help: 'Unix time of the last success of each scheduled task; 0 until its first success since the process started',
  // The label is `task`, because Prometheus reserves `job`.
  labelNames: ['task'],
  aggregator: 'max',
  registers: [registry],
})

const securityEvents = new Counter({
  name: 'portal_security_events_total',
  help: 'Security events, by the value of the log field `security`',
  labelNames: ['event'],
  registers: [registry],
})

/**
 * Collects the default metrics of a process: memory, event loop, garbage collection and open files. For several
 * processes, values are added up, and delays are averaged.
 */
export function collectProcessMetrics(): void {
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'portal_open_fds_ratio',
    help: 'Ratio of open file descriptors to their limit, of the process with the highest ratio',
    // A sum would hide that a single process has run out of file descriptors.
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const read = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value
      const [open, max] = await Promise.all([read('process_open_fds'), read('process_max_fds')])
      // Linux only.
      if (open && max) this.set(open / max)
    },
  })
}

/** Counts requests by route pattern. All unknown paths are counted as one, which limits the cardinality. */
export const countRequests: MiddlewareHandler = async (c, next) => {
  const end = requests.startTimer()
  await next()
  const pattern = routePath(c)
  end({ method: c.req.method, route: pattern.includes('*') ? 'other' : pattern, status: c.res.status })
}

/**
 * Counts a response by the `status` in its body.
 * @param call method and route as in the contract
 */
export function countResponse(call: string, answer: unknown): void {
  const { status }: { status?: unknown } = Object(answer)
  // The contract defines only a few status values, which limits the cardinality.
  if (typeof status === 'string') answers.inc({ call, answer: status })
}

export const countSecurityEvent = (event: string, by = 1): void => securityEvents.inc({ event }, by)

/** Initializes the metric of a scheduled task, so that its alert fires even if the task never succeeds. */
export const registerScheduledTask = (task: string): void => tasks.set({ task }, 0)
export const recordScheduledTask = (task: string): void => tasks.setToCurrentTime({ task })

type Metrics = MetricObject[]

const isCumulative = ({ type }: MetricObject) => ['counter', 'histogram'].includes(String(type))

/**
 * Merges the metrics of several processes. Counters never decrease: for a process that responds too late, the last
 * known values are used, and the values of exited processes remain in the sum.
 */
export function createProcessMetrics<Process>() {
  const latest = new Map<Process, Metrics>()
  let ended: Metrics = []
  /** Promise chain that adds the last metrics of exited processes to the sum one after the other. */
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
