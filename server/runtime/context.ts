import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/client.ts'
import type { SendRequest } from './channel.ts'

/** Dependencies of all features; created once in main.ts and by tests. */
export type ServerContext = {
  db: Database
  config: Config
  log: Logger
  /** Wakes the mail sender after a new outbox row; only reduces the delay. */
  wakeMailer: () => void
  /** sends a request to the primary process; undefined in the primary process itself */
  ask?: SendRequest
}
