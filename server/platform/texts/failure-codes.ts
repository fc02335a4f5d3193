import type { Language } from '#contract/values.ts'
import { listTextsUnderKey, translate } from './translate.ts'

/**
 * Failure codes that are not derived from the key of their message, because a standard or the published API defines
 * them.
 */
const NAMES: Record<string, string> = {
  'http.sessionInvalid': 'session.invalid',
  // RFC 6750 §3.1
  'http.invalidToken': 'invalid_token',
  'http.insufficientScope': 'insufficient_scope',
  'obstacles.fullForExternals': 'booking.full',
  'attendance.change.notInLesson': 'attendance.notInLesson',
  'office.failed.notInLesson': 'attendance.notInLesson',
}
const AREAS: Record<string, string> = {
  accounts: 'account',
  bookings: 'booking',
  obstacles: 'booking',
  http: 'request',
}

/**
 * Keys of the messages that a failed response may contain. A key of a group, such as `http`, includes all keys below
 * it.
 */
const FAILURE_TEXTS = [
  'http',
  'obstacles',
  'bookings.tooManyChanges',
  'bookings.tryAgain',
  'bookings.cancelTooLate',
  'bookings.absence.notBooked',
  'bookings.absence.over',
  'bookings.absence.taken',
  'bookings.place.gone',
  'bookings.place.over',
  'attendance.change.complete',
  'attendance.change.early',
  'attendance.change.notInLesson',
  'attendance.change.fallsOut',
  'attendance.change.courseCancelled',
  'attendance.change.consentWithdrawn',
  'attendance.guest.tooMany',
  'attendance.guest.complete',
  'attendance.guest.early',
  'attendance.guest.fallsOut',
  'accounts.register.insecure',
  'accounts.resend.active',
  'accounts.resend.wait',
  'accounts.resend.tooMany',
  'accounts.edit.wait',
  'accounts.deletion.openCourses',
  'accounts.deletion.taughtCourses',
  'accounts.deletion.lastOwner',
  'session.company',
  'session.passkey.lacks',
  'session.passkey.notAdded',
  'session.passkey.unknown',
  'session.passkey.notVouched',
  'session.reset.wait',
  'money.tooManyProofs',
  'money.proofDecided',
  'money.ibanInvalid',
  'money.ibanOutsideSepa',
  'money.noRefund',
  'reminders.tooMany',
  'office.changed',
  'office.unknown',
  'office.failed',
  'office.reason',
  'office.substitute.closed',
  'office.substitute.busy',
]

/**
 * Stable failure code, which API clients can evaluate instead of the message. It is derived from the key of the
 * message: `bookings.tryAgain` becomes `booking.tryAgain`.
 */
export function failureCodeOf(key: string): string {
  const [area = '', ...rest] = key.split('.')
  return NAMES[key] ?? [AREAS[area] ?? area, ...rest].join('.')
}

/** Creates a response with a message for the user. A failed response also contains the message's code. */
export const createMessageResponse = <Status extends string>(
  language: Language,
  status: Status,
  key: string,
  values: Record<string, string | number> = {},
): { status: Status; message: string; code?: string } => ({
  status,
  message: translate(language, key, values),
  ...(status === 'Failed' && { code: failureCodeOf(key) }),
})

/** All failure codes with their messages in English, for the API description. */
export function listFailureCodes(): { code: string; message: string }[] {
  const keys = FAILURE_TEXTS.flatMap(listTextsUnderKey)
  // Several messages may share a code; the first one describes it.
  const messages = new Map(keys.toReversed().map(({ key, text }) => [failureCodeOf(key), text]))
  return [...new Set(keys.map(({ key }) => failureCodeOf(key)))].map(code => ({
    code,
    message: messages.get(code) ?? '',
  }))
}
