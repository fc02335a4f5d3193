import { openMailTransport } from '#server/platform/outbox/mail-transport.ts'
import { type Sender, type SenderTimings, startSender } from '#server/platform/outbox/sender.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'

/** Starts a sender for e-mails only. A running portal also sends push messages and webhook calls. */
export const startMailSender = (
  { db, config, log }: Pick<ServerContext, 'db' | 'config' | 'log'>,
  times: Partial<SenderTimings> = {},
): Sender => startSender({ db, log }, [openMailTransport({ db, config })], times)
