import * as v from 'valibot'
import { normalizeEmail, normalizeText } from './normalize.ts'

/** Non-negative integer. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** Id, 0 for none. */
export const idOrZero = count
// @__NO_SIDE_EFFECTS__
export const integerUpTo = (max: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(max))
/** Weekday from 0 (Sunday) to 6 (Saturday). */
export const weekday = integerUpTo(6)

/**
 * Date and time in the portal's time zone. The time parts of a date are zero, as are the date parts of a time of day.
 */
export const dateTimeValue = v.object({
  year: integerUpTo(9999),
  month: integerUpTo(12),
  day: integerUpTo(31),
  hour: integerUpTo(23),
  minute: integerUpTo(59),
  second: integerUpTo(59),
})
export type DateTimeValue = v.InferOutput<typeof dateTimeValue>
export type CalendarDay = Pick<DateTimeValue, 'year' | 'month' | 'day'>
export type ClockTime = Pick<DateTimeValue, 'hour' | 'minute'>

/** Amount in euros with at most two decimals. */
export const money = v.pipe(
  v.number(),
  v.minValue(0),
  v.check(euros => Math.abs(euros * 100 - Math.round(euros * 100)) < 1e-6, 'at most two decimals'),
)

const MAX_ENTERED_EUROS = 1_000_000
/** Amount in euros as entered: at most a million, so that sums in cents fit PostgreSQL's `integer`. */
export const boundedMoney = v.pipe(money, v.maxValue(MAX_ENTERED_EUROS))

/** Amount in euros with at most two decimals, which may be negative. */
export const signedMoney = v.pipe(
  v.number(),
  v.minValue(-MAX_ENTERED_EUROS),
  v.maxValue(MAX_ENTERED_EUROS),
  v.check(euros => Math.abs(euros * 100 - Math.round(euros * 100)) < 1e-6, 'at most two decimals'),
)

/** Surcharge in euros that external participants pay on top of the fee, unless the course has its own external fee. */
export const EXTERNAL_SURCHARGE = 15

/** maximum of PostgreSQL's `integer` */
export const MAX_ID = 2_147_483_647

export const id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_ID))

/** UUID in canonical form: compared without regard to case (RFC 9562, section 4). */
export const uuid = v.pipe(v.string(), v.uuid(), v.toLowerCase())

/** Id as a path parameter, digits only. Larger values are mapped to the maximum id, which is never assigned. */
export const idParam = v.pipe(
  v.string(),
  v.regex(/^\d+$/),
  v.transform(digits => Math.min(Number(digits), MAX_ID)),
)
export const idParams = v.object({ id: idParam })

/**
 * Control characters in a class of a pattern. The API description publishes patterns, so they name characters by number:
 * Python does not know \p{Cc}, nor do generated clients that omit the flag `u`.
 */
export const CONTROL_CHARACTERS = String.raw`\u0000-\u001f\u007f-\u009f`

/** Matches text without bidirectional controls and without control characters other than line breaks and tabs. */
export const MULTILINE_TEXT_PATTERN = new RegExp(
  String.raw`^(?:[^${CONTROL_CHARACTERS}\u202a-\u202e\u2066-\u2069]|[\t\n\r])*$`,
  'u',
)

/**
 * Matches text in one line. The line separators U+2028 and U+2029 are inside a range, because generators of clients write
 * its ends unescaped into a regular expression literal, which must not contain them.
 */
export const SINGLE_LINE_TEXT_PATTERN = new RegExp(
  String.raw`^(?:[^${CONTROL_CHARACTERS}\u2027-\u202e\u2066-\u2069]|[\t\u2027])*$`,
  'u',
)

const normalized = v.transform(normalizeText)

/** Schema for a normalized text in personal data. */
export const personalDataText = (max: number) =>
  v.optional(v.nullish(v.pipe(v.string(), normalized, v.maxLength(max), v.regex(MULTILINE_TEXT_PATTERN)), ''), '')

/** Single-line `personalDataText`, for names that are used in lists, e-mails and e-mail headers. */
export const singleLinePersonalDataText = (max: number) =>
  v.optional(v.nullish(v.pipe(v.string(), normalized, v.maxLength(max), v.regex(SINGLE_LINE_TEXT_PATTERN)), ''), '')

/**
 * Simple e-mail address pattern from the specification, with a top-level domain of 2 to 25 letters. Case and
 * surrounding blanks are ignored.
 */
export const EMAIL_PATTERN =
  /^[^\s\p{Cc}\p{Cf}@<>(),;:"[\]\\]+@(?:[^\s\p{Cc}\p{Cf}.@<>(),;:"[\]\\]+\.)+[A-Za-z]{2,25}$/u
/** Maximum length of an account's e-mail address, the same as that of a user name. */
export const EMAIL_MAX_LENGTH = 50
export const email = v.pipe(
  v.string(),
  v.transform(normalizeEmail),
  v.maxLength(EMAIL_MAX_LENGTH),
  v.regex(EMAIL_PATTERN),
)

export const LOGIN_STATUSES = [
  'Ok',
  'Failed',
  'Duplicate',
  'NotFound',
  'WrongPWorUser',
  'TooManyFailures',
  'NotActive',
] as const
export const loginStatus = v.picklist(LOGIN_STATUSES)

export const apiResponseStatus = v.picklist(['Ok', 'Failed'])
export type ApiResponseStatus = v.InferOutput<typeof apiResponseStatus>

