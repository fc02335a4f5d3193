import { isIP } from 'node:net'
import { findProfileViolations, profileFields, YEAR_OF_BIRTH_UNSET } from '#contract/rules/profile-rules.ts'
import { RETENTION_LIMITS } from '#contract/tables/data-map.ts'
import type { ProfileInput } from '#contract/tables/person.ts'
import { ACCOUNT_STATES, type AccountState } from '#contract/values.ts'

/** Number of days without use after which a persistent session expires. See docs/decisions/0006. */
export const PERSISTENT_SESSION_DAYS = 90
/** Maximum lifetime of a persistent session in days since the login. */
export const PERSISTENT_SESSION_MAX_DAYS = 365
/** Lifetime in hours of sessions that are not persistent. The app deletes their tokens when the tab is closed. */
export const SESSION_HOURS = 24
/** Validity in hours of rights granted by single sign-on claims. After that a new login is required. */
export const SSO_RIGHTS_HOURS = 12
/** Validity in hours of a single-use password sent by e-mail. */
export const MAILED_PASSWORD_HOURS = 24

/** Whether the person's group has divisions but the person has not chosen one. The portal then shows a hint. */
export const isDivisionMissing = ({ employeeStatus, billingType, divisionId }: ProfileInput): boolean =>
  (divisionId ?? null) === null && profileFields(employeeStatus ?? null, billingType ?? null).divisionId === 'required'

/** Whether a profile lacks required fields, as imported profiles may. The form of address is not required. */
export const isProfileIncomplete = (profile: ProfileInput): boolean =>
  findProfileViolations(
    {
      ...profile,
      formOfAddress: profile.formOfAddress || 'Divers',
      yearOfBirth: profile.yearOfBirth === YEAR_OF_BIRTH_UNSET ? null : (profile.yearOfBirth ?? null),
    },
    // Only missing values matter here, so the year of birth is not validated.
    { currentYear: Number.POSITIVE_INFINITY, step: 'profile' },
  ).some(({ key }) => key === 'profile_field_mandatory')

/** Validity of a passkey confirmation in minutes, extended by each use of the office UI. */
export const PASSKEY_CONFIRMATION_MINUTES = 15
/** Maximum validity in hours of a passkey confirmation, even with continuous use. */
export const PASSKEY_CONFIRMATION_MAX_HOURS = 12

/** Maximum age in seconds of a passkey confirmation for actions that grant access. */
export const FRESH_PASSKEY_SECONDS = 60

/** Browser names without versions, which would help to identify the person. The first match is used. */
const BROWSERS: [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]
const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Derives a device description from a `User-Agent` header, for example `Firefox, Windows`; '' if unknown. It is shown
 * to the owner of the device.
 */
export function describeDevice(userAgent: string): string {
  const find = (table: typeof BROWSERS) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  return [find(BROWSERS), find(SYSTEMS)].filter(Boolean).join(', ')
}

/** Maximum number of accounts per browser, and of browsers per account. The oldest is removed. */
export const MAX_ACCOUNTS_PER_BROWSER = 8
export const MAX_BROWSERS_PER_ACCOUNT = 20
/** Number of days without use after which a browser is forgotten. */
export const KNOWN_BROWSER_RETENTION_DAYS = RETENTION_LIMITS.knownDevice.count

/**
 * Permissions of an account. `logIn`: sessions, and therefore bookings, profile and teaching. `getPassword`: a
 * single-use password by e-mail. `holdAddress`: reserves the e-mail address. `vouchedFor`: the department has confirmed
 * employee status and personnel number.
 */
type AccountRight = 'logIn' | 'getPassword' | 'holdAddress' | 'vouchedFor'

const RIGHTS: Record<AccountState, readonly AccountRight[]> = {
  claimed: [],
  proved: ['logIn', 'getPassword', 'holdAddress'],
  known: ['logIn', 'getPassword', 'holdAddress', 'vouchedFor'],
  locked: ['holdAddress'],
  deleted: [],
}

export const isPermittedInAccountState = (state: AccountState, right: AccountRight): boolean =>
  RIGHTS[state].includes(right)

/** Account states in which an account has the permission. */
export const accountStatesPermitting = (right: AccountRight): AccountState[] =>
  ACCOUNT_STATES.filter(state => isPermittedInAccountState(state, right))

/** State of the account that has an e-mail address. `none`: no account has it. */
export type EmailAccountState = AccountState | 'none'

/**
 * Events that change the state of an account. `register`: an account was requested. `prove`: the link sent by e-mail
 * was confirmed. `refuse`: the link "this was not me" in that e-mail was used. `import`: users.csv contains the e-mail
 * address. `name`: staff create the account. `declare`: the person changes employee status or personnel number. `undo`:
 * the link "this was not me" in a security notice was used. `expire`: two weeks have passed without activation.
 */
export const ACCOUNT_EVENTS = [
  'register',
  'prove',
  'refuse',
  'import',
  'name',
  'declare',
  'undo',
  'expire',
  'lock',
  'unlock',
  'delete',
] as const
type AccountEvent = (typeof ACCOUNT_EVENTS)[number]

const STEPS: Record<EmailAccountState, Partial<Record<AccountEvent, EmailAccountState>>> = {
  none: { register: 'claimed', import: 'known', name: 'proved' },
  // A new registration does not take over data from an unverified one.
  claimed: { register: 'claimed', prove: 'proved', refuse: 'none', import: 'known', name: 'proved', expire: 'none' },
  proved: { prove: 'proved', import: 'known', declare: 'proved', undo: 'proved', lock: 'locked', delete: 'deleted' },
  known: { prove: 'known', import: 'known', declare: 'proved', undo: 'known', lock: 'locked', delete: 'deleted' },
  locked: { unlock: 'proved', delete: 'deleted' },
  deleted: {},
}

/**
 * State machine for accounts. See docs/decisions/0006.
 * @returns the new state; null if the event changes nothing
 */
export const nextAccountState = (state: EmailAccountState, event: AccountEvent): EmailAccountState | null =>
  STEPS[state][event] ?? null

/** Validity of a passkey challenge in minutes. */
export const CHALLENGE_MINUTES = 5
export const MAX_PASSKEYS = 20

/**
 * WebAuthn relying party: the host of the portal's URL. WebAuthn does not allow an IP address as the id, so `localhost`
 * replaces it.
 */
export function relyingPartyOf(publicUrl: string): { id: string; origins: (origin: string) => boolean } {
  const { hostname, origin: own } = new URL(publicUrl)
  const isNumber = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  if (!isNumber && hostname !== 'localhost') return { id: hostname, origins: origin => origin === own }
  return { id: 'localhost', origins: origin => URL.canParse(origin) && new URL(origin).hostname === 'localhost' }
}

/** Decides whether a person with rights may register a passkey. `isVouched`: it will be accepted for the office UI. */
export function checkPasskeyRegistration(person: {
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
