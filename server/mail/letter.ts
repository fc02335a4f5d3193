import type { Config } from '#server/config.ts'
import { translate } from '#server/texts/translate.ts'
import { contentOf } from './contents.ts'
import type { MailKind, MailValues } from './kinds.ts'
import { layOutHtml, layOutText } from './layout.ts'
import type { DueMail } from './outbox.ts'
import type { Letter } from './transport.ts'

const hostOf = (mailFrom: string) => /@([^\s<>@]+?)>?$/.exec(mailFrom)?.[1] ?? 'localhost'

/** Mail including its generated secrets. */
export type CompleteMail = Omit<DueMail, 'payload' | 'attempts' | 'webUserId'> & { payload: MailValues[MailKind] }

/**
 * Renders the MIME message. The Message-ID is stable across retries, so that mailboxes can drop duplicates. @param
 * calendar attached iCalendar file
 */
export function writeLetter(
  mail: CompleteMail,
  config: Pick<Config, 'mailFrom' | 'publicUrl' | 'branding'>,
  calendar: string | null = null,
): Letter {
  const content = contentOf(mail, config)
  return {
    id: mail.id,
    message: {
      from: config.mailFrom,
      to: { name: content.name, address: mail.recipient },
      subject: content.subject,
      text: layOutText(mail.language, content),
      html: layOutHtml(mail.language, content),
      messageId: `<${mail.id}.${mail.createdAt.getTime()}@${hostOf(config.mailFrom)}>`,
      date: mail.createdAt,
      ...(calendar !== null && {
        attachments: [
          {
            filename: translate(mail.language, 'calendar.fileName'),
            content: calendar,
            contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
          },
        ],
      }),
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.language },
    },
  }
}
