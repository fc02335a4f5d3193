import * as v from 'valibot'
import { MESSAGE_RECIPIENTS, messageFilter, SAVED_MESSAGE_STATES } from '../acts/messages.ts'
import { endpoint } from '../endpoint.ts'
import { personalData } from '../endpoints/personal-data.ts'
import { dateField } from '../tables/field-schemas.ts'
import { profileResponseEntries } from '../tables/person.ts'
import { accountState, bookingStatus, formOfAddress, idParam, idParams, language, right } from '../values.ts'
import {
  cancellationChargeFields,
  cancellationTermsFields,
  pageSchemaOf,
  pagingByIdQuery,
  pagingByTextQuery,
} from './office.ts'

const text = v.string()
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const number = v.number()
/** 'YYYY-MM-DDTHH:mm' in the portal's time zone; null if it has not happened (yet) */
const moment = v.nullable(text)

const { password, confirmPassword, email, bkkNumber, ...profile } = profileResponseEntries

/** Printed letter that is sent instead of an e-mail. */
export const letter = v.object({ id: number, subject: text, createdAt: text, printedAt: moment })
export type OfficeLetter = v.InferOutput<typeof letter>

const bookingOfPerson = v.object({
  courseId: number,
  number: text,
  name: text,
  name2: text,
  start: text,
  end: text,
  /** status of the booking; 0 if the booking or waiting-list entry has ended */
  bookingStatus,
  /** position on the waiting list; 0 if not waiting */
  position: number,
  since: text,
  endedAt: moment,
  price: number,
  ...cancellationChargeFields,
  ...cancellationTermsFields,
  /** number of past lessons, and the number of those that the person attended */
  held: number,
  present: number,
})
const guestLesson = v.object({
  courseId: number,
  number: text,
  name: text,
  name2: text,
  at: text,
  /** null if nothing was recorded */
  isPresent: v.nullable(v.boolean()),
})
export type GuestLesson = v.InferOutput<typeof guestLesson>

export type BookingOfPerson = v.InferOutput<typeof bookingOfPerson>

/** Fields visible to a user who has the `owner` right but not `bookings`. All other fields require `bookings`. */
const seenByOwner = { id: number, name: text, email: text }

export const getOfficePerson = endpoint('office', 'GET', '/api/office/people/:id', {
  scopes: ['lists'],
  rights: ['bookings', 'owner'],
  namesPeople: true,
  params: idParams,
  response: v.object({
    ...seenByOwner,
    ...v.partial(
      v.object({
        version: number,
        state: accountState,
        /**
         * whether the HR list contains the personnel number or the department has confirmed it; otherwise the person is
         * excluded from payroll
         */
        isVerified: v.boolean(),
        /** whether this person pays through payroll, under their own personnel number */
        isOnPayroll: v.boolean(),
        isInstructor: v.boolean(),
        language,
        division: text,
        lastLoginAt: moment,
        /** `formOfAddress` is null if not given */
        profile: v.object({
          ...profile,
          formOfAddress: v.nullable(formOfAddress),
          /** requires the `billing` right */
          bkkNumber: v.optional(bkkNumber),
        }),
        /** sent to API clients only, instead of `profile` and the fields below */
        payer: v.object({
          employeeStatus: v.nullable(number),
          personnelNumber: text,
          ownerPersonnelNumber: text,
          billingType: v.nullable(number),
          street: text,
          zip: text,
          city: text,
        }),
        rights: v.array(right),
        /** rights that the person gets with the first login */
        pending: v.array(right),
        bookings: v.array(bookingOfPerson),
        /** lessons of which the person is or was a guest, in a place that a seat holder freed; newest first */
        guestLessons: v.array(guestLesson),
        /** messages with an attached document */
        documents: v.array(v.object({ id: number, title: text, documentName: text, createdAt: text, seenAt: moment })),
        letters: v.array(letter),
        /** other accounts with the same personnel number, or with the same name and year of birth */
        similar: v.array(v.object(seenByOwner)),
      }),
    ).entries,
  }),
})

/** Sources of a person's timeline. */
export const TIMELINE_KINDS = ['act', 'mail', 'letter', 'message', 'booking', 'money'] as const

