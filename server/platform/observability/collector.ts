import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import {
  type Context,
  isSpanContextValid,
  SpanKind as Kind,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace as spans,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { VERSION } from '#server/platform/config/config.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { type SpanKind, setTracer } from './trace.ts'

const SEND_MS = 5_000
/** Maximum time in ms to wait during shutdown until the exporter has sent the remaining spans. */
const PATIENCE_MS = 2_000

const KINDS: Record<SpanKind, Kind> = {
  request: Kind.SERVER,
  statement: Kind.CLIENT,
  mail: Kind.CLIENT,
  job: Kind.INTERNAL,
}

/** Trace context of the caller's span; the root context if `traceparent` is missing or malformed. */
function readCaller(traceparent = ''): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/.exec(traceparent) ?? []
  const caller = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(caller) ? spans.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT
}

/**
 * Exports spans in batches to a collector with OTLP over HTTP. If the queue is full, spans are dropped; requests never
 * wait for the collector.
 */
export function openCollector(url: string, serviceName: string): { stop(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_MS })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': VERSION,
      'service.instance.id': randomUUID(),
      'process.pid': process.pid,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('portal')
  const current = new AsyncLocalStorage<Context>()
  setTracer((kind, name, facts, work, traceparent) => {
    const parent = current.getStore()
    // Statements outside a trace, such as those for polling, are not traced.
    if (kind === 'statement' && parent === undefined) return work(() => {})
    const context = parent ?? readCaller(traceparent)
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: facts }, context)
    return current.run(spans.setSpan(context, span), async () => {
      try {
        return await work((more, better) => {
          span.setAttributes(more)
          if (better !== undefined) span.updateName(better)
        })
      } catch (error) {
        // The error message is omitted, because it may contain row values.
        span.setStatus({ code: SpanStatusCode.ERROR })
        span.setAttribute('error.type', errorFactsOf(error).code || 'Error')
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
      // An unreachable collector must not delay shutdown.
      await Promise.race([provider.shutdown().catch(() => {}), waited])
    },
  }
}
