export type RetentionPeriod = { unit: 'hour' | 'day' | 'week' | 'month' | 'year'; count: number }

const period = (count: number, unit: RetentionPeriod['unit']): RetentionPeriod => ({ unit, count })

/**
 * When the retention of data ends: after a retention period, or with an event (null). The retention job, its SQL and
 * the privacy notice are derived from this table.
 */
export const RETENTION_LIMITS = {
  /** retention period of a registration that was never activated, and of the rights of an invited person until the login */
  unactivated: period(2, 'week'),
  /** retention period of an account that was merged into another one, during which they can be separated */
  mergedAccount: period(7, 'day'),
  /** retention period of an account without bookings, starting at its creation */
  withoutBooking: period(2, 'year'),
  /** retention period, starting at the person's last booking */
  participant: period(10, 'year'),
  /**
   * retention period, starting at the billed booking; for invoices and payroll files, at the end of their year. Payers of
   * unpaid amounts are retained until these are paid; credits do not extend the period
   */
  billing: period(10, 'year'),
  /** retention period, starting on the last day of the instructor's absence */
  absence: period(8, 'week'),
  /**
   * retention period of the file of a sick note or shift certificate, starting at the decision on it; the decision
   * itself remains in the account
   */
  proofFile: period(4, 'week'),
  /**
   * retention period of an IBAN in a payment order, starting at the creation of the order; it ends earlier when the
   * bank's response is recorded
   */
  payout: period(60, 'day'),
  /** retention period, starting at the creation of the e-mail */
  mail: period(6, 'month'),
  /** retention period of the e-mail that confirms the deletion of an account, starting at its creation */
  lastMail: period(7, 'day'),
  /** retention period of an access log entry, starting when the access to the person's data was logged */
  read: period(1, 'year'),
  /** retention period, starting at the creation of the message */
  message: period(2, 'year'),
  /**
   * retention period of an attendance entry's time of day, starting at the end of that day; after the period, only the
   * date is stored
   */
  tapTime: period(14, 'day'),
  /** period after the course's last lesson during which its instructor can see the participants' names */
  names: period(8, 'week'),
  /** retention period of IP addresses, starting at the request */
  networkAddress: period(7, 'day'),
  /** retention period, starting at the last login in a browser; 400 days is the maximum lifetime of a cookie */
  knownDevice: period(400, 'day'),
  /** retention period of participants' names on the instructor's device, starting at the lesson */
  namesOnDevice: period(48, 'hour'),
  /** retention period, starting when the document or picture was last opened on the device */
  openedFile: period(90, 'day'),
  /** retention ends when the account is deleted */
  deletion: null,
  /** retention ends with the session, on both the server and the device */
  session: null,
  /** retention ends when the link is used or expires */
  link: null,
  /** retention on the device ends when the server has received the data */
  sent: null,
  /** retention ends when the department changes or removes the data */
  department: null,
  /** retention ends when the browser tab is closed */
  tab: null,
  /** retention ends when the user of the device removes the data */
  reader: null,
} as const satisfies Record<string, RetentionPeriod | null>
export type RetentionLimit = keyof typeof RETENTION_LIMITS

/** Data subject: the person to whom the data relates; `nobody` means that the data is not personal. */
export type DataSubject = 'person' | 'participant' | 'instructor' | 'department' | 'nobody'
/** Group of users who can see the data in the portal; `nobody` means that the data is only compared or counted. */
export type DataRecipient = 'self' | 'instructor' | 'department' | 'billing' | 'everyone' | 'nobody'

/** Category of data. The privacy notice contains its description and purpose, which are looked up by its name. */
export type DataKind = {
  whose: DataSubject
  seenBy: readonly DataRecipient[]
  /** when the retention ends: at the earliest of these */
  until: readonly RetentionLimit[]
  /** letter of Art. 6 (1) GDPR; null if the data is not personal */
  article6: 'a' | 'b' | 'c' | 'f' | null
  /** letter of Art. 9 (2) GDPR, if the data may reveal a person's health */
  article9?: 'a'
}

