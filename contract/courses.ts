import * as v from 'valibot'
import { COURSE, TEXT_FIELDS } from './course.ts'
import { endpoint } from './endpoint.ts'
import { portalResponseEntries } from './fields.ts'
import { SEASON } from './programme.ts'
import {
  BOOKING_STATUS,
  bookingStatus,
  count,
  dateTimeValue,
  id,
  idParams,
  money,
  responseStatus,
  weekday,
} from './values.ts'

export const season = v.object({ id, ...portalResponseEntries(SEASON) })
export type Season = v.InferOutput<typeof season>

/** Reasons why a person cannot book a course, the permanent ones first. */
export const OBSTACLES = [
  'cancelled',
  'over',
  'notLoggedIn',
  'locked',
  'onlineOnly',
  'profileIncomplete',
  'yearOfBirthMissing',
  'tooYoung',
  'notOpen',
  'fullForExternals',
] as const
export type Obstacle = (typeof OBSTACLES)[number]

/** Price that one person pays or would pay for a course, in euros. */
export const price = v.object({
  /** current amount due: fee and energy fee, or the energy fee alone once the fee is waived */
  amount: money,
  fee: money,
  energyFee: money,
  /** price category; `free` only if nothing is due */
  kind: v.picklist(['free', 'fee', 'external']),
  /** the fee will be waived if the person attends regularly */
  freeWithAttendance: v.boolean(),
  /** attendance is complete and was regular, so the fee is waived */
  waived: v.boolean(),
  /** `amount` after the account is verified, for a person who is charged as an external until then; null: no change */
  priceOnceVerified: v.nullable(money),
})
export type Price = v.InferOutput<typeof price>

/**
 * Attendance of a booked or waiting person in numbers of lessons, counted from the first lesson after the place was
 * assigned; see contract/money-rules.ts.
 */
export const attendanceCount = v.object({
  /** past lessons */
  held: count,
  present: count,
  excused: count,
  /** past lessons without an attendance record */
  unrecorded: count,
  /** all counted lessons, past and future */
  planned: count,
  /** attended lessons required for regular attendance */
  needed: count,
})
export type AttendanceCount = v.InferOutput<typeof attendanceCount>

/** Change that the desk made to a future lesson. */
export const lessonChange = v.object({
  /** current start */
  at: dateTimeValue,
  kind: v.picklist(['cancelled', 'moved', 'room', 'instructor', 'extra']),
  /** previous value: a date-time value for a moved lesson, a text for room and instructor, or null */
  from: v.nullable(v.union([dateTimeValue, v.string()])),
  to: v.nullable(v.union([dateTimeValue, v.string()])),
  note: v.string(),
  note2: v.string(),
})
export type LessonChange = v.InferOutput<typeof lessonChange>

const {
  instructorEmails: _emails,
  minParticipants: _minimum,
  decideOn: _decision,
  ...storedEntries
} = portalResponseEntries(COURSE)

/**
 * Course as seen by one person. Suffix 2 marks the second language. Start and end are those of the lessons,
 * `bookableFrom` is the opening, `externalFee` as entered or fee + externalSurcharge; the meeting is shown only to booked
 * users and the course's instructor.
 */
