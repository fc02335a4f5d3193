import type { BookingStatus, DateTimeValue } from '#contract/values.ts'

/** What a mail about a booking tells, as it was when the mail was caused: nothing is read again when it is sent. */
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
  bookingSelection: string
  startTime: DateTimeValue
  endTime: DateTimeValue
  start: DateTimeValue
  end: DateTimeValue
  /** what this person pays */
  priceCents: number
  energyFeeCents: number
  /** last calendar date on which a place can be given back online */
  cancelUntil: DateTimeValue
  /** what was given out or ended: a place (1) or a waiting-list spot (2) */
  state: Exclude<BookingStatus, 0>
  /** on the waiting list from 1; 0 for a place, and for what has ended */
  position: number
  /** empty while waiting, and for courses in a hall */
  meetingURL: string
  meetingID: string
  meetingCode: string
}

/** The mails of the portal: each kind names a template, and these are its values (`mails.kind`, `mails.payload`). */
export type MailKinds = {
  booking: BookingMail
  'waiting-list': BookingMail
  /** a place freed for a waiting person */
  promotion: BookingMail
  cancellation: BookingMail
}
