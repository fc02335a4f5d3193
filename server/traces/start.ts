import type { Config } from '#server/config.ts'

/** Sends traces where a collector is named; what does so is loaded only then. See docs/decisions/0096. */
export async function startTraces({ tracing }: Pick<Config, 'tracing'>): Promise<{ stop(): Promise<void> } | null> {
  if (tracing === null) return null
  const { openCollector } = await import('./collector.ts')
  return openCollector(tracing.url, tracing.serviceName)
}
