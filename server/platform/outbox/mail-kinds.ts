import type { ResponseOf } from '#contract/endpoint.ts'
import type { Price } from '#contract/endpoints/courses.ts'
import type { ClashKind } from '#contract/lessons.ts'
import type { HeadlineFigure } from '#contract/office/headline-figures.ts'
import type { listClosing } from '#contract/office/money.ts'
import type { BillingTask } from '#contract/office/tasks.ts'
import type { TodayTask } from '#contract/office/today.ts'
import type { BookingStatus, CalendarDay, ClockTime, DateTimeValue, Language } from '#contract/values.ts'

/**
 * Booking data in an e-mail, as of the time when the e-mail was created. It contains only the dates that the e-mail
 * shows, because thousands of e-mails are created during a burst of bookings.
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
  /** weekday from 0 (Sunday) to 6 (Saturday) */
  day: number
  /** weekdays of the course's regular lessons; missing in e-mails created by earlier versions */
  weekdays?: number[]
  startTime: ClockTime
  endTime: ClockTime
  start: CalendarDay
  end: CalendarDay
  /**
   * next lesson at the time when the e-mail was created, with its place if that is not the course's; null if there is
   * none. This field and the following optional fields are missing in e-mails created by earlier versions.
   */
  next?: (CalendarDay & ClockTime & { place?: string }) | null
  /** number of remaining lessons including `next`, and the total number */
  lessons?: { left: number; all: number }
  /** this person's fee without the energy surcharge, and the rule that determined it */
  priceCents: number
  priceRule?: Exclude<Price['kind'], 'free'>
  /** fee once the person has been verified; null or missing: no change */
  priceCentsOnceVerified?: number | null
  energyFeeCents: number
  /** the fee is waived if the person attends regularly */
  freeWithAttendance?: boolean
  /**
   * until when the seat can be cancelled online, the end of the day without a time; null for a waiting-list entry or an
   * ended booking
   */
  cancelUntil: (CalendarDay & Partial<ClockTime>) | null
  /** type of the booking that was made or has ended: 1 for a seat, 2 for a waiting-list entry */
  state: Exclude<BookingStatus, 0>
  /** position on the waiting list, starting at 1; 0 for a seat or an ended booking */
  position: number
  /** URL of the online meeting; empty for a waiting-list entry and for on-site courses */
  meetingURL: string
  meetingID: string
  meetingCode: string
  /** whether the waiting list has ended because the course is over */
  hasEnded?: boolean
  /** whether the waiting-list entry has ended because the person has become external */
  isExternal?: boolean
  /** amount charged for a cancelled seat, the reason for it, and until when cancelling was free */
  charge?: { cents: number; reason: string; freeUntil: CalendarDay & Partial<ClockTime> }
  /**
   * for promotions: the person's other courses that conflict with this one; `at`: start of the conflicting lesson,
   * 'YYYY-MM-DD HH:MM:SS'
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

/** Reminder about a lesson on the next day. */
export type LessonMail = NamedCourse & {
  /** 'YYYY-MM-DD HH:MM:SS' */
  at: string
  venue: string
  city: string
  location: string
  location2: string
  meetingURL: string
}

/** Reminder that booking opens within the next hour. */
export type BookingStartMail = {
  kind: 'course' | 'category' | 'season'
  id: number
  name: string
  name2: string
  /** 'YYYY-MM-DD HH:MM:SS' */
  at: string
  /** number of followed courses, categories and seasons for which booking opens at this time */
  things: number
}

export type WaitingListPositionMail = NamedCourse & { position: number }

/** Message from the department: its texts in both languages, and the page of the portal to which it links. */
export type NoticeWords = {
  title: string
  paragraphs: string[]
  /** title without the course's name, for lock screens; missing in notices created by earlier versions */
  event?: string
}

export type NoticeMail = Record<Language, NoticeWords> & {
  path: string
  /** courses whose lessons are attached as a calendar file */
  changedCourseIds?: number[]
  /** number of the invoice that is attached */
  invoice?: string
  /** whether the letter to a person without an e-mail address is the invoice itself */
  isInvoiceLetter?: true
}

/** Figures and open tasks for a member of the department, as far as the member's rights permit. */
export type OfficeReport = {
  /** figures of the current season, next to those of the season before */
  season: (SeasonHeadline & { id: number; before: SeasonHeadline | null }) | null
  /** lists of *Today* that are not empty */
  tasks: { task: TodayTask; count: number }[]
  billing: { task: BillingTask; count: number }[]
  /** courses for which most money waits, with what is to be done next */
  waiting: Pick<ClosingCourse, 'courseId' | 'number' | 'name' | 'name2' | 'waiting' | 'next' | 'actor'>[]
}
type SeasonHeadline = { name: string; name2: string; figures: Record<HeadlineFigure, number | null> }
type ClosingCourse = ResponseOf<typeof listClosing>['courses'][number]

