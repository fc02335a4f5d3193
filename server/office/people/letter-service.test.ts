import { expect, test } from 'vitest'
import type { Language } from '#contract/values.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { MAIL_SAMPLES } from '#server/test/mail-samples.ts'
import { composeLetter } from './letter-service.ts'

const LETTERS = (['booking', 'waiting-list', 'promotion', 'cancellation'] as const).flatMap(kind =>
  (['de', 'en'] as const).map((language): [typeof kind, Language] => [kind, language]),
)

test.each(LETTERS)('a letter about a %s (%s) neither attaches files nor refers to the app', (kind, language) => {
  const letter = composeLetter(
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
  const text = [...letter.paragraphs, ...letter.facts.map(([label]) => label)].join('\n')
  expect(text).not.toMatch(/kalender|calendar|online stornieren|cancel online|meine kurse|my courses|e-mail|\{\{/i)
})
