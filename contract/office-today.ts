import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

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

/** Profile fields required before an amount can be billed through payroll or by invoice. */
export const PAYER_FIELDS = [
  'employeeStatus',
  'billingType',
  'personnelNumber',
  'ownerPersonnelNumber',
  'street',
  'zip',
  'city',
] as const

export const getToday = endpoint('office', 'GET', '/api/office/today', {
  namesPeople: true,
  response: v.object({
    /** 'YYYY-MM-DD' */
    date: text,
    /** (rights programme, bookings) lessons of today and tomorrow */
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
    /** (rights programme, bookings) lessons of the last two weeks without recorded attendance */
    unrecorded: listed({ ...lesson, booked: number }),
    /**
     * (right programme) courses with fewer bookings than their minimum whose decision is due within a week or overdue
     */
    decisions: listed({
      courseId: number,
      version: number,
      number: text,
      name: text,
      name2: text,
      booked: number,
      minParticipants: number,
      /** day on which the decision is due, 'YYYY-MM-DD'; the first day if none is set */
      decideOn: text,
    }),
    /**
     * (right programme) absences that leave future lessons without an instructor; `at`: start of the first such lesson
     */
    absences: listed({
      absenceId: number,
      instructorEmail: text,
      name: text,
      from: text,
      to: text,
      lessons: number,
      at: text,
    }),
    /** (right bookings) people who can only be reached by a letter that is not printed yet */
    call: listed({ webUserId: number, name: text, phone: text, about: text, letterId: number, at: text }),
    /** (right bookings) booked people whose personnel number is not verified for payroll */
    unverified: listed({ webUserId: number, version: number, name: text, personnelNumber: text }),
    /**
     * (right bookings) places and charges of the last twelve months whose payer is incomplete; `missing`: the first
     * missing field
     */
    withoutPayer: listed({
      webUserId: number,
      name: text,
      courseId: number,
      number: text,
      courseName: text,
      courseName2: text,
      amount: number,
      missing: v.picklist(PAYER_FIELDS),
    }),
    /**
     * (right bookings) single sign-on logins that were refused because the provider sent a personnel number other than
     * that of the verified account with this e-mail address
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
     * (right bookings) mails, push messages and webhook events that are suspended since a restore, until the operator
     * releases them; missing if there are none
     */
    held: v.optional(v.object({ since: text, mails: number })),
    /** (right bookings) PUBLIC_URL, when people open the portal at another address; otherwise missing */
    wrongAddress: v.optional(text),
    /**
     * (right bookings) the portal refuses further removals by SCIM, because half of the people were removed within 24
     * hours; otherwise missing
     */
    directoryRemovals: v.optional(v.object({ active: number, removed: number })),
    /** (right bookings) mails that are delayed by more than ten minutes, or were given up */
    mails: listed({ webUserId: v.nullable(number), name: text, at: text, isGivenUp: v.boolean() }),
    /** (right bookings) walk-in guests without a booking */
    guests: listed({
      guestId: text,
      name: text,
      courseId: number,
      courseName: text,
      at: text,
      freePlaces: number,
      accounts: v.array(v.object({ webUserId: number, name: text, email: text })),
    }),
    /** (right programme) lessons of the next seven days that use the same room or instructor at the same time */
    clashes: listed({
      ...lesson,
      otherCourseId: number,
      /** number and name */
      otherCourse: text,
      /** name of the room or instructor that the lessons share */
      shared: text,
    }),
    /** (rights programme, bookings) figures of the current courses of published seasons */
    figures: v.optional(
      v.object({
        courses: number,
        places: number,
        booked: number,
        waiting: number,
        /** number of courses with a waiting list */
        waitingCourses: number,
        /**
         * lessons recorded within the last four weeks: number of bookings, and how many of these people were present
         */
        expected: number,
        present: number,
        /** number of new bookings on each of the last 28 days, oldest first */
        daily: v.array(number),
      }),
    ),
    /** progress of the initial setup: number of existing objects; missing once a season with a course is published */
    setup: v.optional(
      v.object({
        officers: number,
        categories: number,
        seasons: number,
        courses: number,
        seasonId: v.nullable(number),
      }),
    ),
    /** (right programme) booking openings of the next two weeks */
    openings: listed({ seasonId: number, name: text, name2: text, at: text, courses: number }),
  }),
})
