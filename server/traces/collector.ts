import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, SpanKind as Kind, ROOT_CONTEXT, SpanStatusCode, trace as spans } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { factsOf } from '#server/error-facts.ts'
import { type SpanKind, setTracer } from './trace.ts'

const SEND_MS = 5_000
/** Of a stop. */
const PATIENCE_MS = 2_000

const KINDS: Record<SpanKind, Kind> = {
  request: Kind.SERVER,
  statement: Kind.CLIENT,
  mail: Kind.CLIENT,
  job: Kind.INTERNAL,
}

/** Sends spans to a collector by OTLP over HTTP, in lots. Beyond what waits for it they are dropped; nothing else waits. */
export function openCollector(url: string, serviceName: string): { stop(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_MS })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('portal')
  const current = new AsyncLocalStorage<Context>()
  setTracer((kind, name, facts, work) => {
    const parent = current.getStore()
    // What looks for work all day, and finds none, is no trace.
    if (kind === 'statement' && parent === undefined) return work(() => {})
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: facts }, parent ?? ROOT_CONTEXT)
    return current.run(spans.setSpan(parent ?? ROOT_CONTEXT, span), async () => {
      try {
        return await work((more, better) => {
          span.setAttributes(more)
          if (better !== undefined) span.updateName(better)
        })
      } catch (error) {
        // A message may repeat the values of a row.
        span.setStatus({ code: SpanStatusCode.ERROR })
        span.setAttribute('error.type', factsOf(error).code || 'Error')
        throw error
      } finally {
        span.end()
      }
    })
  })
  return {
    async stop() {
      setTracer(null)
      const waited = new Promise<void>(resolve => setTimeout(resolve, PATIENCE_MS).unref())
      // A collector that is away keeps nobody from stopping.
      await Promise.race([provider.shutdown().catch(() => {}), waited])
    },
  }
}
