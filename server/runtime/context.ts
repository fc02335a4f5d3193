import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/client.ts'
import type { Ask } from './channel.ts'

/** What every feature of the server may use. Made once in main.ts, and by the tests. */
export type ServerContext = {
  db: Database
  config: Config
  log: Logger
  /** Tells the mail sender that the outbox has a new row; never needed for correctness. */
  wakeMailer: () => void
  /** asks the process in charge; none where it is this one */
  ask?: Ask
}
