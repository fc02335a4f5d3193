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

/** What an amount needs before payroll or an invoice can take it. */
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
    /** programme, bookings: today's and tomorrow's */
    lessons: listed({
      ...lesson,
      version: number,
      endTime: text,
      state: v.picklist(['planned', 'cancelled']),
      room: text,
      booked: number,
    }),
    /** programme, bookings: held within two weeks, and nobody recorded who was there */
    unrecorded: listed({ ...lesson, booked: number }),
    /** bookings: told something that a letter alone brings, which has not been printed yet */
    call: listed({ webUserId: number, name: text, phone: text, about: text, letterId: number, at: text }),
    /** bookings: booked, and not known to payroll */
    unverified: listed({ webUserId: number, version: number, name: text, personnelNumber: text }),
    /** bookings: paid places and charges of a year that nobody can be billed for; `missing`: the first field that lacks */
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
    /** bookings: company logins refused because the provider sent another personnel number for the address of a verified account */
    numberConflicts: listed({
      webUserId: number,
      version: number,
      name: text,
      email: text,
      /** of the account */
      personnelNumber: text,
      /** as the company's provider sent it */
      otherNumber: text,
    }),
    /** bookings: mails, pushes and webhook calls wait since a restore, until the operator releases them; missing: they do not */
    held: v.optional(v.object({ since: text, mails: number })),
    /** bookings: not sent for ten minutes, or given up */
    mails: listed({ webUserId: v.nullable(number), name: text, at: text, isGivenUp: v.boolean() }),
    /** bookings: at the door and not on the list */
    guests: listed({
      guestId: text,
      name: text,
      courseId: number,
      courseName: text,
      at: text,
      freePlaces: number,
      accounts: v.array(v.object({ webUserId: number, name: text, email: text })),
    }),
    /** programme: of the next two weeks */
    openings: listed({ seasonId: number, name: text, name2: text, at: text, courses: number }),
  }),
})
