import { isIP } from 'node:net'

/** For so long a browser may take to sign. */
export const CHALLENGE_MINUTES = 5
export const MAX_PASSKEYS = 20

/** Whose passkeys they are: the host of the portal's address. An address in numbers can have none: then that of this machine. */
export function siteOf(publicUrl: string): { id: string; origins: (origin: string) => boolean } {
  const { hostname, origin: own } = new URL(publicUrl)
  const isNumber = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  if (!isNumber && hostname !== 'localhost') return { id: hostname, origins: origin => origin === own }
  return { id: 'localhost', origins: origin => URL.canParse(origin) && new URL(origin).hostname === 'localhost' }
}

/** What a passkey of a person with rights may be registered by. `isVouched`: it opens the desk. */
export function judgeRegistration(person: {
  hasRights: boolean
  hasVouched: boolean
  isConfirmed: boolean
  hasLink: boolean
  isLoginRecent: boolean
}): { isAllowed: true; isVouched: boolean } | { isAllowed: false; lacks: 'link' | 'passkey' | 'login' } {
  const { hasRights, hasVouched, isConfirmed, hasLink, isLoginRecent } = person
  if (hasLink || (hasVouched && isConfirmed)) return { isAllowed: true, isVouched: true }
  if (hasVouched) return { isAllowed: false, lacks: 'passkey' }
  if (hasRights) return { isAllowed: false, lacks: 'link' }
  return isLoginRecent ? { isAllowed: true, isVouched: false } : { isAllowed: false, lacks: 'login' }
}
