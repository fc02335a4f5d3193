import type { Logger } from 'pino'
import type { Config } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/db/client.ts'
import type { ProcessRequester } from './process-requests.ts'

/** Dependencies of all features, created once by main.ts and by tests. */
export type ServerContext = {
  db: Database
  config: Config
  log: Logger
  /** wakes the sender after a row was added to the outbox; optional, as it only reduces the delay */
  wakeMailer: () => void
  /** sends a request to the primary process; undefined in the primary process itself */
  ask?: ProcessRequester
}