export const course = v.object({
  id,
  ...storedEntries,
  /** start times of the regular lessons, ascending; moved and extra lessons are in `changes` */
  weekdays: v.array(weekday),
  /** dates of the lessons that are not cancelled */
  dates: v.array(dateTimeValue),
  /** changes of future lessons */
  changes: v.array(lessonChange),
  /** the whole course is cancelled */
  cancelled: v.boolean(),
  /** the current date is between its first and last lesson */
  running: v.boolean(),
  /** price for this user; null for visitors */
  price: v.nullable(price),
  /** confirmed bookings */
  currentParticipants: count,
  currentWaiting: count,
  /** confirmed bookings; null if hidden from this user */
  currentBooked: v.nullable(count),
  /** this user can book now with immediate confirmation */
  directlyBookable: v.boolean(),
  /** this user can book or join the waiting list now */
  bookable: v.boolean(),
  /** this user can cancel the booking online now */
  cancellabel: v.boolean(),
  /**
   * last day for cancelling a confirmed booking online, or one made now; null: on the waiting list, or not cancellable
   * online
   */
  cancelUntil: v.nullable(dateTimeValue),
  /** reason why this user cannot book now; '' if booking is possible or the user already has a booking */
  obstacle: v.picklist(['', ...OBSTACLES]),
  /** text of the obstacle in the reader's language, with a remedy */
  obstacleText: v.string(),
  bookingStatus,
  /** this user's position on the waiting list, 0 if not waiting */
  waitingListPosition: count,
  /** participant count shown on the card; 0 hides it */
  participation: count,
  /** null without a booking */
  attendance: v.nullable(attendanceCount),
  participatingComplete: v.boolean(),
  courseCategory: v.string(),
  courseCategory2: v.string(),
  categoryIcon: v.string(),
  season: v.string(),
  season2: v.string(),
  /** booking of the season has opened */
  seasonBookable: v.boolean(),
  status: responseStatus,
  message: v.string(),
})
export type Course = v.InferOutput<typeof course>

/**
 * Course data for list, search and filters on the first screen, encoded by course-index.ts; each text is contained
 * once, in `texts`.
 */
export const courseIndex = v.object({
  texts: v.array(v.string()),
  columns: v.record(v.string(), v.array(v.union([v.string(), v.number(), v.null()]))),
})
export type CourseIndex = v.InferOutput<typeof courseIndex>

/** Course texts for the details view, loaded after the index. */
const TEXTS = ['id', 'dates', 'changes', ...TEXT_FIELDS] as const
export const courseTexts = v.array(v.pick(course, TEXTS))
export type CourseTexts = v.InferOutput<typeof courseTexts>[number]

export const COURSE_STATE_FIELDS = [
  'id',
  'bookingStatus',
  'waitingListPosition',
  'bookable',
  'directlyBookable',
  'cancellabel',
  'cancelUntil',
  'obstacle',
  'obstacleText',
  'price',
  'participation',
  'attendance',
] as const
export const courseStates = v.array(v.pick(course, COURSE_STATE_FIELDS))
export type CourseState = v.InferOutput<typeof courseStates>[number]

/** State of a course for visitors who are not logged in. */
export const VISITOR_STATE: Omit<CourseState, 'id'> = {
  bookingStatus: BOOKING_STATUS.NotBooked,
  waitingListPosition: 0,
  bookable: false,
  directlyBookable: false,
  cancellabel: false,
  cancelUntil: null,
  obstacle: '',
  obstacleText: '',
  price: null,
  participation: 0,
  attendance: null,
}

/**
 * @param taken number of confirmed places and waiting-list positions in use
 * @param capacity number of places
 */
export function countTakenPlaces(
  taken: number,
  capacity: number,
): Pick<Course, 'currentParticipants' | 'currentBooked' | 'currentWaiting'> {
  const booked = Math.min(taken, capacity)
  return { currentParticipants: booked, currentBooked: booked, currentWaiting: taken - booked }
}

export const listSeasons = endpoint('public', 'GET', '/api/season', { response: v.array(season) })

export const listCourses = endpoint('public', 'GET', '/api/course', {
  query: v.object({ view: v.optional(v.picklist(['index', 'texts'])) }),
  response: v.union([v.array(course), courseIndex, courseTexts]),
})

export const listCoursesOfSession = endpoint('session', 'GET', '/api/course/session', {
  query: v.object({ view: v.optional(v.picklist(['states'])) }),
  response: v.union([v.array(course), courseStates]),
})

export const listInstructorCourses = endpoint('session', 'GET', '/api/course/instructor', { response: v.array(course) })
export const getCourse = endpoint('optional', 'GET', '/api/course/:id', { params: idParams, response: course })
