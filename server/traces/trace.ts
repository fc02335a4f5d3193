/** What a span may say: routes, kinds, counts. No names, addresses or values of rows. */
export type Facts = Record<string, string | number>
export type SpanKind = 'request' | 'statement' | 'mail' | 'job'
export type Tracer = <Result>(
  kind: SpanKind,
  name: string,
  facts: Facts,
  /** `note` says what is known at the end only, and a better name */
  work: (note: (facts: Facts, name?: string) => void) => Promise<Result>,
) => Promise<Result>

let tracer: Tracer | null = null

export const setTracer = (own: Tracer | null): void => {
  tracer = own
}

export const isTraced = (): boolean => tracer !== null

/** Does something as a span of a trace, where a collector is named; elsewhere just so. */
export const trace: Tracer = (kind, name, facts, work) =>
  tracer === null ? work(() => {}) : tracer(kind, name, facts, work)
