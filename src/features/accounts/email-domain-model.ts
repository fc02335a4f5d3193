import { editDistance } from '#features/courses/search/typo-model.ts'

/** E-mail providers that many people use. */
const PROVIDERS = [
  'aol.com',
  'freenet.de',
  'gmail.com',
  'gmx.at',
  'gmx.ch',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hotmail.com',
  'hotmail.de',
  'icloud.com',
  'live.de',
  'mailbox.org',
  'outlook.com',
  'outlook.de',
  'posteo.de',
  't-online.de',
  'web.de',
  'yahoo.com',
  'yahoo.de',
]

const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss' }

/** A name in the spelling that mail providers give it; unchanged if it has letters other than Latin ones. */
function spellInAscii(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[äöüß]/gi, letter => UMLAUTS[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
  return /^[ -~]+$/.test(plain) ? plain : name
}

/**
 * The address that is probably meant: at a provider whose domain differs by one typing error, or without umlauts before
 * the @, which few mail servers accept (RFC 6531); null if there is none. The first letter of a domain is rarely
 * mistyped, and without it `mail.com` would be taken for `gmail.com`. Nothing is suggested for the beginning of a domain
 * that is still being typed.
 */
export function suggestEmail(email: string): string | null {
  const [, name = '', domain = ''] = /^\s*([^@\s]+)@([^@\s]+)\s*$/.exec(email) ?? []
  const typed = domain.toLowerCase()
  if (!PROVIDERS.includes(typed) && PROVIDERS.some(provider => provider.startsWith(typed))) return null
  const meant =
    PROVIDERS.find(provider => provider[0] === typed[0] && editDistance(typed, provider, 1) <= 1) ??
    (/\.\p{L}{2,}$/u.test(domain) ? domain : '')
  const suggestion = `${spellInAscii(name)}@${meant}`
  return meant === '' || suggestion.toLowerCase() === `${name}@${domain}`.toLowerCase() ? null : suggestion
}
