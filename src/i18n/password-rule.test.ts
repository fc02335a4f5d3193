import { expect, test } from 'vitest'
import { PASSWORD_MIN_LENGTH } from '#contract/values.ts'
import serverDe from '#server/platform/texts/de/accounts.json' with { type: 'json' }
import serverEn from '#server/platform/texts/en/accounts.json' with { type: 'json' }
import faqDe from './de/faq.json' with { type: 'json' }
import privacyDe from './de/privacy.json' with { type: 'json' }
import sessionDe from './de/session.json' with { type: 'json' }
import faqEn from './en/faq.json' with { type: 'json' }
import privacyEn from './en/privacy.json' with { type: 'json' }
import sessionEn from './en/session.json' with { type: 'json' }

test.each([
  ['de', sessionDe, serverDe, [faqDe, privacyDe, sessionDe.change.hint]],
  ['en', sessionEn, serverEn, [faqEn, privacyEn, sessionEn.change.hint]],
])('the password rule is stated with the same sentence everywhere: %s', (_, session, server, places) => {
  const rule = session.password.rule.replace('{{passwordMin}}', String(PASSWORD_MIN_LENGTH))
  expect(server.register.insecure).toContain(rule)
  for (const place of places) expect(JSON.stringify(place)).toContain('$t(session:password.rule)')
  expect(JSON.stringify([faqDe, faqEn, privacyDe, privacyEn])).not.toMatch(/Sonderzeichen|special character/)
})