export type OfficeReportMail = {
  /** the longer one if a weekly and a monthly e-mail are due on the same day */
  period: 'week' | 'month'
  /** 'YYYY-MM-DD' on which the e-mail was due */
  day: string
  /** read when the e-mail is sent, so that the recipient's rights at that time decide; never stored */
  report?: OfficeReport
}

type Nothing = Record<never, never>

/** Kinds of e-mails with the values for their templates (`mails.kind`, `mails.payload`). */
export type MailKinds = {
  booking: BookingMail
  'waiting-list': BookingMail
  /** a person on the waiting list has received a seat */
  promotion: BookingMail
  cancellation: BookingMail
  /** confirms to the instructor that the attendance list has been completed */
  'course-closed': ClosedCourseMail
  /** reminder on the evening before a lesson, if enabled by the person */
  'lesson-eve': LessonMail
  /** reminder an hour before booking opens for a followed course, category or season */
  opening: BookingStartMail
  /** the position on the waiting list has improved */
  'waiting-news': WaitingListPositionMail
  /** a place of a single lesson is free */
  'lesson-place': Omit<LessonMail, 'meetingURL'>
  /** contains a link that activates the account */
  activation: Nothing
  /** sent to the new e-mail address, which takes effect when the link is opened */
  'new-email': Nothing
  /** sent to the current e-mail address, with a link that undoes the pending change */
  'new-email-notice': { newEmail: string }
  /** contains a single-use password that is valid for 24 hours */
  'password-reset': Nothing
  /** sent to the previous e-mail address, with a link that undoes the change */
  'email-changed': { newEmail: string }
  /**
   * sent to both addresses of two merged accounts, with a link that separates them or confirms that both belong to one
   * person; `other`: abbreviated address of the other account, '' if it has none
   */
  'people-merged': { mergeId: number; other: string; isInto: boolean; hasOwnData: boolean }
  'password-changed': Nothing
  /** sent when an IBAN for a refund was entered or replaced, with its last four characters */
  'iban-changed': { lastDigits: string }
  /** login from a new browser; `device` is a coarse description */
  'new-device': { device: string; at: DateTimeValue }
  /** sent to a person imported without a password */
  'welcome-import': Nothing
  /** sent to a person whom the department invited by e-mail address */
  invitation: Nothing
  'account-deleted': { isBillingKept: boolean }
  /** contains a link to register the first passkey of a person with office permissions */
  'passkey-link': Nothing
  /** asks an instructor to be the substitute of lessons, with a link to answer without a login */
  'substitute-request': NoticeMail & { invitationId: number }
  'office-report': OfficeReportMail
  notice: NoticeMail
  /** notice about an event within the next 24 hours */
  'notice-urgent': NoticeMail
}
export type MailKind = keyof MailKinds

/** Secrets in an e-mail. They are generated when the e-mail is sent and are never part of the stored payload. */
export type MailSecrets = {
  activation: { token: string }
  'new-email': { token: string }
  'new-email-notice': { token: string }
  'email-changed': { token: string }
  'people-merged': { token: string }
  'password-changed': { token: string }
  'iban-changed': { token: string }
  'new-device': { token: string }
  'password-reset': { password: string }
  'welcome-import': { password: string }
  invitation: { password: string }
  'passkey-link': { token: string }
  'substitute-request': { token: string }
}
export type SecretMailKind = keyof MailSecrets
/** Security notices that contain an undo link ("this was not me"). */
export const SECURITY_NOTICE_MAIL_KINDS = [
  'new-email-notice',
  'email-changed',
  'people-merged',
  'password-changed',
  'iban-changed',
  'new-device',
] as const
/** Kinds of e-mails that contain a single-use password. */
export const PASSWORD_MAIL_KINDS = ['password-reset', 'welcome-import', 'invitation'] as const
export const SECRET_MAIL_KINDS: SecretMailKind[] = [
  'activation',
  'new-email',
  ...PASSWORD_MAIL_KINDS,
  'passkey-link',
  'substitute-request',
  ...SECURITY_NOTICE_MAIL_KINDS,
]

export type MailValues = {
  [Kind in MailKind]: MailKinds[Kind] & (Kind extends SecretMailKind ? MailSecrets[Kind] : Nothing)
}

/**
 * Kinds of push messages (`alerts.kind`). If no push message can be delivered, an e-mail replaces it, except for
 * `promotion`, whose e-mail is sent in any case.
 */
export type AlertValues = Pick<MailKinds, 'lesson-eve' | 'opening' | 'waiting-news' | 'lesson-place'> & {
  promotion: { courseId: number }
  /** changes to a booked course; the e-mail contains the department's text */
  changes: MailKinds['notice']
}
export type AlertKind = keyof AlertValues