/** Stable failure code that accompanies the message of a failed response, such as `booking.full`; otherwise missing. */
export const failureCode = v.optional(v.string())

/** Result of a call, with a message for the user in the language of `Accept-Language`. */
export const apiCallOutcome = v.object({ status: loginStatus, message: v.string(), code: failureCode })
export type ApiCallOutcome = v.InferOutput<typeof apiCallOutcome>

/** Body of all error responses (4xx, 5xx). */
export const failure = v.object({ status: v.literal('Failed'), message: v.string(), code: failureCode })

export const BOOKING_STATUS = { NotBooked: 0, Booked: 1, Waitinglist: 2 } as const
export const bookingStatus = v.enum(BOOKING_STATUS)
export type BookingStatus = v.InferOutput<typeof bookingStatus>

export const EMPLOYEE_STATUS = {
  Employee: 1,
  External: 2,
  Pensioner: 4,
  HealthInsurance: 5,
  MunicipalUtilities: 6,
  Apprentice: 7,
} as const
export const employeeStatus = v.enum(EMPLOYEE_STATUS)
export type EmployeeStatus = v.InferOutput<typeof employeeStatus>

export const BILLING_TYPE = { PersonnelNumber: 1, ForeignPersonnelNumber: 2, Invoice: 3, Unknown: 4 } as const
export const billingType = v.enum(BILLING_TYPE)
export type BillingType = v.InferOutput<typeof billingType>

export const FORMS_OF_ADDRESS = ['Herr', 'Frau', 'Divers'] as const
export const formOfAddress = v.picklist(FORMS_OF_ADDRESS)
export type FormOfAddress = v.InferOutput<typeof formOfAddress>

/** Verification state of an account, as described in docs/accounts.md. Stored in `web_users.state`. */
export const ACCOUNT_STATES = ['claimed', 'proved', 'known', 'locked', 'deleted'] as const
export const accountState = v.picklist(ACCOUNT_STATES)
export type AccountState = v.InferOutput<typeof accountState>

export const language = v.picklist(['de', 'en'])
export type Language = v.InferOutput<typeof language>

/** HTML tags allowed in programme texts, both by the import's sanitizer and by the app. All other markup is escaped. */
export const HTML_BLOCK_TAGS = ['p', 'ul', 'ol', 'li', 'h3', 'h4', 'table', 'tbody', 'tr', 'th', 'td']
export const HTML_INLINE_TAGS = ['strong', 'b', 'em', 'i', 'u', 'a']
export const HTML_TAGS = [...HTML_BLOCK_TAGS, ...HTML_INLINE_TAGS, 'br']
export const LINK_SCHEMES = ['http', 'https', 'mailto']

/** Kinds of ledger entries that are written when a course is settled, in the order of calculation. */
export const SETTLEMENT_ENTRY_KINDS = [
  'fee',
  'processing-fee',
  'energy-fee',
  'late-cancellation',
  'lessons-cancelled',
  'waiver',
  'floor',
] as const
export type SettlementEntryKind = (typeof SETTLEMENT_ENTRY_KINDS)[number]

/** Reasons why an amount cannot be billed. */
export const UNBILLABLE_CAUSES = [
  'unverified',
  'personnelNumber',
  'consent',
  'address',
  'billingType',
  'returned',
  'undecided',
  'iban',
  'payeeName',
] as const
export type UnbillableCause = (typeof UNBILLABLE_CAUSES)[number]

/** Kinds of ledger entries that staff add manually. */
export const MANUAL_ENTRY_KINDS = ['goodwill', 'correction', 'write-off'] as const

/** Rights in the office UI. They are independent of each other, and a person may have several. */
export const RIGHTS = ['programme', 'bookings', 'billing', 'content', 'record', 'owner'] as const
export const right = v.picklist(RIGHTS)
export type Right = v.InferOutput<typeof right>

/**
 * Scopes of service tokens. `programme-read`: read the programme as the office UI shows it. `lists`: read lists, people
 * and bookings, without health insurance numbers. `health`: with them, in addition to `lists`. `programme`: perform actions on the programme. `bookings`: perform actions on people and bookings.
 * `people`: use SCIM.
 */
export const SCOPES = ['programme-read', 'lists', 'health', 'programme', 'bookings', 'people'] as const
export const scope = v.picklist(SCOPES)
export type Scope = v.InferOutput<typeof scope>

/** Office rights granted by each scope of a service token. */
export const RIGHTS_OF_SCOPE: Record<Scope, readonly Right[]> = {
  'programme-read': ['programme'],
  lists: ['billing'],
  health: [],
  programme: ['programme'],
  bookings: ['bookings'],
  people: ['bookings'],
}

/** Event types of webhooks, named according to Standard Webhooks. */
export const WEBHOOK_KINDS = [
  'booking.created',
  'booking.waitlisted',
  'booking.promoted',
  'booking.cancelled',
  'course.changed',
] as const
export const webhookKind = v.picklist(WEBHOOK_KINDS)
export type WebhookKind = v.InferOutput<typeof webhookKind>

export const PASSWORD_MAX_LENGTH = 50
export const PASSWORD_MIN_LENGTH = 8
/**
 * Minimum length of a password at login. It is lower than for a new password, because existing passwords may predate
 * the current policy.
 */
export const PASSWORD_MIN_LENGTH_AT_LOGIN = 4
