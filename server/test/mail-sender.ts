import { createMailSecretCache } from '#server/features/accounts/mail-secret-service.ts'
import { createCalendarService } from '#server/features/calendar/service.ts'
import { findInvoicePdf } from '#server/features/money/invoice-repository.ts'
import { findUnsubscribeUrl } from '#server/features/reminders/service.ts'
import { readOfficeReport } from '#server/operations/office-report.ts'
import { openMailTransport } from '#server/platform/outbox/mail-transport.ts'
import { type Sender, type SenderTimings, startSender } from '#server/platform/outbox/sender.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'

/** Opens the mail transport as a running portal does. */
export const openTestMailTransport = ({ db, config }: Pick<ServerContext, 'db' | 'config'>) =>
  openMailTransport(config, {
    secrets: createMailSecretCache(db),
    calendars: createCalendarService({ db, config }),
    findInvoicePdf: number => findInvoicePdf(db, number),
    readOfficeReport: webUserId => readOfficeReport(db, webUserId, config.region),
    findUnsubscribeUrl: mail => findUnsubscribeUrl(db, config.publicUrl, mail),
  })

/** Starts a sender for e-mails only. A running portal also sends push messages and webhook calls. */
export const startMailSender = (
  { db, config, log }: Pick<ServerContext, 'db' | 'config' | 'log'>,
  times: Partial<SenderTimings> = {},
): Sender => startSender({ db, log }, [openTestMailTransport({ db, config })], times)
