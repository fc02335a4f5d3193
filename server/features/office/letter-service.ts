import { formatDate } from '#contract/words.ts'
import type { Config } from '#server/config.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import { contentOf, type MailContent } from '#server/mail/contents.ts'
import { greetingOf } from '#server/mail/layout.ts'
import type { PrintedLetter } from './letter.ts'
import type { LetterRow } from './person-repository.ts'

type Settings = Pick<Config, 'publicUrl' | 'branding'>

/** What opens an account goes to a mailbox alone. */
const NOT_PRINTED = { token: '…', password: '…' }

const contentOfLetter = ({ kind, payload, language, name }: LetterRow, settings: Settings): MailContent =>
  contentOf({ kind, payload: { ...payload, ...NOT_PRINTED }, language, name }, settings)

export const subjectOf = (letter: LetterRow, settings: Settings): string => contentOfLetter(letter, settings).subject

/** A letter as it is printed: the words of its mail, without a link that nobody can tap. */
export function layOutLetter(letter: LetterRow, settings: Settings): PrintedLetter {
  const content = contentOfLetter(letter, settings)
  const { language } = letter
  const { branding } = settings
  return {
    language,
    sender: `${branding.name} · ${branding.department[language]} · ${branding.street} · ${branding.zip} ${branding.city}`,
    recipient: [letter.name, letter.street, `${letter.zip} ${letter.city}`.trim()].filter(line => line !== ''),
    date: `${branding.city}, ${formatDate(toDateTimeValue(letter.writtenOn))}`,
    subject: content.subject,
    greeting: greetingOf(language, content),
    paragraphs: content.paragraphs,
    facts: content.facts,
    closing: content.sender.closing,
    footer: `${branding.name} · ${branding.phone} · ${branding.email}`,
    portal: content.sender.portal,
    color: content.sender.color,
  }
}
