import { isIP } from 'node:net'

/** Validity of a challenge. */
export const CHALLENGE_MINUTES = 5
export const MAX_PASSKEYS = 20

/**
 * WebAuthn relying party: the host of the portal's URL. IP addresses are not allowed as id; `localhost` is used then.
 */
export function siteOf(publicUrl: string): { id: string; origins: (origin: string) => boolean } {
  const { hostname, origin: own } = new URL(publicUrl)
  const isNumber = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  if (!isNumber && hostname !== 'localhost') return { id: hostname, origins: origin => origin === own }
  return { id: 'localhost', origins: origin => URL.canParse(origin) && new URL(origin).hostname === 'localhost' }
}

/** Registration rule of passkeys for a person with rights. `isVouched`: accepted for the desk. */
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
