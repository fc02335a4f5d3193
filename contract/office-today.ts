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

/** Fields required before an amount can be billed through payroll or by invoice. */
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
    /** rights programme, bookings: lessons of today and tomorrow */
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
    /** rights programme, bookings: lessons of the last two weeks without recorded attendance */
    unrecorded: listed({ ...lesson, booked: number }),
    /** right programme: courses below their minimum that are to be decided on within a week, or already were to be */
    decisions: listed({
      courseId: number,
      version: number,
      number: text,
      name: text,
      name2: text,
      booked: number,
      minParticipants: number,
      /** 'YYYY-MM-DD'; the first day without one */
      decideOn: text,
    }),
    /** right programme: absences with lessons to come of which all instructors are away; `at`: the first of them */
    absences: listed({
      absenceId: number,
      instructorEmail: text,
      name: text,
      from: text,
      to: text,
      lessons: number,
      at: text,
    }),
    /** right bookings: people reachable only by a letter that is not printed yet */
    call: listed({ webUserId: number, name: text, phone: text, about: text, letterId: number, at: text }),
    /** right bookings: booked people whose personnel number is not verified for payroll */
    unverified: listed({ webUserId: number, version: number, name: text, personnelNumber: text }),
    /** right bookings: places and charges of a year without a complete payer; `missing`: the first missing field */
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
     * right bookings: single sign-on logins refused because the provider sent a personnel number that differs from the
     * verified account with that address
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
     * right bookings: mails, pushes and webhook events suspended since a restore until the operator releases them;
     * missing if none
     */
    held: v.optional(v.object({ since: text, mails: number })),
    /** right bookings: SCIM removals are refused, as half of the people were removed within 24 hours; else missing */
    directoryRemovals: v.optional(v.object({ active: number, removed: number })),
    /** right bookings: mails delayed by more than ten minutes, or given up */
    mails: listed({ webUserId: v.nullable(number), name: text, at: text, isGivenUp: v.boolean() }),
    /** right bookings: walk-in guests without a booking */
    guests: listed({
      guestId: text,
      name: text,
      courseId: number,
      courseName: text,
      at: text,
      freePlaces: number,
      accounts: v.array(v.object({ webUserId: number, name: text, email: text })),
    }),
    /** right programme: lessons of the next seven days in one room, or with one instructor, at the same time */
    clashes: listed({
      ...lesson,
      otherCourseId: number,
      /** number and name */
      otherCourse: text,
      /** name of the room or the instructor */
      shared: text,
    }),
    /** rights programme, bookings: current courses of published seasons */
    figures: v.optional(
      v.object({
        courses: number,
        places: number,
        booked: number,
        waiting: number,
        /** courses with a waiting list */
        waitingCourses: number,
        /** of lessons recorded within four weeks: bookings, and how many of them were present */
        expected: number,
        present: number,
        /** new bookings of each of the last 28 days, oldest first */
        daily: v.array(number),
      }),
    ),
    /** until the first season with a course is published: what exists */
    setup: v.optional(
      v.object({
        officers: number,
        categories: number,
        seasons: number,
        courses: number,
        seasonId: v.nullable(number),
      }),
    ),
    /** right programme: booking openings of the next two weeks */
    openings: listed({ seasonId: number, name: text, name2: text, at: text, courses: number }),
  }),
})
