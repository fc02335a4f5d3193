import * as v from 'valibot'
import { webUser } from './accounts.ts'
import { instructorProfile } from './content.ts'
import { endpoint } from './endpoint.ts'
import { FOLLOW_KINDS, reminders } from './reminders.ts'
import { accountState, billingType, employeeStatus, formOfAddress, id, language } from './values.ts'

/** 'YYYY-MM-DD HH:MM:SS' in the portal's zone; a date without the time. null: never, or not known */
const instant = v.nullable(v.string())

export const MAIL_KINDS = [
  'booking',
  'waiting-list',
  'promotion',
  'cancellation',
  'course-closed',
  'lesson-eve',
  'opening',
  'waiting-news',
  'activation',
  'new-email',
  'new-email-notice',
  'email-changed',
  'password-reset',
  'password-changed',
  'welcome-import',
  'invitation',
  'account-deleted',
  'new-device',
  'passkey-link',
  'notice',
  'notice-urgent',
] as const

export const SECURITY_EVENTS = [
  'login',
  'device',
  'confirm',
  'spray',
  'site',
  'reset',
  'activation',
  'registration',
  'newEmail',
  'newDevice',
  'probe',
] as const

const course = { number: v.string(), name: v.string() }

/** After 14 days of the times the day alone is kept. */
const change = v.strictObject({
  ...course,
  heldAt: instant,
  /** null: what was recorded before was taken back */
  isPresent: v.nullable(v.boolean()),
  recordedAt: instant,
  arrivedAt: instant,
})

const { password, confirmPassword, status, message, ...profile } = webUser.entries

export const personalData = v.strictObject({
  account: v.strictObject({
    state: accountState,
    /** since when the department has named the person */
    knownAt: instant,
    language,
    registeredAt: instant,
    activatedAt: instant,
    lastBookedAt: instant,
    division: v.nullable(v.string()),
    isPasswordToChange: v.boolean(),
    /** until when a mailed password works */
    mailedPasswordUntil: instant,
  }),
  profile: v.strictObject({
    ...profile,
    formOfAddress: v.nullable(formOfAddress),
    employeeStatus: v.nullable(employeeStatus),
    billingType: v.nullable(billingType),
    divisionId: v.nullable(id),
    yearOfBirth: v.nullable(v.number()),
  }),
  /** null for a person who is no instructor */
  instructor: v.nullable(
    v.strictObject({
      ...instructorProfile.entries,
      yearOfBirth: v.nullable(v.number()),
      /** numbers of the courses */
      coursesTaught: v.array(v.string()),
      attendanceChangesRecorded: v.number(),
      /** each of them, without the participant's name */
      changesRecorded: v.array(change),
    }),
  ),
  bookings: v.array(
    v.strictObject({
      ...course,
      startsOn: instant,
      endsOn: instant,
      state: v.picklist(['booked', 'waiting list']),
      priceEuro: v.number(),
      /** which price counted, and what it is accounted by, as it was when the booking was made */
      priceRule: v.picklist(['fee', 'external']),
      /** the price from the person's verification on; null: it does not change */
      priceEuroOnceVerified: v.nullable(v.number()),
      employeeStatus: v.nullable(employeeStatus),
      personnelNumber: v.string(),
      ownerPersonnelNumber: v.string(),
      billingType: v.nullable(billingType),
      divisionId: v.nullable(id),
      /** whether the department had named status and number */
      isPersonKnown: v.boolean(),
      bookedAt: instant,
      placeFreedAt: instant,
      cancelledAt: instant,
      /** what the place costs after its cancellation, and how much that is */
      charge: v.string(),
      chargeEuro: v.number(),
    }),
  ),
  attendance: v.array(v.strictObject({ ...course, heldAt: instant, isPresent: v.boolean(), recordedAt: instant })),
  /** every change that an instructor recorded, corrected ones included */
  attendanceChanges: v.array(
    v.strictObject({
      ...change.entries,
      /** the instructor's name; null: an instructor who is none any more */
      recordedBy: v.nullable(v.string()),
    }),
  ),
  messages: v.array(
    v.strictObject({
      createdAt: instant,
      title: v.string(),
      text: v.string(),
      documentName: v.string(),
      /** where the document is fetched with this session; '' without one */
      documentAddress: v.string(),
      seenAt: instant,
    }),
  ),
  /** there is an address from which a calendar reads; null: none */
  calendarFeed: v.nullable(v.strictObject({ madeAt: instant })),
  follows: v.array(v.strictObject({ kind: v.picklist(FOLLOW_KINDS), id, name: v.string(), followedAt: instant })),
  /** of what the person wants to be told; null: nothing chosen yet */
  reminders: v.nullable(v.strictObject({ ...reminders.entries, changedAt: instant })),
  /** browsers that show what the portal pushes */
  pushDevices: v.array(v.strictObject({ endpoint: v.string(), createdAt: instant })),
  /** what the person was told because it was due */
  alerts: v.array(v.strictObject({ kind: v.string(), toldAt: instant, title: v.string(), text: v.string() })),
  sessions: v.array(
    v.strictObject({
      device: v.string(),
      createdAt: instant,
      lastUsedAt: instant,
      expiresAt: instant,
      isKept: v.boolean(),
    }),
  ),
  /** browsers that have logged in before, without what tells them apart */
  devices: v.array(v.strictObject({ createdAt: instant, lastUsedAt: instant })),
  /** changes of status, numbers and billing, without the values */
  accountChanges: v.array(
    v.strictObject({
      changedAt: instant,
      actor: v.picklist(['person', 'import']),
      /** some of status, personnelNumber, ownerPersonnelNumber, billing, division */
      kinds: v.string(),
    }),
  ),
  /** what the person may do at the department's desk */
  rights: v.array(v.strictObject({ right: v.string(), grantedAt: instant })),
  /** whom the company's login means by the person */
  companyAccounts: v.array(
    v.strictObject({
      provider: v.string(),
      account: v.string(),
      joinedAt: instant,
      lastLoginAt: instant,
      leftAt: instant,
    }),
  ),
  passkeys: v.array(v.strictObject({ device: v.string(), createdAt: instant, lastUsedAt: instant })),
  /** what went out on paper in place of mails */
  letters: v.array(v.strictObject({ kind: v.string(), language: v.string(), createdAt: instant, printedAt: instant })),
  /** who of the department, and which instructor, looked at the person's data */
  reads: v.array(v.strictObject({ readAt: instant, reader: v.string(), call: v.string() })),
  /** mailed links that still work, without what opens them */
  links: v.array(
    v.strictObject({
      purpose: v.picklist(['activation', 'new-email', 'undo', 'passkey']),
      newEmail: v.nullable(v.string()),
      createdAt: instant,
      expiresAt: instant,
    }),
  ),
  /** what opens an account stands in them as … */
  mails: v.array(
    v.strictObject({
      kind: v.picklist(MAIL_KINDS),
      recipient: v.string(),
      language,
      createdAt: instant,
      sentAt: instant,
      subject: v.string(),
      text: v.string(),
    }),
  ),
  /** kept for some days to keep strangers out */
  securityEvents: v.array(
    v.strictObject({ kind: v.picklist(SECURITY_EVENTS), address: v.string(), happenedAt: instant }),
  ),
})
export type PersonalData = v.InferOutput<typeof personalData>

export const exportPersonalData = endpoint('session', 'GET', '/api/webuser/data', { response: personalData })