const ACCOUNT_ENDS = ['unactivated', 'mergedAccount', 'withoutBooking', 'participant', 'deletion'] as const

/** Categories of data stored by the server. Every database column belongs to one of them (server/platform/db/data-map.ts). */
export const DATA_KINDS = {
  login: { whose: 'person', seenBy: ['self', 'department'], until: ACCOUNT_ENDS, article6: 'b' },
  profile: { whose: 'person', seenBy: ['self', 'department'], until: ACCOUNT_ENDS, article6: 'b' },
  listed: {
    whose: 'participant',
    seenBy: ['self', 'instructor', 'department'],
    until: ['names', ...ACCOUNT_ENDS],
    article6: 'b',
  },
  insurance: {
    whose: 'person',
    seenBy: ['self', 'billing'],
    until: ACCOUNT_ENDS,
    article6: 'b',
    article9: 'a',
  },
  consent: { whose: 'person', seenBy: ['self'], until: ACCOUNT_ENDS, article6: 'c' },
  booking: {
    whose: 'participant',
    seenBy: ['self', 'instructor', 'department'],
    until: ['participant', 'deletion'],
    article6: 'b',
  },
  attendance: {
    whose: 'participant',
    seenBy: ['self', 'instructor', 'department'],
    until: ['participant', 'deletion'],
    article6: 'b',
    article9: 'a',
  },
  doorGuest: { whose: 'participant', seenBy: ['instructor', 'department'], until: ['names'], article6: 'f' },
  tapTime: { whose: 'instructor', seenBy: ['self'], until: ['tapTime', 'deletion'], article6: 'f' },
  wishes: { whose: 'person', seenBy: ['self'], until: ACCOUNT_ENDS, article6: 'a' },
  message: { whose: 'person', seenBy: ['self', 'department'], until: ['message', 'deletion'], article6: 'b' },
  mail: { whose: 'person', seenBy: ['self'], until: ['mail', 'deletion', 'lastMail'], article6: 'b' },
  session: { whose: 'person', seenBy: ['self'], until: ['session', 'deletion'], article6: 'b' },
  knownDevice: { whose: 'person', seenBy: ['self'], until: ['knownDevice', 'deletion'], article6: 'f' },
  link: { whose: 'person', seenBy: ['self'], until: ['link', 'deletion'], article6: 'b' },
  securityEvent: { whose: 'person', seenBy: ['self'], until: ['networkAddress', 'deletion'], article6: 'f' },
  billing: { whose: 'person', seenBy: ['self', 'billing'], until: ['billing'], article6: 'c' },
  proof: {
    whose: 'person',
    seenBy: ['self', 'billing'],
    until: ['proofFile', ...ACCOUNT_ENDS],
    article6: 'b',
    article9: 'a',
  },
  certificate: {
    whose: 'participant',
    seenBy: ['self', 'billing'],
    until: ['participant', 'deletion'],
    article6: 'b',
    article9: 'a',
  },
  payout: { whose: 'person', seenBy: ['self'], until: ['payout', ...ACCOUNT_ENDS], article6: 'b' },
  instructorProfile: { whose: 'instructor', seenBy: ['everyone'], until: ['department', 'deletion'], article6: 'a' },
  instructorContract: {
    whose: 'instructor',
    seenBy: ['self', 'department'],
    until: ['department', 'deletion'],
    article6: 'b',
  },
  absence: { whose: 'instructor', seenBy: ['self', 'department'], until: ['absence', 'deletion'], article6: 'b' },
  photo: { whose: 'person', seenBy: ['everyone'], until: ['department'], article6: 'a' },
  read: { whose: 'person', seenBy: ['self', 'department'], until: ['read', 'deletion'], article6: 'c' },
  programme: { whose: 'department', seenBy: ['everyone'], until: ['department'], article6: null },
  system: { whose: 'nobody', seenBy: ['nobody'], until: ['department'], article6: null },
} as const satisfies Record<string, DataKind>
export type DataKindName = keyof typeof DATA_KINDS
