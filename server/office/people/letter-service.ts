import type { Language } from '#contract/values.ts'
import { formatDate } from '#contract/words.ts'
import type { Config } from '#server/platform/config/config.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { greetingOf } from '#server/platform/outbox/letter.ts'
import { type MailContent, toMailContent } from '#server/platform/outbox/mail-content.ts'
import type { PdfDocument } from '#server/platform/pdf/printer.ts'
import { translate } from '#server/platform/texts/translate.ts'
import type { LetterRow } from './letter-repository.ts'

type Settings = Pick<Config, 'publicUrl' | 'branding'>

/** Placeholders for secrets: e-mails with login links are never printed as letters. */
const NOT_PRINTED = { token: '…', password: '…' }

/** Kinds whose e-mail refers to an attached file or to the app; their letters have a text of their own. */
const WITH_LETTER_TEXT: readonly string[] = ['booking', 'waiting-list', 'promotion']

type Composed = Pick<LetterRow, 'kind' | 'payload' | 'language' | 'name'>

const contentOfLetter = ({ kind, payload, language, name }: Composed, settings: Settings): MailContent =>
  toMailContent({ kind, payload: { ...payload, ...NOT_PRINTED }, language, name }, settings)

export const letterSubjectOf = (letter: Composed, settings: Settings): string =>
  contentOfLetter(letter, settings).subject

/** Composes a printed letter from the content of the e-mail, without its links. */
export function composeLetter(letter: LetterRow, settings: Settings): PrintedLetter {
  const content = contentOfLetter(letter, settings)
  const { language } = letter
  const { branding } = settings
  const say = (key: string) => translate(language, `mail.${key}`)
  const hasOwnText = WITH_LETTER_TEXT.includes(letter.kind)
  return {
    language,
    sender: `${branding.name} · ${branding.department[language]} · ${branding.street} · ${branding.zip} ${branding.city}`,
    recipient: [letter.name, letter.street, `${letter.zip} ${letter.city}`.trim()].filter(line => line !== ''),
    date: `${branding.city}, ${formatDate(toDateTimeValue(letter.writtenOn))}`,
    subject: content.subject,
    greeting: greetingOf(language, content),
    paragraphs: hasOwnText ? say(`${letter.kind}.letter`).split('\n\n') : content.paragraphs,
    facts: content.facts.map(([label, value]) => [
      label === say('facts.cancelUntil') ? say('facts.freeUntil') : label,
      value,
    ]),
    closing: content.sender.closing,
    footer: `${branding.name} · ${branding.phone} · ${branding.email}`,
    portal: content.sender.portal,
    color: content.sender.color,
  }
}

export type PrintedLetter = {
  language: Language
  /** sender, printed in one line above the postal address */
  sender: string
  recipient: string[]
  /** city and date */
  date: string
  subject: string
  greeting: string
  paragraphs: string[]
  facts: [label: string, value: string][]
  closing: string
  footer: string
  portal: string
  color: string
}

/**
 * Dimensions of an A4 letter in points, with the postal address positioned for a window envelope (DIN 5008, form B).
 */
const LEFT = 71
const ADDRESS_TOP = 128

/** A letter as PDF. */
export function layOutLetterPdf(letter: PrintedLetter): PdfDocument {
  const [first = '', ...rest] = letter.paragraphs
  const paragraph = (text: string) => ({ text, margin: [0, 0, 0, 9] })
  return {
    info: { title: letter.subject },
    language: letter.language,
    pageSize: 'A4',
    pageMargins: [LEFT, 57, 57, 71],
    defaultStyle: { font: 'Roboto', fontSize: 11, lineHeight: 1.25 },
    styles: {
      small: { fontSize: 8, color: '#555555' },
      portal: { fontSize: 15, bold: true, color: letter.color },
      label: { color: '#555555' },
    },
    footer: { margin: [LEFT, 10, 57, 0], text: letter.footer, style: 'small' },
    content: [
      { text: letter.portal, style: 'portal' },
      { text: letter.sender, style: 'small', absolutePosition: { x: LEFT, y: ADDRESS_TOP } },
      { text: letter.recipient.join('\n'), absolutePosition: { x: LEFT, y: ADDRESS_TOP + 18 } },
      { text: letter.date, alignment: 'right', margin: [0, 182, 0, 14] },
      { text: letter.subject, role: 'H1', bold: true, fontSize: 12, margin: [0, 0, 0, 14] },
      ...[letter.greeting, first].map(paragraph),
      ...(letter.facts.length > 0
        ? [
            {
              layout: 'noBorders',
              margin: [0, 0, 0, 9],
              table: {
                widths: [130, '*'],
                body: letter.facts.map(([label, value]) => [{ text: label, style: 'label' }, { text: value }]),
              },
            },
          ]
        : []),
      ...[...rest, letter.closing].map(paragraph),
    ],
  }
}