export const listTimeline = endpoint('office', 'GET', '/api/office/people/:id/timeline', {
  rights: ['bookings'],
  namesPeople: true,
  params: idParams,
  query: v.object(pagingByTextQuery),
  response: pageSchemaOf(
    v.object({
      key: text,
      at: text,
      kind: v.picklist(TIMELINE_KINDS),
      /** kind of the act, e-mail, booking event or ledger entry; '' for messages */
      event: text,
      /** name of the actor; '' for others than acts, and for commands */
      by: text,
      /** text or reason of the act, subject of the e-mail, letter or message */
      text,
      courseId: v.nullable(number),
      course: text,
      course2: text,
      /** amount of a ledger entry in euros; null for others */
      amount: v.nullable(number),
      /** whether an e-mail was sent, a letter printed or a message read; null for others */
      isDone: v.nullable(v.boolean()),
    }),
  ),
})

export const getOfficePersonData = endpoint('office', 'GET', '/api/office/people/:id/data', {
  rights: ['bookings'],
  namesPeople: true,
  params: idParams,
  response: personalData,
})

export const listEligible = endpoint('office', 'GET', '/api/office/eligible', {
  rights: ['bookings'],
  query: v.object(pagingByTextQuery),
  response: pageSchemaOf(
    v.object({
      personnelNumber: text,
      divisionId: v.nullable(number),
      employeeStatus: v.nullable(number),
      /** id of the account with this number; null if there is none */
      webUserId: v.nullable(number),
    }),
  ),
})

export const listLetters = endpoint('office', 'GET', '/api/office/letters', {
  rights: ['bookings'],
  namesPeople: true,
  query: v.object(pagingByIdQuery),
  response: pageSchemaOf(v.object({ ...letter.entries, webUserId: number, name: text })),
})

const savedMessage = v.object({
  id: number,
  state: v.picklist(SAVED_MESSAGE_STATES),
  sendAt: moment,
  /** why the message was not sent as scheduled; otherwise '' */
  problem: text,
  to: v.nullable(v.picklist(MESSAGE_RECIPIENTS)),
  toId: v.nullable(number),
  /** set if the recipients are those of a filter */
  filter: v.optional(v.nullable(messageFilter)),
  /** name of the recipient, if registered; otherwise '' */
  name: text,
  title: text,
  title2: text,
  text,
  text2: text,
  mail: v.boolean(),
})
export type SavedMessage = v.InferOutput<typeof savedMessage>

const sentMessage = v.object({
  recordId: number,
  at: text,
  /** title of the message; '' if it has been erased */
  title: text,
  people: number,
  /**
   * numbers of e-mails that the recipients' mail servers accepted, that are queued, and that were permanently refused
   */
  delivered: number,
  waiting: number,
  refused: number,
})
export type SentMessage = v.InferOutput<typeof sentMessage>

export const listDeskMessages = endpoint('office', 'GET', '/api/office/messages', {
  rights: ['bookings'],
  namesPeople: true,
  response: v.object({ saved: v.array(savedMessage), sent: v.array(sentMessage) }),
})

export const listMessageDeliveries = endpoint('office', 'GET', '/api/office/messages/:id/deliveries', {
  rights: ['bookings'],
  namesPeople: true,
  params: idParams,
  response: v.object({
    items: v.array(
      v.object({
        /** id of the account; null if the account was deleted or an instructor has none */
        webUserId: v.nullable(number),
        name: text,
        state: v.picklist(['delivered', 'waiting', 'refused']),
        at: moment,
        /** response of the mail server */
        reason: text,
      }),
    ),
  }),
})

export const getLetter = endpoint('office', 'GET', '/api/office/letters/:id', {
  isCostly: true,
  rights: ['bookings'],
  namesPeople: true,
  params: idParams,
  response: { file: 'application/pdf' },
})

export const OFFICE_LIST_NAMES = [
  'bookings',
  'waiting',
  'participants',
  'attendance',
  'utilisation',
  'hours',
  'timesheet',
  'yearly',
] as const
export type OfficeListName = (typeof OFFICE_LIST_NAMES)[number]

export const getOfficeList = endpoint('office', 'GET', '/api/office/lists/:file', {
  isCostly: true,
  scopes: ['lists'],
  rights: ['bookings', 'billing'],
  namesPeople: true,
  params: v.object({ file: text }),
  query: v.object({ seasonId: v.optional(idParam) }),
  response: { file: 'text/csv', or: XLSX },
})

const gateList = {
  isCostly: true,
  rights: ['programme', 'bookings'],
  namesPeople: true,
  query: v.object({
    /** defaults to today */
    date: v.optional(dateField),
    /** defaults to all sites */
    site: v.optional(v.pipe(text, v.maxLength(200))),
  }),
} as const

