import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Language } from '#contract/values.ts'
import { readConfig } from '#server/platform/config/config.ts'
import type { MailKind } from '#server/platform/outbox/mail-kinds.ts'
import { renderPdf } from '#server/platform/pdf/document.ts'
import { MAIL_SAMPLES } from '#server/test/mail-samples.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { composeLetter, layOutLetterPdf } from './letter-service.ts'

/** All texts in both languages. */
const readTexts = (): string[] => {
  const folder = new URL('../../platform/texts/', import.meta.url)
  const texts: string[] = []
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json')) continue
    JSON.parse(readFileSync(new URL(file, folder), 'utf8'), (_key, value: unknown) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
  }
  return texts
}

const letterOf = (kind: MailKind, language: Language) =>
  composeLetter(
    {
      id: 1,
      webUserId: 1,
      createdAt: '2026-11-27T10:00',
      printedAt: null,
      kind,
      payload: MAIL_SAMPLES[kind],
      language,
      name: 'Kim Muster',
      street: 'Am Tor 1',
      zip: '38226',
      city: 'Salzstadt',
      writtenOn: '2026-11-27',
    },
    readConfig({}),
  )

const LETTERS = (['booking', 'waiting-list', 'promotion', 'cancellation'] as const).flatMap(kind =>
  (['de', 'en'] as const).map((language): [typeof kind, Language] => [kind, language]),
)

test.each(LETTERS)('a letter about a %s (%s) neither attaches files nor refers to the app', (kind, language) => {
  const letter = letterOf(kind, language)
  const text = [...letter.paragraphs, ...letter.facts.map(([label]) => label)].join('\n')
  expect(text).not.toMatch(/kalender|calendar|online stornieren|cancel online|meine kurse|my courses|e-mail|\{\{/i)
})

test('the fonts contain every character of the texts from which letters are composed', async () => {
  const letter = layOutLetterPdf(letterOf('booking', 'de'))
  const characters = [...new Set(readTexts().join(''))]
  expect(characters.length).toBeGreaterThan(60)
  const pages = readPdfPages(
    await renderPdf({ ...letter, content: [...letter.content, { text: characters.join(' ') }] }),
  )
  // A character without a glyph is printed as a box, which stands for U+0000.
  expect(pages.join(' ').match(/.{0,9}\0.{0,9}/g)).toBeNull()
})
