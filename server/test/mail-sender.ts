import { openMailTransport } from '#server/queue/mail-transport.ts'
import { type Sender, type SenderTimes, startSender } from '#server/queue/sender.ts'
import type { ServerContext } from '#server/runtime/context.ts'

/** Sends mails only; a running portal sends pushes and webhook calls, too. */
export const startMailSender = (
  { db, config, log }: Pick<ServerContext, 'db' | 'config' | 'log'>,
  times: Partial<SenderTimes> = {},
): Sender => startSender({ db, log }, [openMailTransport({ db, config })], times)