/** Lists the people who have a lesson at a site on a given day, for plant security: name, status and billing type. */
export const getGateList = endpoint('office', 'GET', '/api/office/lists/gate.pdf', {
  ...gateList,
  response: { file: 'application/pdf' },
})

export const getGateTable = endpoint('office', 'GET', '/api/office/lists/gate.csv', {
  ...gateList,
  response: { file: 'text/csv' },
})

/** Billing data of a booking, identified by the ids that webhooks contain. */
const billedBooking = v.object({
  bookingId: number,
  courseId: number,
  webUserId: number,
  /** 0: ended */
  bookingStatus,
  since: text,
  endedAt: moment,
  employeeStatus: v.nullable(number),
  personnelNumber: text,
  ownerPersonnelNumber: text,
  division: text,
  billingType: v.nullable(number),
  fee: number,
  energyFee: number,
  charge: cancellationChargeFields.charge,
  amount: number,
  isVerified: v.boolean(),
  isOnPayroll: v.boolean(),
})
export type BilledBooking = v.InferOutput<typeof billedBooking>

export const LISTED_BOOKING_STATES = ['booked', 'waiting', 'ended'] as const

/** A booking in a list; the names are absent from responses to API clients. */
const listedBooking = v.object({
  ...billedBooking.entries,
  name: v.optional(text),
  number: v.optional(text),
  courseName: v.optional(text),
  courseName2: v.optional(text),
})

/**
 * Cluster, transaction and id of the booking changed last. The numbers of digits keep the parts within PostgreSQL's
 * `xid8` and `bigint`.
 */
const changeCursor = v.optional(v.pipe(text, v.regex(/^\d{1,20}\.\d{1,19}\.\d{1,15}$/)))

export const listOfficeBookings = endpoint('office', 'GET', '/api/office/bookings', {
  isCostly: true,
  scopes: ['lists'],
  rights: ['bookings', 'billing'],
  namesPeople: true,
  query: v.object({
    limit: pagingByIdQuery.limit,
    after: changeCursor,
    changedSince: changeCursor,
    state: v.optional(v.picklist(LISTED_BOOKING_STATES)),
    seasonId: v.optional(idParam),
    courseId: v.optional(idParam),
    /** first and last day on which the booking was made */
    from: v.optional(dateField),
    to: v.optional(dateField),
    current: v.optional(v.literal('1')),
    newest: v.optional(v.literal('1')),
  }),
  response: v.object({ ...pageSchemaOf(listedBooking).entries, cursor: text }),
})

export const getOfficeBooking = endpoint('office', 'GET', '/api/office/bookings/:id', {
  scopes: ['lists'],
  rights: ['bookings', 'billing'],
  namesPeople: true,
  params: idParams,
  response: billedBooking,
})

export const readOfficeTable = endpoint('office', 'POST', '/api/office/tables/read', {
  rights: ['bookings'],
  takesFile: { burst: 100, perMinute: 60 },
  maxBytes: 16 * 1024 * 1024,
  response: v.object({
    sheet: text,
    rows: v.array(v.array(text)),
    /** missing in responses of older servers */
    hiddenRows: v.optional(v.array(v.number())),
    otherSheets: v.array(text),
  }),
})

export const writeOfficeTable = endpoint('office', 'POST', '/api/office/tables/write', {
  body: v.object({
    name: v.pipe(text, v.minLength(1), v.maxLength(200)),
    rows: v.pipe(
      v.array(v.pipe(v.array(v.union([v.pipe(text, v.maxLength(32_000)), number])), v.maxLength(100))),
      v.minLength(1),
      v.maxLength(50_000),
    ),
  }),
  maxBytes: 8 * 1024 * 1024,
  response: { file: XLSX },
})

const filled = { key: text, courses: number, places: number, booked: number, waiting: number }

export const getUtilisation = endpoint('office', 'GET', '/api/office/utilisation', {
  rights: ['bookings', 'billing', 'programme'],
  query: v.object({ seasonId: v.optional(idParam) }),
  response: v.object({
    /** occupancy by category: `key` is the category's id, `name` and `name2` are its names */
    category: v.array(v.object({ ...filled, name: text, name2: text })),
    site: v.array(v.object(filled)),
    weekday: v.array(v.object(filled)),
    hour: v.array(v.object(filled)),
  }),
})
