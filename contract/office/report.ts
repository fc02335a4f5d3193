import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { count, employeeStatus, idParam, signedMoney, weekday } from '../values.ts'

const text = v.string()
const number = v.number()

/** Minimum number of people in a group of the report. Smaller groups are hidden for privacy. */
export const MIN_REPORTED_GROUP_SIZE = 5

/** Minutes after the start of booking at which the report counts bookings, from one minute to half a year. */
export const BOOKING_START_REPORT_MINUTES = [
  1, 2, 5, 10, 20, 30, 60, 120, 240, 480, 1_440, 2_880, 5_760, 10_080, 20_160, 40_320, 80_640, 129_600, 259_200,
] as const

const ofCourse = { courseId: number, number: text, name: text, name2: text }
const groupSize = v.nullable(count)
const bookingSteps = v.array(v.object({ minutes: count, count }))

/** Figures of a season, in the order in which the report plots them (money.md section 7). */
export const seasonFigures = {
  /** number of seats taken when the lessons began, for past lessons */
  utilisation: v.array(
    v.object({ ...ofCourse, courseCategoryId: number, lessons: count, places: count, taken: count }),
  ),
  /** number of courses by the weekday and hour of their lessons; each course is counted once */
  demand: v.array(v.object({ weekday, hour: count, places: count, booked: count, waiting: count })),
  /** total hours of lessons by room, or by venue if there is no room (`roomId` is null) */
  rooms: v.array(v.object({ roomId: v.nullable(number), name: text, site: text, weekday, hours: number })),
  /** people who were on the waiting list and never received a seat */
  waiting: v.array(v.object({ ...ofCourse, places: count, waiting: count })),
  /** cumulative number of bookings and waiting-list entries, by minutes since booking opened */
  bookings: v.object({ season: bookingSteps, against: v.nullable(bookingSteps) }),
  /** attendance by lesson number within the course, starting at 1 */
  attendance: v.array(v.object({ lesson: count, present: count, absent: count, excused: count, unrecorded: count })),
  /** recorded attendance, excluding excused lessons: the no-show rate is `absent` / (`present` + `absent`) */
  noShows: v.array(v.object({ ...ofCourse, present: count, absent: count })),
  /** number of cancelled bookings by days before the first lesson; negative days are after it */
  cancellations: v.array(v.object({ days: number, count })),
  /** people with a seat, by group; `count` is null if it is hidden for privacy */
  participants: v.object({
    total: groupSize,
    /** age at the start of the season in ten-year bands; null if unknown */
    age: v.array(v.object({ from: v.nullable(count), count: groupSize })),
    status: v.array(v.object({ employeeStatus: v.nullable(employeeStatus), count: groupSize })),
    division: v.array(v.object({ divisionId: v.nullable(number), name: text, count: groupSize })),
  }),
  /** amounts in euros; `charged` = `waived` + `refunded` + `paid` + `open` */
  money: v.object({
    charged: signedMoney,
    waived: signedMoney,
    refunded: signedMoney,
    payroll: signedMoney,
    invoiced: signedMoney,
    paid: signedMoney,
    open: signedMoney,
    /** open amounts that payroll has not accepted yet, and of invoices that are not paid yet; missing in older reports */
    payrollOpen: v.optional(signedMoney),
    invoicedOpen: v.optional(signedMoney),
  }),
}

export const getReport = endpoint('office', 'GET', '/api/office/report', {
  rights: ['billing'],
  query: v.object({ seasonId: idParam, against: v.optional(idParam) }),
  response: v.object({
    /** 'YYYY-MM-DDTHH:mm' at which the season's figures were frozen; null if the figures are current */
    closedAt: v.nullable(text),
    ...seasonFigures,
  }),
})

export const listOddsOutcomes = endpoint('office', 'GET', '/api/office/odds', {
  rights: ['billing', 'programme'],
  query: v.object({ seasonId: idParam }),
  isCostly: true,
  response: v.object({
    /**
     * by category and position on the waiting list: the odds that people of the season were shown, from courses that had
     * ended before its booking opened, and what happened in it. Groups of fewer than `MIN_ODDS_PEOPLE` people are missing
     */
    items: v.array(
      v.object({
        courseCategoryId: number,
        position: count,
        people: count,
        placed: count,
        peopleBefore: count,
        placedBefore: count,
      }),
    ),
  }),
})
