import { ACCOUNT_STATES, type AccountState } from '#contract/values.ts'

/**
 * `logIn`: sessions, and therefore bookings, profile, teaching. `getPassword`: password by mail. `holdAddress`:
 * reserves the e-mail address. `vouchedFor`: status and number are confirmed by the department.
 */
export type AccountRight = 'logIn' | 'getPassword' | 'holdAddress' | 'vouchedFor'

const RIGHTS: Record<AccountState, readonly AccountRight[]> = {
  claimed: [],
  proved: ['logIn', 'getPassword', 'holdAddress'],
  known: ['logIn', 'getPassword', 'holdAddress', 'vouchedFor'],
  locked: ['holdAddress'],
  deleted: [],
}

export const hasRight = (state: AccountState, right: AccountRight): boolean => RIGHTS[state].includes(right)

/** Account states that have a right, for SQL statements. */
export const statesWith = (right: AccountRight): AccountState[] =>
  ACCOUNT_STATES.filter(state => hasRight(state, right))

/** `none`: no account has this address. */
export type AddressState = AccountState | 'none'

/**
 * `register`: an account was requested. `prove`: the mailed link was confirmed. `refuse`: its "this was not me" was
 * used. `import`: users.csv contains the address. `name`: an act of the department creates the account. `declare`: the
 * person changes status or number. `undo`: the "this was not me" of a notice was used. `expire`: two weeks have passed.
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
export type AccountEvent = (typeof ACCOUNT_EVENTS)[number]

const STEPS: Record<AddressState, Partial<Record<AccountEvent, AddressState>>> = {
  none: { register: 'claimed', import: 'known', name: 'proved' },
  // A new registration takes over no data of an unverified one.
  claimed: { register: 'claimed', prove: 'proved', refuse: 'none', import: 'known', name: 'proved', expire: 'none' },
  proved: { prove: 'proved', import: 'known', declare: 'proved', undo: 'proved', lock: 'locked', delete: 'deleted' },
  known: { prove: 'known', import: 'known', declare: 'proved', undo: 'known', lock: 'locked', delete: 'deleted' },
  locked: { unlock: 'proved', delete: 'deleted' },
  deleted: {},
}

/** State machine of accounts. See docs/decisions/0006. @returns the new state, null if the event changes nothing */
export const nextAccountState = (state: AddressState, event: AccountEvent): AddressState | null =>
  STEPS[state][event] ?? null
