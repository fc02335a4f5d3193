import type { Config } from '#server/platform/config/config.ts'

/** Starts tracing if a collector is configured. The libraries are loaded only in this case. See docs/decisions/0096. */
export async function startTraces({ tracing }: Pick<Config, 'tracing'>): Promise<{ stop(): Promise<void> } | null> {
  if (tracing === null) return null
  const { openCollector } = await import('./collector.ts')
  return openCollector(tracing.url, tracing.serviceName)
}
