export type Period = { unit: 'hour' | 'day' | 'week' | 'month' | 'year'; count: number }

const period = (count: number, unit: Period['unit']): Period => ({ unit, count })

/** What ends the keeping of data: a period after something, or an event. Retention, SQL and the privacy notice take it from here. */
export const ENDINGS = {
  /** since the registration that nobody activated */
  unactivated: period(2, 'week'),
  /** since the account was made, without any booking */
  withoutBooking: period(2, 'year'),
  /** since the last booking */
  participant: period(10, 'year'),
  /** since the booking that is billed */
  billing: period(10, 'year'),
  /** since the mail was written */
  mail: period(6, 'month'),
  /** since the mail was written that says goodbye to a deleted account */
  lastMail: period(7, 'day'),
  /** since somebody looked at the person's data */
  read: period(1, 'year'),
  /** since the message */
  message: period(2, 'year'),
  /** since the day of the tap: afterwards the day alone is known */
  tapTime: period(14, 'day'),
  /** since the course's last lesson: how long its instructor sees the names */
  names: period(8, 'week'),
  /** since the call */
  networkAddress: period(7, 'day'),
  /** since the browser's last login to the account: the longest that a browser keeps a cookie */
  knownDevice: period(400, 'day'),
  /** since the lesson, on the instructor's device */
  namesOnDevice: period(48, 'hour'),
  /** since the document or picture was last opened on the device */
  openedFile: period(90, 'day'),
  /** the person deletes the account */
  deletion: null,
  /** the session ends, on the server and on the device */
  session: null,
  /** the link was opened or is no longer valid */
  link: null,
  /** the server has it */
  sent: null,
  /** the department changes or removes it */
  department: null,
  /** the tab is closed */
  tab: null,
  /** the reader removes it */
  reader: null,
} as const satisfies Record<string, Period | null>
export type Ending = keyof typeof ENDINGS

/** Who stands behind the data; `nobody`: it is about no person. */
export type Owner = 'person' | 'participant' | 'instructor' | 'department' | 'nobody'
/** Who gets to see it in the portal; `nobody`: it is only compared or counted. */
export type Viewer = 'self' | 'instructor' | 'department' | 'billing' | 'everyone' | 'nobody'

/** One kind of data; what it is and why it is kept are texts of the privacy notice, by its name. */
export type DataKind = {
  whose: Owner
  seenBy: readonly Viewer[]
  /** whichever comes first */
  until: readonly Ending[]
  /** the letter of Art. 6 (1) GDPR; null: no personal data */
  article6: 'a' | 'b' | 'c' | 'f' | null
  /** the letter of Art. 9 (2) GDPR where the data may tell of somebody's health */
  article9?: 'a'
}

const ACCOUNT_ENDS = ['unactivated', 'withoutBooking', 'participant', 'deletion'] as const

/** What the server keeps; every column of the database is of one of these kinds (server/db/data-map.ts). */
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
  billing: { whose: 'person', seenBy: ['department'], until: ['billing'], article6: 'c' },
  instructorProfile: { whose: 'instructor', seenBy: ['everyone'], until: ['department', 'deletion'], article6: 'a' },
  photo: { whose: 'person', seenBy: ['everyone'], until: ['department'], article6: 'a' },
  read: { whose: 'person', seenBy: ['self', 'department'], until: ['read', 'deletion'], article6: 'c' },
  programme: { whose: 'department', seenBy: ['everyone'], until: ['department'], article6: null },
  system: { whose: 'nobody', seenBy: ['nobody'], until: ['department'], article6: null },
} as const satisfies Record<string, DataKind>
export type DataKindName = keyof typeof DATA_KINDS
