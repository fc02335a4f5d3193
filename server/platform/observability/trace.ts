/** Span attributes such as routes, kinds and counts. They must not contain names, addresses or row values. */
export type SpanAttributes = Record<string, string | number>
export type SpanKind = 'request' | 'statement' | 'mail' | 'job'
export type Tracer = <Result>(
  kind: SpanKind,
  name: string,
  facts: SpanAttributes,
  /**
   * `note` adds attributes that become available while `work` runs, and optionally gives the span a more specific name
   */
  work: (note: (facts: SpanAttributes, name?: string) => void) => Promise<Result>,
  /** the caller's `traceparent` header, whose trace the span continues (W3C Trace Context) */
  traceparent?: string,
) => Promise<Result>

let tracer: Tracer | null = null

export const setTracer = (own: Tracer | null): void => {
  tracer = own
}

export const isTraced = (): boolean => tracer !== null

/** Runs a function within a span if tracing is enabled, otherwise directly. */
export const trace: Tracer = (kind, name, facts, work, traceparent) =>
  tracer === null ? work(() => {}) : tracer(kind, name, facts, work, traceparent)
