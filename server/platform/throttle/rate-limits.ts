/**
 * Limit of at most `max` events of a kind within a time window, counted per subject, per network address, or per
 * combination of both.
 */
export type RateLimit = { per: 'subject' | 'subject and address' | 'address'; max: number; withinS: number }

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400

/**
 * Limits on actions that are available without an account. They count failures and expensive actions, never people,
 * because a whole company may share one network address.
 */
export const RATE_LIMITS = {
  /** wrong passwords per user name, even if it is not registered */
  login: [
    { per: 'subject and address', max: 5, withinS: 15 * MINUTE_S },
    { per: 'subject', max: 100, withinS: HOUR_S },
  ],
  /**
   * wrong passwords from a browser that has logged in to the account before; they are counted by its device token
   * instead of the IP address
   */
  device: [{ per: 'subject and address', max: 5, withinS: 15 * MINUTE_S }],
  /** wrong passwords entered by a logged-in user, counted by session instead of IP address */
  confirm: [{ per: 'subject and address', max: 5, withinS: 15 * MINUTE_S }],
  /**
   * wrong passwords for many user names (password spraying); a correct password clears the failures of its user name
   */
  spray: [
    { per: 'address', max: 400, withinS: HOUR_S },
    { per: 'address', max: 1000, withinS: DAY_S },
  ],
  /** wrong passwords from unrecognized browsers in one IPv6 /48, whose 65,536 networks may belong to one customer */
  site: [
    { per: 'subject and address', max: 20, withinS: 15 * MINUTE_S },
    { per: 'address', max: 1600, withinS: HOUR_S },
  ],
  /** passwords sent by e-mail, per e-mail address */
  reset: [
    { per: 'subject', max: 1, withinS: MINUTE_S },
    { per: 'subject', max: 5, withinS: DAY_S },
  ],
  /** repeated activation e-mails per e-mail address */
  activation: [
    { per: 'subject', max: 1, withinS: MINUTE_S },
    { per: 'subject', max: 10, withinS: DAY_S },
  ],
  /** registrations, each of which sends an e-mail to an unverified address */
  registration: [{ per: 'subject', max: 20, withinS: DAY_S }],
  /** e-mails to a person's new e-mail address */
  newEmail: [
    { per: 'subject', max: 1, withinS: MINUTE_S },
    { per: 'subject', max: 5, withinS: DAY_S },
  ],
  /** e-mails about a login from a new device, per person */
  newDevice: [{ per: 'subject', max: 3, withinS: DAY_S }],
  /** requests that revealed whether an e-mail address is registered (account enumeration) */
  probe: [],
} as const satisfies Record<string, RateLimit[]>

export type ThrottleKind = keyof typeof RATE_LIMITS

/** Event to throttle: its subject in lower case, and the network address from which it originates. */
export type ThrottleCase = { subject: string; address: string }

/**
 * Progressive delay per network address and hour. The first `free` events are not delayed; the delay of further ones
 * grows up to `longestMs`.
 */
export type ProgressiveDelay = { kind: ThrottleKind; free: number; longestMs: number }

export const LOGIN_SLOWDOWN: ProgressiveDelay = { kind: 'spray', free: 100, longestMs: 5_000 }
/**
 * Delays for requests that send e-mails. The number of these requests per IP address is not limited, because legitimate
 * users may share an address.
 */
export const MAIL_SLOWDOWNS: ProgressiveDelay[] = [
  { kind: 'probe', free: 200, longestMs: 2_000 },
  { kind: 'reset', free: 1_000, longestMs: 2_000 },
  { kind: 'activation', free: 1_000, longestMs: 2_000 },
  { kind: 'registration', free: 3_000, longestMs: 2_000 },
]

/** Delay in ms before the next attempt. It doubles with every `free / 4` events beyond `free`. */
export const progressiveDelayMs = ({ free, longestMs }: ProgressiveDelay, count: number): number =>
  count < free ? 0 : Math.min(longestMs, 100 * 2 ** (((count - free) * 4) / free))

/**
 * Whether the failure rate warrants an alarm, because it is well above both a minimum and the average of the preceding
 * day.
 */
export const isFailureRateAlarming = (lastTenMinutes: number, dayBefore: number): boolean =>
  lastTenMinutes >= 50 && lastTenMinutes >= 5 * (dayBefore / 144)
