import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/client.ts'
import type { SendRequest } from './channel.ts'

/** Dependencies of all features; main.ts and tests create them once. */
export type ServerContext = {
  db: Database
  config: Config
  log: Logger
  /** wakes the mail sender after a new outbox row, which only reduces the delay */
  wakeMailer: () => void
  /** sends a request to the primary process; undefined in the primary process itself */
  ask?: SendRequest
}
