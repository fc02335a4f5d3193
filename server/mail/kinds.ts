import type { Price } from '#contract/courses.ts'
import type { ClashKind } from '#contract/lessons.ts'
import type { BookingStatus, CalendarDay, ClockTime, DateTimeValue, Language } from '#contract/values.ts'

/** What a booking's mail tells, as it was when it was caused. Of moments only what is told: thousands are written in a rush. */
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
  /** the next lesson when the mail was caused, null when none follows; missing, as what follows, in mails of an earlier version */
  next?: (CalendarDay & ClockTime) | null
  /** lessons from `next` on, and in all */
  lessons?: { left: number; all: number }
  /** what this person pays beside the energy, and which of the course's fees that is */
  priceCents: number
  priceRule?: Exclude<Price['kind'], 'free'>
  /** the fee from the person's verification on; null or missing: it does not change */
  priceCentsOnceVerified?: number | null
  energyFeeCents: number
  /** the fee is waived once attendance was regular */
  freeWithAttendance?: boolean
  /** last calendar date on which the place can be given back online; null: waiting, or ended */
  cancelUntil: CalendarDay | null
  /** what was given out or ended: a place (1) or a waiting-list spot (2) */
  state: Exclude<BookingStatus, 0>
  /** on the waiting list from 1; 0 for a place, and for what has ended */
  position: number
  /** empty while waiting, and for courses in a hall */
  meetingURL: string
  meetingID: string
  meetingCode: string
  /** the waiting list has ended with the course's last lesson */
  hasEnded?: boolean
  /** what a cancelled place costs, why, and the last day on which cancelling is free */
  charge?: { cents: number; reason: string; freeUntil: CalendarDay }
  /** other courses of who moves up that leave no time for this one; `at`: its lesson, 'YYYY-MM-DD HH:MM:SS' */
  clashes?: { name: string; name2: string; kind: ClashKind; at: string }[]
}

export type ClosedCourseMail = {
  courseId: number
  number: string
  name: string
  name2: string
  /** who had a place */
  participants: number
}

type NamedCourse = { courseId: number; number: string; name: string; name2: string }

/** A lesson of tomorrow. */
export type LessonMail = NamedCourse & {
  /** 'YYYY-MM-DD HH:MM:SS' */
  at: string
  venue: string
  city: string
  location: string
  location2: string
  meetingURL: string
}

/** What can be booked in an hour. */
export type OpeningMail = {
  kind: 'course' | 'category' | 'season'
  id: number
  name: string
  name2: string
  /** 'YYYY-MM-DD HH:MM:SS' */
  at: string
  /** that the person follows and that open then */
  things: number
}

export type WaitingMail = NamedCourse & { position: number }

/** What the department tells: its words in both languages, and a page of the portal to go to. */
export type NoticeMail = Record<Language, { title: string; paragraphs: string[] }> & { path: string }

type Nothing = Record<never, never>

/** The mails of the portal: each kind names a template, and these are its values (`mails.kind`, `mails.payload`). */
export type MailKinds = {
  booking: BookingMail
  'waiting-list': BookingMail
  /** a place freed for a waiting person */
  promotion: BookingMail
  cancellation: BookingMail
  /** to the instructor who closed the attendance */
  'course-closed': ClosedCourseMail
  /** the evening before a lesson, for who wants it */
  'lesson-eve': LessonMail
  /** an hour before something opens that the person follows */
  opening: OpeningMail
  /** a better number on the waiting list */
  'waiting-news': WaitingMail
  /** its link opens the account */
  activation: Nothing
  /** to the new address, which counts from the opening of the link on */
  'new-email': Nothing
  /** to the address that counts, which may undo what follows */
  'new-email-notice': { newEmail: string }
  /** the password works once within 24 hours */
  'password-reset': Nothing
  /** to the address that counted before, which may undo it */
  'email-changed': { newEmail: string }
  'password-changed': Nothing
  /** a login with a browser that has not logged in before; `device` in coarse words */
  'new-device': { device: string; at: DateTimeValue }
  /** to a person whom the import brought without a password */
  'welcome-import': Nothing
  /** to a person whom the department invited by address */
  invitation: Nothing
  'account-deleted': { isBillingKept: boolean }
  /** its link registers the first passkey of somebody with a right */
  'passkey-link': Nothing
  notice: NoticeMail
  /** about something that is less than a day away */
  'notice-urgent': NoticeMail
}
export type MailKind = keyof MailKinds

/** What opens an account is made when the mail is sent, and is in no payload. */
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
/** What a change is told with: each carries a "this was not me". */
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
