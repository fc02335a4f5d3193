import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { CONSENT_KINDS } from '../rules/consent-rules.ts'
import { accountState, billingType, employeeStatus, formOfAddress, id, language } from '../values.ts'
import { webUser } from './accounts.ts'
import { instructorProfile } from './content.ts'
import { FOLLOWED_ITEM_KINDS, reminders } from './reminders.ts'

/** 'YYYY-MM-DD HH:MM:SS' in the portal's time zone, or only the date; null if it never happened or is unknown */
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
  'lesson-place',
  'activation',
  'new-email',
  'new-email-notice',
  'email-changed',
  'people-merged',
  'password-reset',
  'password-changed',
  'iban-changed',
  'welcome-import',
  'invitation',
  'account-deleted',
  'new-device',
  'passkey-link',
  'substitute-request',
  'office-report',
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

/** A recorded change to attendance. Its timestamp is truncated to the day after 14 days. */
const change = v.strictObject({
  ...course,
  heldAt: instant,
  /** recorded attendance; null if the record was withdrawn */
  isPresent: v.nullable(v.boolean()),
  recordedAt: instant,
  arrivedAt: instant,
})

const { password, confirmPassword, status, message, ...profile } = webUser.entries

export const personalData = v.strictObject({
  account: v.strictObject({
    state: accountState,
    /** when the department confirmed the status and personnel number */
    knownAt: instant,
    language,
    registeredAt: instant,
    activatedAt: instant,
    lastBookedAt: instant,
    division: v.nullable(v.string()),
    isPasswordToChange: v.boolean(),
    /** when the password that was sent by e-mail expires */
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
  /** data about the person as an instructor; null for everyone else */
  instructor: v.nullable(
    v.strictObject({
      ...instructorProfile.entries,
      yearOfBirth: v.nullable(v.number()),
      licence: v.string(),
      licenceUntil: v.nullable(v.string()),
      /** euros */
      hourlyFee: v.number(),
      /** course numbers */
      coursesTaught: v.array(v.string()),
      /** days on which the person is absent, as entered by the department */
      absences: v.array(v.strictObject({ from: v.string(), to: v.string() })),
      /** lessons that the person was asked to take over as a substitute; `answer` is null if there was none */
      substituteRequests: v.array(
        v.strictObject({
          course: v.string(),
          at: instant,
          until: instant,
          answer: v.nullable(v.string()),
          answeredAt: instant,
        }),
      ),
      attendanceChangesRecorded: v.number(),
      /** all attendance changes that the instructor recorded, without the participants' names */
      changesRecorded: v.array(change),
    }),
  ),
  consents: v.array(
    v.strictObject({ kind: v.picklist(CONSENT_KINDS), version: v.string(), givenAt: instant, withdrawnAt: instant }),
  ),
  bookings: v.array(
    v.strictObject({
      ...course,
      startsOn: instant,
      endsOn: instant,
      state: v.picklist(['booked', 'waiting list']),
      priceEuro: v.number(),
      /** price rule and billing data, as copied to the booking */
      priceRule: v.picklist(['fee', 'external']),
      /** price once the account is verified; null if it does not change */
      priceEuroOnceVerified: v.nullable(v.number()),
      employeeStatus: v.nullable(employeeStatus),
      personnelNumber: v.string(),
      ownerPersonnelNumber: v.string(),
      billingType: v.nullable(billingType),
      divisionId: v.nullable(id),
      /** whether the department had confirmed the status and personnel number */
      isPersonKnown: v.boolean(),
      bookedAt: instant,
      placeFreedAt: instant,
      cancelledAt: instant,
      /** amount due after the cancellation: the rule, and the amount in euros */
      charge: v.string(),
      chargeEuro: v.number(),
      /** lessons that the person has announced not to attend */
      absencesAnnounced: v.array(v.string()),
    }),
  ),
  /** places of single lessons that the person has freed, or taken as a guest */
  guestPlaces: v.array(
    v.strictObject({
      ...course,
      heldAt: instant,
      kind: v.picklist(['freed', 'taken']),
      offeredAt: instant,
      takenAt: instant,
    }),
  ),
  attendance: v.array(v.strictObject({ ...course, heldAt: instant, isPresent: v.boolean(), recordedAt: instant })),
  /** all recorded changes to attendance, including those that were corrected later */
  attendanceChanges: v.array(
    v.strictObject({
      ...change.entries,
      /** name of the instructor who recorded the change; null if they are no longer an instructor */
      recordedBy: v.nullable(v.string()),
    }),
  ),
  messages: v.array(
    v.strictObject({
      createdAt: instant,
      title: v.string(),
      text: v.string(),
      documentName: v.string(),
      /** URL of the document, valid for this session; '' if there is no document */
      documentAddress: v.string(),
      seenAt: instant,
    }),
  ),
  /** messages to the person alone that the department has not sent yet */
  unsentMessages: v.array(
    v.strictObject({
      title: v.string(),
      title2: v.string(),
      text: v.string(),
      text2: v.string(),
      /** null: a draft */
      sendAt: instant,
      changedAt: instant,
    }),
  ),
  /** the person's calendar feed; null if there is none */
  calendarFeed: v.nullable(v.strictObject({ madeAt: instant })),
  follows: v.array(
    v.strictObject({ kind: v.picklist(FOLLOWED_ITEM_KINDS), id, name: v.string(), followedAt: instant }),
  ),
  /** notification preferences; null if not chosen yet */
  reminders: v.nullable(v.strictObject({ ...reminders.entries, changedAt: instant })),
  /** browsers subscribed to push messages */
  pushDevices: v.array(v.strictObject({ endpoint: v.string(), createdAt: instant })),
  /** reminders sent to the person */
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
  /** browsers in which the person has logged in, without their identifying tokens */
  devices: v.array(v.strictObject({ createdAt: instant, lastUsedAt: instant })),
  /** which of status, numbers and billing changed, but not the old or new values */
  accountChanges: v.array(
    v.strictObject({
      changedAt: instant,
      actor: v.picklist(['person', 'import']),
      /** list of what changed: status, personnelNumber, ownerPersonnelNumber, billing, division */
      kinds: v.string(),
    }),
  ),
  /** the person's rights in the office UI; `isPending`: granted once the first login accepts the invitation */
  rights: v.array(v.strictObject({ right: v.string(), grantedAt: instant, isPending: v.boolean() })),
  /** linked single sign-on accounts */
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
  /** printed letters that replaced e-mails */
  letters: v.array(v.strictObject({ kind: v.string(), language: v.string(), createdAt: instant, printedAt: instant })),
  /** access log: members of the department and instructors who viewed the person's data */
  reads: v.array(v.strictObject({ readAt: instant, reader: v.string(), call: v.string() })),
  /** valid links that were sent by e-mail, without their secrets */
  links: v.array(
    v.strictObject({
      purpose: v.picklist(['activation', 'new-email', 'undo', 'passkey', 'merge']),
      newEmail: v.nullable(v.string()),
      createdAt: instant,
      expiresAt: instant,
    }),
  ),
  /** e-mails to the person; login links and passwords in them are replaced by … */
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
  /** security events, retained for some days to detect attacks */
  securityEvents: v.array(
    v.strictObject({ kind: v.picklist(SECURITY_EVENTS), address: v.string(), happenedAt: instant }),
  ),
})
export type PersonalData = v.InferOutput<typeof personalData>

export const exportPersonalData = endpoint('session', 'GET', '/api/webuser/data', { response: personalData })
