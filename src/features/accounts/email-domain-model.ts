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

/**
 * The same address at a provider whose domain differs by one typing error; null if there is none. The first letter is
 * rarely mistyped, and without it `mail.com` would be taken for `gmail.com`. Nothing is suggested for the beginning of a
 * domain that is still being typed.
 */
export function suggestEmail(email: string): string | null {
  const [, name, domain = ''] = /^\s*([^@\s]+)@([^@\s]+)\s*$/.exec(email.toLowerCase()) ?? []
  if (!name || PROVIDERS.some(provider => provider.startsWith(domain))) return null
  const meant = PROVIDERS.find(provider => provider[0] === domain[0] && editDistance(domain, provider, 1) === 1)
  return meant ? `${email.trim().slice(0, name.length)}@${meant}` : null
}
