import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { pagingByIdQuery } from './office.ts'

const text = v.string()
const number = v.number()
const listed = <Fields extends v.ObjectEntries>(fields: Fields) => v.optional(v.array(v.object(fields)))
const lesson = {
  courseDateId: number,
  courseId: number,
  number: text,
  name: text,
  name2: text,
  at: text,
  instructor: text,
}

/** Profile fields that must be filled in before an amount can be billed via payroll or invoice. */
export const BILLING_PROFILE_FIELDS = [
  'employeeStatus',
  'billingType',
  'personnelNumber',
  'ownerPersonnelNumber',
  'street',
  'zip',
  'city',
] as const

/** Lists of tasks, in the order in which *Today* shows them. */
export const TODAY_TASKS = [
  'call',
  'clashes',
  'absences',
  'substitutes',
  'closures',
  'guests',
  'mails',
  'withoutPayer',
  'numberConflicts',
  'unverified',
  'passedOver',
  'decisions',
  'licences',
  'unrecorded',
  'openings',
] as const
export type TodayTask = (typeof TODAY_TASKS)[number]

export const getToday = endpoint('office', 'GET', '/api/office/today', {
  namesPeople: true,
  query: v.object({ ...pagingByIdQuery, all: v.optional(v.picklist(TODAY_TASKS)) }),
  response: v.object({
    /** number of tasks by list; each list contains the first 50 of them */
    totals: v.record(text, number),
    /** with `all`: number of tasks up to the end of this page; null on the last page */
    next: v.optional(v.nullable(text)),
    /** 'YYYY-MM-DD' */
    date: text,
    /** lessons of today and tomorrow; requires the `programme` or `bookings` right */
    lessons: listed({
      ...lesson,
      version: number,
      endTime: text,
      state: v.picklist(['planned', 'cancelled']),
      room: text,
      site: text,
      places: number,
      booked: number,
    }),
    /** past lessons of unsettled courses without recorded attendance; requires the `programme` or `bookings` right */
    unrecorded: listed({
      ...lesson,
      booked: number,
      /** day on which the instructors were last reminded, 'YYYY-MM-DD' */
      remindedOn: v.nullable(text),
    }),
    /**
     * unconfirmed courses with a minimum number of participants for which the decision whether they take place is
     * overdue or due within a week; requires the `programme` right
     */
    decisions: listed({
      courseId: number,
      version: number,
      number: text,
      name: text,
      name2: text,
      booked: number,
      minParticipants: number,
      /** day on which the decision is due, 'YYYY-MM-DD'; defaults to the first day of the course */
      decideOn: text,
    }),
    /**
     * instructors who teach future lessons and whose licence has ended or ends within six weeks; requires the
     * `programme` right
     */
    licences: listed({
      instructorEmail: text,
      name: text,
      licence: text,
      /** last day of the licence, 'YYYY-MM-DD' */
      until: text,
      /** number of future lessons, and of those after that day */
      lessons: number,
      uncovered: number,
    }),
    /**
     * absences that leave future lessons without an instructor; `at` is the start of the first such lesson; requires
     * the `programme` right
     */
    absences: listed({
      absenceId: number,
      instructorEmail: text,
      name: text,
      from: text,
      to: text,
      lessons: number,
      courseDateIds: v.array(number),
      at: text,
    }),
    /**
     * future lessons for which instructors were asked to be the substitute and nobody has accepted, although the time is
     * over or all have declined; `until` is the end of the time, 'YYYY-MM-DDTHH:mm'; requires the `programme` right
     */
    substitutes: listed({ ...lesson, asked: number, declined: number, until: text }),
    /**
     * closed rooms or sites in which future lessons are still planned; `at` is the start of the first such lesson;
     * requires the `programme` right
     */
    closures: listed({
      closureId: number,
      roomIds: v.array(number),
      site: text,
      name: text,
      from: text,
      to: text,
      lessons: number,
      at: text,
    }),
    /** people who can only be reached by a letter that has not been printed yet; requires the `bookings` right */
    call: listed({ webUserId: number, name: text, phone: text, about: text, letterId: number, at: text }),
    /** participants whose personnel number is not verified for payroll; requires the `bookings` right */
    unverified: listed({ webUserId: number, version: number, name: text, personnelNumber: text }),
    /**
     * people on the waiting list who are passed over, because the account is locked, or because the division is
     * online-only and the course is not; requires the `bookings` right
     */
    passedOver: listed({
      webUserId: number,
      name: text,
      courseId: number,
      number: text,
      courseName: text,
      courseName2: text,
      why: v.picklist(['locked', 'onlineOnly']),
    }),
    /**
     * amounts due for bookings of the past twelve months whose billing data is incomplete; `missing` is the first
     * missing field; requires the `bookings` right
     */
    withoutPayer: listed({
      webUserId: number,
      name: text,
      courseId: number,
      number: text,
      courseName: text,
      courseName2: text,
      amount: number,
      missing: v.picklist(BILLING_PROFILE_FIELDS),
    }),
    /**
     * single sign-on logins that were refused because the provider sent a personnel number other than that of the
     * verified account with this e-mail address; requires the `bookings` right
     */
    numberConflicts: listed({
      webUserId: number,
      version: number,
      name: text,
      email: text,
      /** personnel number of the account */
      personnelNumber: text,
      /** personnel number sent by the provider */
      otherNumber: text,
    }),
    /**
     * e-mails, push messages and webhook events that have been suspended since a restore until the operator releases
     * them; missing if there are none; requires the `bookings` right
     */
    held: v.optional(v.object({ since: text, mails: number })),
    /**
     * the configured PUBLIC_URL, if people open the portal at another URL; otherwise missing; requires the `bookings`
     * right
     */
    wrongAddress: v.optional(text),
    /**
     * set if the end of the audit log is not stored outside the database, or no longer matches it; otherwise missing;
     * requires the `record` or `owner` right
     */
    isAuditAnchorOutdated: v.optional(v.literal(true)),
    /**
     * set if the portal refuses further removals via SCIM because half of the people were removed within 24 hours;
     * requires the `bookings` right
     */
    directoryRemovals: v.optional(v.object({ active: number, removed: number })),
    /** e-mails that are delayed by more than ten minutes or are no longer retried; requires the `bookings` right */
    mails: listed({ webUserId: v.nullable(number), name: text, at: text, isGivenUp: v.boolean() }),
    /** walk-in guests without a booking; requires the `bookings` right */
    guests: listed({
      guestId: text,
      name: text,
      courseId: number,
      courseName: text,
      at: text,
      freePlaces: number,
      accounts: v.array(v.object({ webUserId: number, name: text, email: text })),
    }),
    /**
     * lessons of the next seven days that need the same room or instructor at the same time; requires the `programme`
     * right
     */
    clashes: listed({
      ...lesson,
      otherCourseId: number,
      /** number and name */
      otherCourse: text,
      /** name of the room or instructor that the lessons share */
      shared: text,
    }),
    /** figures for the current courses of published seasons; requires the `programme` or `bookings` right */
    figures: v.optional(
      v.object({
        courses: number,
        places: number,
        booked: number,
        waiting: number,
        /** number of courses with a waiting list */
        waitingCourses: number,
        /**
         * for lessons of the past four weeks with recorded attendance: number of bookings, and number of those people
         * who were present
         */
        expected: number,
        present: number,
        /** number of new bookings on each of the past 28 days, oldest first */
        daily: v.array(number),
      }),
    ),
    /**
     * progress of the initial setup, as numbers of existing objects; missing once a season with a course is published
     */
    setup: v.optional(
      v.object({
        officers: number,
        categories: number,
        seasons: number,
        courses: number,
        seasonId: v.nullable(number),
      }),
    ),
    /** seasons in which booking of courses starts within the next two weeks; requires the `programme` right */
    openings: listed({ seasonId: number, name: text, name2: text, at: text, courses: number }),
  }),
})
