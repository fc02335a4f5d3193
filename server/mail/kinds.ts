import type { Price } from '#contract/courses.ts'
import type { ClashKind } from '#contract/lessons.ts'
import type { BookingStatus, CalendarDay, ClockTime, DateTimeValue, Language } from '#contract/values.ts'

/**
 * Booking data of a mail, as of its creation. Contains only the dates that are shown, because thousands are written
 * during a burst.
 */
export type BookingMail = {
  courseId: number
  number: string
  name: string
  name2: string
  instructor: string
  venue: string
  city: string
  location: string
  location2: string
  /** 0 Sunday to 6 Saturday */
  day: number
  /** of its regular lessons; missing in mails of an earlier version */
  weekdays?: number[]
  startTime: ClockTime
  endTime: ClockTime
  start: CalendarDay
  end: CalendarDay
  /**
   * next lesson when the mail was created, null if there is none; this and the following fields are missing in mails of
   * an earlier version
   */
  next?: (CalendarDay & ClockTime) | null
  /** number of lessons from `next` on, and in total */
  lessons?: { left: number; all: number }
  /** this person's fee without energy surcharge, and the rule that determined it */
  priceCents: number
  priceRule?: Exclude<Price['kind'], 'free'>
  /** fee after the person's verification; null or missing: no change */
  priceCentsOnceVerified?: number | null
  energyFeeCents: number
  /** the fee is waived after regular attendance */
  freeWithAttendance?: boolean
  /** last day for online cancellation; null: waiting, or ended */
  cancelUntil: CalendarDay | null
  /** assigned or ended: a place (1) or a waiting-list entry (2) */
  state: Exclude<BookingStatus, 0>
  /** 1-based position on the waiting list; 0 for a place or an ended booking */
  position: number
  /** empty while waiting, and for on-site courses */
  meetingURL: string
  meetingID: string
  meetingCode: string
  /** the waiting list has ended with the course's last lesson */
  hasEnded?: boolean
  /** what a cancelled place costs, why, and the last day on which cancelling is free */
  charge?: { cents: number; reason: string; freeUntil: CalendarDay }
  /**
   * for promotions: the person's other courses that conflict with this one; `at`: the conflicting lesson, 'YYYY-MM-DD
   * HH:MM:SS'
   */
  clashes?: { name: string; name2: string; kind: ClashKind; at: string }[]
}

export type ClosedCourseMail = {
  courseId: number
  number: string
  name: string
  name2: string
  /** number of confirmed participants */
  participants: number
}

type NamedCourse = { courseId: number; number: string; name: string; name2: string }

/** Lesson on the next day. */
export type LessonMail = NamedCourse & {
  /** 'YYYY-MM-DD HH:MM:SS' */
  at: string
  venue: string
  city: string
  location: string
  location2: string
  meetingURL: string
}

/** Booking opening within the next hour. */
export type OpeningMail = {
  kind: 'course' | 'category' | 'season'
  id: number
  name: string
  name2: string
  /** 'YYYY-MM-DD HH:MM:SS' */
  at: string
  /** number of followed items that open at this time */
  things: number
}

export type WaitingMail = NamedCourse & { position: number }

/** Message of the department: texts in both languages, and the page of the portal to link to. */
export type NoticeMail = Record<Language, { title: string; paragraphs: string[] }> & { path: string }

type Nothing = Record<never, never>

/** Mail kinds with the values of their templates (`mails.kind`, `mails.payload`). */
export type MailKinds = {
  booking: BookingMail
  'waiting-list': BookingMail
  /** a waiting person received a freed place */
  promotion: BookingMail
  cancellation: BookingMail
  /** to the instructor who completed the attendance */
  'course-closed': ClosedCourseMail
  /** evening before a lesson, if enabled by the person */
  'lesson-eve': LessonMail
  /** an hour before booking of a followed item opens */
  opening: OpeningMail
  /** improved position on the waiting list */
  'waiting-news': WaitingMail
  /** the link activates the account */
  activation: Nothing
  /** to the new address, which takes effect when the link is opened */
  'new-email': Nothing
  /** to the current address, with a link to undo the pending change */
  'new-email-notice': { newEmail: string }
  /** single-use password, valid for 24 hours */
  'password-reset': Nothing
  /** to the previous address, with a link to undo the change */
  'email-changed': { newEmail: string }
  'password-changed': Nothing
  /** login from a new browser; `device` is a coarse description */
  'new-device': { device: string; at: DateTimeValue }
  /** to a person imported without a password */
  'welcome-import': Nothing
  /** to a person whom the department invited by address */
  invitation: Nothing
  'account-deleted': { isBillingKept: boolean }
  /** the link registers the first passkey of a person with rights */
  'passkey-link': Nothing
  notice: NoticeMail
  /** about an event less than a day away */
  'notice-urgent': NoticeMail
}
export type MailKind = keyof MailKinds

/** Secrets generated when the mail is sent; never part of a stored payload. */
export type MailSecrets = {
  activation: { token: string }
  'new-email': { token: string }
  'new-email-notice': { token: string }
  'email-changed': { token: string }
  'password-changed': { token: string }
  'new-device': { token: string }
  'password-reset': { password: string }
  'welcome-import': { password: string }
  invitation: { password: string }
  'passkey-link': { token: string }
}
export type SecretKind = keyof MailSecrets
/** Security notices with an undo link ("this was not me"). */
export const NOTICE_KINDS = ['new-email-notice', 'email-changed', 'password-changed', 'new-device'] as const
/** Mails that carry a password for one login. */
export const PASSWORD_KINDS = ['password-reset', 'welcome-import', 'invitation'] as const
export const SECRET_KINDS: SecretKind[] = [
  'activation',
  'new-email',
  ...PASSWORD_KINDS,
  'passkey-link',
  ...NOTICE_KINDS,
]

export type MailValues = {
  [Kind in MailKind]: MailKinds[Kind] & (Kind extends SecretKind ? MailSecrets[Kind] : Nothing)
}

/** Kinds of pushes (`alerts.kind`). Each is also a kind of mail except promotion, whose mail is sent with the booking. */
export type AlertValues = Pick<MailKinds, 'lesson-eve' | 'opening' | 'waiting-news'> & {
  promotion: { courseId: number }
  /** of a booked course: the mail contains the department's text */
  changes: MailKinds['notice']
}
export type AlertKind = keyof AlertValues
