import type { MailKinds } from '#server/mail/kinds.ts'

/** What people are told because it is due. Each is a kind of mail, but the place that frees: its mail is the booking's own. */
export type AlertValues = Pick<MailKinds, 'lesson-eve' | 'opening' | 'waiting-news'> & {
  promotion: { courseId: number }
  /** of a booked course: the department's words are in the mail */
  changes: MailKinds['notice']
}
export type AlertKind = keyof AlertValues
