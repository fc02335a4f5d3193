import type { SendMailOptions } from 'nodemailer'
import type { Language } from '#contract/values.ts'
import { escapeHtml } from '#contract/words.ts'
import type { Config } from '#server/platform/config/config.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { type MailContent, toMailContent } from './mail-content.ts'
import type { MailKind, MailValues } from './mail-kinds.ts'
import type { DueMail } from './outbox.ts'

const hostOf = (mailFrom: string) => /@([^\s<>@]+?)>?$/.exec(mailFrom)?.[1] ?? 'localhost'

/** Mail whose payload includes the generated secrets. */
export type MailWithSecrets = Pick<DueMail, 'id' | 'kind' | 'recipient' | 'language' | 'createdAt' | 'name'> & {
  payload: MailValues[MailKind]
}

/** Files attached to an e-mail, and the URL at which mailbox providers end e-mails of its kind. */
export type MailAttachments = {
  calendar?: string | null
  invoice?: { number: string; pdf: Buffer } | null
  unsubscribeUrl?: string | null
}

/**
 * Renders an e-mail as a MIME message. The Message-ID is the same for all retries, so that mailboxes can drop
 * duplicates.
 */
export function renderMail(
  mail: MailWithSecrets,
  config: Pick<Config, 'mailFrom' | 'publicUrl' | 'branding'>,
  { calendar = null, invoice = null, unsubscribeUrl = null }: MailAttachments = {},
): SendMailOptions {
  const content = toMailContent(mail, config)
  return {
    from: config.mailFrom,
    to: { name: content.name, address: mail.recipient },
    subject: content.subject,
    text: renderPlainText(mail.language, content),
    html: layOutHtml(mail.language, content),
    messageId: `<${mail.id}.${mail.createdAt.getTime()}@${hostOf(config.mailFrom)}>`,
    date: mail.createdAt,
    attachments: [
      ...(calendar === null
        ? []
        : [
            {
              filename: translate(mail.language, 'calendar.fileName'),
              content: calendar,
              contentType: 'text/calendar; charset=utf-8',
            },
          ]),
      ...(invoice === null
        ? []
        : [{ filename: `${invoice.number}.pdf`, content: invoice.pdf, contentType: 'application/pdf' }]),
    ],
    headers: {
      'Auto-Submitted': 'auto-generated',
      // Microsoft Exchange ignores Auto-Submitted.
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': mail.language,
      // Not folded, which would leave the first line without a value.
      ...(unsubscribeUrl !== null && { 'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` } }),
      // RFC 8058, for https only.
      ...(unsubscribeUrl?.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  }
}

export const greetingOf = (language: Language, { name }: MailContent) =>
  name ? translate(language, 'mail.greeting', { name }) : translate(language, 'mail.greetingStranger')

export function renderPlainText(language: Language, content: MailContent): string {
  const greeting = greetingOf(language, content)
  const { sender } = content
  const facts = content.facts
    .map(([label, value, url]) =>
      [value === '' ? `\n${label}` : `${label}: ${value}`, url].filter(Boolean).join('\n  '),
    )
    .join('\n')
    .trim()
  const link = content.link ? `${content.link.label}: ${content.link.url}` : ''
  const { paragraphs, leading } = content
  const [lead, rest] = [paragraphs.slice(0, leading), paragraphs.slice(leading)]
  const blocks = [greeting, ...lead, facts, link, ...rest, sender.closing, `-- \n${sender.footer}`]
  return `${blocks.filter(block => block !== '').join('\n\n')}\n`
}

// Handwritten HTML: see docs/decisions/0077.
const FONT = 'font-family:system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif'
const style = {
  body: 'margin:0;padding:0;background-color:#f2f5f4',
  // Outlook uses the width attribute, mail programs on phones the style.
  sheet: 'width:100%;max-width:560px;background-color:#ffffff;border-radius:12px',
  brand: `${FONT};color:#ffffff;font-size:22px;line-height:28px;font-weight:700;border-radius:12px 12px 0 0`,
  // Not font-size 0, which spam filters take for hidden text.
  line: 'height:4px;font-size:1px;line-height:4px',
  text: `${FONT};color:#17211f;font-size:16px;line-height:24px`,
  facts: 'background-color:#eaf3f2;border-radius:8px',
  label: `${FONT};color:#51605c;font-size:14px;line-height:20px`,
  value: `${FONT};color:#17211f;font-size:16px;line-height:24px;font-weight:600;overflow-wrap:anywhere`,
  button: 'border-radius:8px',
  link: `${FONT};color:#ffffff;font-size:16px;line-height:24px;font-weight:600;text-decoration:none;display:inline-block`,
  small: `${FONT};color:#51605c;font-size:13px;line-height:18px;overflow-wrap:anywhere`,
}
/** Dark mode for mail programs that support prefers-color-scheme; others use the styles above. */
const DARK = `@media (prefers-color-scheme:dark){.body{background-color:#061a1d!important}.sheet{background-color:#0f2529!important}
.facts{background-color:#183338!important}.text,.value{color:#e9f1f0!important}.label,.small{color:#a8bcbc!important} }`

/** Class and inline style as attributes, with double quotes replaced. */
const styled = (name: keyof typeof style) => `class="${name}" style="${style[name].replaceAll('"', "'")}"`

/**
 * Renders a layout table, the only kind of box whose width and padding all mail programs support, including Outlook.
 */
const table = (attributes: string, rows: string[]) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes}>${rows.join('')}</table>`
/**
 * Renders a table row.
 * @param padding in px: top right bottom left
 * @param color background. Outlook needs the attribute; SpamAssassin only reads the style, and takes white text without it
 *   for invisible
 */
const row = (padding: string, name: keyof typeof style, content: string, color = '') =>
  `<tr><td class="${name}" ${color && `bgcolor="${color}"`} style="padding:${padding};${color && `background-color:${color};`}${style[name].replaceAll('"', "'")}">${content}</td></tr>`

/** Renders an e-mail as HTML: a single column of tables that looks the same on phones and in Outlook. */
function layOutHtml(language: Language, content: MailContent): string {
  const greeting = greetingOf(language, content)
  const { sender } = content
  const paragraph = (text: string) => row('0 24px 16px', 'text', escapeHtml(text))
  const linked = (text: string, url: string | undefined) =>
    url === undefined ? escapeHtml(text) : `<a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(text)}</a>`
  const facts = content.facts.flatMap(([label, value, url]) =>
    value === ''
      ? [row('16px 16px 0', 'value', linked(label, url))]
      : [row('8px 16px 0', 'label', linked(label, url)), row('0 16px 4px', 'value', escapeHtml(value))],
  )
  const { paragraphs, leading } = content
  const rows = [
    row('18px 24px', 'brand', escapeHtml(sender.portal), sender.color),
    row('0', 'line', '&nbsp;', '#f6c445'),
    row('24px 24px 16px', 'text', escapeHtml(greeting)),
    ...paragraphs.slice(0, leading).map(paragraph),
    ...(facts.length > 0
      ? [row('0 24px 20px', 'text', table(`width="100%" bgcolor="#eaf3f2" ${styled('facts')}`, facts))]
      : []),
    ...(content.link ? linkRows(content.link, sender.color) : []),
    ...paragraphs.slice(leading).map(paragraph),
    paragraph(sender.closing),
  ]
  const sheet = table(`width="560" align="center" bgcolor="#ffffff" ${styled('sheet')}`, rows)
  const foot = table('width="560" align="center" style="width:100%;max-width:560px"', [
    row('16px 24px', 'small', escapeHtml(sender.footer)),
  ])
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(content.subject)}</title><style>${DARK}</style></head>`,
    `<body bgcolor="#f2f5f4" ${styled('body')}>`,
    // Webmail drops the elements html and body, and with them their language.
    table(`lang="${language}" width="100%" bgcolor="#f2f5f4" class="body"`, [
      `<tr><td align="center" style="padding:16px">${sheet}${foot}</td></tr>`,
    ]),
    '</body></html>',
  ].join('\n')
}

/** Renders the call to action as a button, followed by its URL as text. */
function linkRows({ label, url }: { label: string; url: string }, color: string): string[] {
  const href = escapeHtml(url)
  // Outlook ignores the padding of links, so it is set on the enclosing cell.
  const link = `<a href="${href}" ${styled('link')}>${escapeHtml(label)}</a>`
  const button = row('12px 22px', 'button', link, color)
  return [row('0 24px 12px', 'text', table('', [button])), row('0 24px 20px', 'small', href)]
}
