export type RetentionPeriod = { unit: 'hour' | 'day' | 'week' | 'month' | 'year'; count: number }

const period = (count: number, unit: RetentionPeriod['unit']): RetentionPeriod => ({ unit, count })

/**
 * Events that end the retention of data, and the period that follows them, if any. The retention job, its SQL and the
 * privacy notice are derived from this table.
 */
export const RETENTION_ENDS = {
  /** period since a registration that was never activated */
  unactivated: period(2, 'week'),
  /** period since the creation of an account that has no bookings */
  withoutBooking: period(2, 'year'),
  /** since the last booking */
  participant: period(10, 'year'),
  /** since the billed booking */
  billing: period(10, 'year'),
  /** period since the last day of the absence */
  absence: period(8, 'week'),
  /**
   * period since the decision on a sick note or shift certificate; the file is then deleted, but the decision remains
   * in the account
   */
  proofFile: period(4, 'week'),
  /** ends when the payment order for the refund is created */
  payout: null,
  /** period since the e-mail was created */
  mail: period(6, 'month'),
  /** period since the creation of the e-mail that confirms the deletion of an account */
  lastMail: period(7, 'day'),
  /** period since the access to the person's data was logged */
  read: period(1, 'year'),
  /** period since the message was created */
  message: period(2, 'year'),
  /** period since the day of the attendance entry; from then on, only the date is stored */
  tapTime: period(14, 'day'),
  /** period since the course's last lesson, during which its instructor can see the participants' names */
  names: period(8, 'week'),
  /** since the request */
  networkAddress: period(7, 'day'),
  /** period since the last login in a browser; cookies live for at most 400 days */
  knownDevice: period(400, 'day'),
  /** period since the lesson, for names stored on the instructor's device */
  namesOnDevice: period(48, 'hour'),
  /** period since the document or picture was last opened on the device */
  openedFile: period(90, 'day'),
  /** on account deletion */
  deletion: null,
  /** ends with the session, on both server and device */
  session: null,
  /** ends when the link is used or expires */
  link: null,
  /** ends when the server has received the data */
  sent: null,
  /** ends when the department changes or removes the data */
  department: null,
  /** ends when the tab is closed */
  tab: null,
  /** ends when the reader removes the data */
  reader: null,
} as const satisfies Record<string, RetentionPeriod | null>
export type RetentionEnd = keyof typeof RETENTION_ENDS

/** Data subject: the person to whom the data relates; `nobody` means that the data is not personal. */
export type DataSubject = 'person' | 'participant' | 'instructor' | 'department' | 'nobody'
/** Group of users who can see the data in the portal; `nobody` means that the data is only compared or counted. */
export type DataViewer = 'self' | 'instructor' | 'department' | 'billing' | 'everyone' | 'nobody'

/** Category of data. The privacy notice contains its description and purpose, which are looked up by its name. */
export type DataKind = {
  whose: DataSubject
  seenBy: readonly DataViewer[]
  /** events that end the retention; the earliest one counts */
  until: readonly RetentionEnd[]
  /** letter of Art. 6 (1) GDPR; null if the data is not personal */
  article6: 'a' | 'b' | 'c' | 'f' | null
  /** letter of Art. 9 (2) GDPR, if the data may reveal a person's health */
  article9?: 'a'
}

const ACCOUNT_ENDS = ['unactivated', 'withoutBooking', 'participant', 'deletion'] as const

/** Categories of data stored by the server. Every database column belongs to one of them (server/db/data-map.ts). */
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
  absence: { whose: 'instructor', seenBy: ['self', 'department'], until: ['absence', 'deletion'], article6: 'b' },
  photo: { whose: 'person', seenBy: ['everyone'], until: ['department'], article6: 'a' },
  read: { whose: 'person', seenBy: ['self', 'department'], until: ['read', 'deletion'], article6: 'c' },
  programme: { whose: 'department', seenBy: ['everyone'], until: ['department'], article6: null },
  system: { whose: 'nobody', seenBy: ['nobody'], until: ['department'], article6: null },
} as const satisfies Record<string, DataKind>
export type DataKindName = keyof typeof DATA_KINDS
