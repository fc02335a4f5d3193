/** At most `max` events of a kind within a window, for what it counts per. */
export type Limit = { per: 'subject' | 'subject and address' | 'address'; max: number; withinS: number }

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400

/** What an outsider may not repeat at will. Limits count failures and cost, never people: a whole company comes from one address. */
export const LIMITS = {
  /** wrong passwords, per user name, known or not */
  login: [
    { per: 'subject and address', max: 5, withinS: 15 * MINUTE_S },
    { per: 'subject', max: 100, withinS: HOUR_S },
  ],
  /** wrong passwords from a browser that has logged in to the account before; its token stands for the address */
  device: [{ per: 'subject and address', max: 5, withinS: 15 * MINUTE_S }],
  /** wrong passwords of who is logged in already; the session stands for the address */
  confirm: [{ per: 'subject and address', max: 5, withinS: 15 * MINUTE_S }],
  /** wrong passwords over many user names; the right one takes those of its user name back */
  spray: [
    { per: 'address', max: 400, withinS: HOUR_S },
    { per: 'address', max: 1000, withinS: DAY_S },
  ],
  /** wrong passwords of strangers from one /48 of IPv6, whose 65,536 networks one customer may have */
  site: [
    { per: 'subject and address', max: 20, withinS: 15 * MINUTE_S },
    { per: 'address', max: 1600, withinS: HOUR_S },
  ],
  /** mailed passwords, per e-mail */
  reset: [
    { per: 'subject', max: 1, withinS: MINUTE_S },
    { per: 'subject', max: 5, withinS: DAY_S },
  ],
  /** activation mails asked for again, per e-mail */
  activation: [
    { per: 'subject', max: 1, withinS: MINUTE_S },
    { per: 'subject', max: 10, withinS: DAY_S },
  ],
  /** registrations, each a mail to an address that nobody has proved yet */
  registration: [{ per: 'subject', max: 20, withinS: DAY_S }],
  /** mails to a new address, per person */
  newEmail: [
    { per: 'subject', max: 1, withinS: MINUTE_S },
    { per: 'subject', max: 5, withinS: DAY_S },
  ],
  /** mails about a login from a new device, per person */
  newDevice: [{ per: 'subject', max: 3, withinS: DAY_S }],
  /** e-mails that turned out to be unknown, or taken: who asks for many is collecting them */
  probe: [],
} as const satisfies Record<string, Limit[]>

export type ThrottleKind = keyof typeof LIMITS

/** Whom an event concerns (lower case), and where it came from. */
export type ThrottleCase = { subject: string; address: string }

/** Events of one address within an hour from which on it is slowed: so many go unnoticed, and the pause grows to its longest. */
export type Pace = { kind: ThrottleKind; free: number; longestMs: number }

export const LOGIN_PACE: Pace = { kind: 'spray', free: 100, longestMs: 5_000 }
/** Slowed and never refused: the neighbours of somebody who searches have to get in. */
export const MAIL_PACES: Pace[] = [
  { kind: 'probe', free: 200, longestMs: 2_000 },
  { kind: 'reset', free: 1_000, longestMs: 2_000 },
  { kind: 'activation', free: 1_000, longestMs: 2_000 },
  { kind: 'registration', free: 3_000, longestMs: 2_000 },
]

/** The pause before the next try, which doubles with every quarter of the free number above it. */
export const pauseMs = ({ free, longestMs }: Pace, count: number): number =>
  count < free ? 0 : Math.min(longestMs, 100 * 2 ** (((count - free) * 4) / free))

/** The rate of failures from anywhere that wakes the operator: above the usual of the day before, and no small number. */
export const isAlarming = (lastTenMinutes: number, dayBefore: number): boolean =>
  lastTenMinutes >= 50 && lastTenMinutes >= 5 * (dayBefore / 144)
