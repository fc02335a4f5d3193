/** At most `max` events of a kind within a window, for what it counts per. */
export type Limit = { per: 'subject' | 'subject and address' | 'address'; max: number; withinS: number }

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400

/**
 * What an outsider may not repeat at will. Limits count failures and cost, never people: a whole company comes from one
 * address, so what is counted per address alone is high.
 */
export const LIMITS = {
  /** wrong passwords, per user name, known or not */
  login: [
    { per: 'subject and address', max: 5, withinS: 15 * MINUTE_S },
    { per: 'subject', max: 100, withinS: HOUR_S },
  ],
  /** mailed passwords, per e-mail */
  reset: [
    { per: 'subject', max: 1, withinS: MINUTE_S },
    { per: 'subject', max: 5, withinS: DAY_S },
    { per: 'address', max: 1000, withinS: HOUR_S },
  ],
  /** activation mails asked for again, per e-mail */
  activation: [
    { per: 'subject', max: 1, withinS: MINUTE_S },
    { per: 'subject', max: 10, withinS: DAY_S },
    { per: 'address', max: 1000, withinS: HOUR_S },
  ],
  /** registrations, each a mail to an address that nobody has proved yet */
  registration: [{ per: 'address', max: 3000, withinS: HOUR_S }],
  /** mails to a new address, per person */
  newEmail: [
    { per: 'subject', max: 1, withinS: MINUTE_S },
    { per: 'subject', max: 5, withinS: DAY_S },
  ],
  /** e-mails that turned out to be unknown, or taken: who asks for many is collecting them */
  probe: [{ per: 'address', max: 2000, withinS: HOUR_S }],
} as const satisfies Record<string, Limit[]>

export type ThrottleKind = keyof typeof LIMITS

/** Whom an event concerns (lower case), and where it came from. */
export type ThrottleCase = { subject: string; address: string }
