import type { MailKinds } from '#server/mail/kinds.ts'

/** Kinds of reminders. Each is also a kind of mail except promotion, whose mail is sent with the booking. */
export type AlertValues = Pick<MailKinds, 'lesson-eve' | 'opening' | 'waiting-news'> & {
  promotion: { courseId: number }
  /** of a booked course: the mail contains the department's text */
  changes: MailKinds['notice']
}
export type AlertKind = keyof AlertValues
