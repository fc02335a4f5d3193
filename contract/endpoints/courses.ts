import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { COURSE_FIELDS, TEXT_FIELDS } from '../tables/course.ts'
import { portalResponseFieldSchemas } from '../tables/fields.ts'
import { SEASON_FIELDS } from '../tables/programme.ts'
import {
  apiCallOutcome,
  apiResponseStatus,
  BOOKING_STATUS,
  bookingStatus,
  count,
  dateTimeValue,
  failureCode,
  id,
  idParams,
  money,
  weekday,
} from '../values.ts'

export const season = v.object({ id, ...portalResponseFieldSchemas(SEASON_FIELDS) })
export type Season = v.InferOutput<typeof season>

/** Reasons why a person cannot book a course, starting with the permanent ones. */
export const BOOKING_OBSTACLES = [
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
export type BookingObstacle = (typeof BOOKING_OBSTACLES)[number]

/** Price that one person pays or would pay for a course, in euros. */
export const price = v.object({
  /** current amount due: the fee plus the energy fee, or the energy fee alone once the fee is waived */
  amount: money,
  fee: money,
  energyFee: money,
  /** price category; `free` only if nothing is due */
  kind: v.picklist(['free', 'fee', 'external']),
  /** whether the fee will be waived if the person attends regularly */
  freeWithAttendance: v.boolean(),
  /** whether the fee is waived because attendance is final and was regular */
  waived: v.boolean(),
  /**
   * `amount` once the account is verified, for people who are charged the external fee until then; null if it does not
   * change
   */
  priceOnceVerified: v.nullable(money),
})
export type Price = v.InferOutput<typeof price>

/**
 * Lesson counts that describe the attendance of a person who is booked or on the waiting list. They include only
 * lessons that start after the person was assigned a seat (see contract/rules/money-rules.ts).
 */
export const attendanceCount = v.object({
  /** past lessons */
  held: count,
  present: count,
  excused: count,
  /** past lessons without an attendance record */
  unrecorded: count,
  /** all past and future lessons that start after the person was assigned a seat */
  planned: count,
  /** lessons that must be attended for regular attendance */
  needed: count,
})
export type AttendanceCount = v.InferOutput<typeof attendanceCount>

/** A change that the department made to a future lesson. */
export const lessonChange = v.object({
  /** current start */
  at: dateTimeValue,
  kind: v.picklist(['cancelled', 'moved', 'room', 'instructor', 'extra']),
  /** previous value: the start of a moved lesson as a date-time value, a room or instructor as text, or null */
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
} = portalResponseFieldSchemas(COURSE_FIELDS)

/**
 * A course as seen by one person. Fields with the suffix 2 are in the second language. `start` and `end` are derived
 * from the lessons, `bookableFrom` is when booking opens, and `externalFee` is the configured value or, if there is
 * none, the fee plus the surcharge for external participants. Only users with a confirmed booking and the course's
 * instructor receive the online meeting details.
 */
export const course = v.object({
  id,
  ...storedEntries,
  /** weekdays of the regular lessons, ascending; moved and extra lessons are in `changes` */
  weekdays: v.array(weekday),
  /** dates of the lessons that are not cancelled */
  dates: v.array(dateTimeValue),
  /** changes to future lessons */
  changes: v.array(lessonChange),
  /** whether the whole course is cancelled */
  cancelled: v.boolean(),
  /** whether it is the day of the first lesson or later and the last lesson has not ended */
  running: v.boolean(),
  /** price for this user; null if the user is not logged in */
  price: v.nullable(price),
  /** number of confirmed bookings */
  currentParticipants: count,
  currentWaiting: count,
  /** number of confirmed bookings; null if hidden from this user */
  currentBooked: v.nullable(count),
  /** whether this user can currently book with immediate confirmation */
  directlyBookable: v.boolean(),
  /** whether this user can currently book or join the waiting list */
  bookable: v.boolean(),
  /** whether this user can currently cancel the booking online */
  cancellabel: v.boolean(),
  /**
   * until when a confirmed booking, or one made now, can be cancelled online; null if the user is on the waiting list or
   * cannot cancel online
   */
  cancelUntil: v.nullable(dateTimeValue),
  /** reason why this user cannot book now; '' if booking is possible or the user has already booked */
  obstacle: v.picklist(['', ...BOOKING_OBSTACLES]),
  /** explanation of the obstacle and how to resolve it, in the user's language */
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
  /** whether booking has opened for the season */
  seasonBookable: v.boolean(),
  status: apiResponseStatus,
  message: v.string(),
})
export type Course = v.InferOutput<typeof course>

/**
 * Course data for the list, search and filters on the first screen, encoded by course-index.ts. `texts` contains each
 * distinct text once.
 */
export const courseIndex = v.object({
  texts: v.array(v.string()),
  columns: v.record(v.string(), v.array(v.union([v.string(), v.number(), v.null()]))),
})
export type CourseIndex = v.InferOutput<typeof courseIndex>

/** Course texts for the details view, loaded after the index. */
const TEXTS = ['id', 'dates', 'changes', ...TEXT_FIELDS] as const
export const courseTextsResponse = v.array(v.pick(course, TEXTS))
export type CourseTexts = v.InferOutput<typeof courseTextsResponse>[number]

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
export const courseStatesResponse = v.array(v.pick(course, COURSE_STATE_FIELDS))
export type CourseState = v.InferOutput<typeof courseStatesResponse>[number]

/** The fields of `CourseState` for a user who is not logged in. */
export const ANONYMOUS_COURSE_STATE: Omit<CourseState, 'id'> = {
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

export const listSeasons = endpoint('public', 'GET', '/api/season', { response: v.array(season) })

export const listCourses = endpoint('public', 'GET', '/api/course', {
  query: v.object({ view: v.optional(v.picklist(['index', 'texts'])) }),
  response: v.union([v.array(course), courseIndex, courseTextsResponse]),
})

export const listCoursesOfSession = endpoint('session', 'GET', '/api/course/session', {
  query: v.object({ view: v.optional(v.picklist(['states'])) }),
  response: v.union([v.array(course), courseStatesResponse]),
})

export const listInstructorCourses = endpoint('session', 'GET', '/api/course/instructor', { response: v.array(course) })
export const getCourse = endpoint('optional', 'GET', '/api/course/:id', { params: idParams, response: course })

const simpleObject = v.object({ id })
/** The course after the user has booked it or cancelled the booking. */
const bookedCourse = v.object({ ...course.entries, code: failureCode })
export type BookedCourse = v.InferOutput<typeof bookedCourse>

/**
 * A course that the user has booked or waits for. A cancelled course remains in the list for `CANCELLED_COURSE_DAYS`
 * days. It then has `cancelled: true`, `bookingStatus: 0` and the optional fields.
 */
const listedCourse = v.object({
  ...course.entries,
  /** the department's reason for the cancellation, in both languages; '' if none was given */
  note: v.optional(v.string()),
  note2: v.optional(v.string()),
  /** ids of up to `MOST_ALTERNATIVES` courses of the same category in which the user can book a seat now */
  alternatives: v.optional(v.array(id)),
  /** starts of the lessons that the user has announced not to attend */
  absences: v.optional(v.array(dateTimeValue)),
  /** lessons whose place the user has freed; `isTaken`: a guest has it */
  freedPlaces: v.optional(v.array(v.object({ at: dateTimeValue, isTaken: v.boolean() }))),
})
export type ListedCourse = v.InferOutput<typeof listedCourse>
export const CANCELLED_COURSE_DAYS = 14
export const MOST_ALTERNATIVES = 3

export const listBookedCourses = endpoint('session', 'GET', '/api/course/booked', { response: v.array(listedCourse) })

export const bookCourse = endpoint('session', 'PUT', '/api/course/coursebooking', {
  body: simpleObject,
  response: bookedCourse,
})

/**
 * Announces to the instructor that the user cannot attend a lesson, or that they can after all, and frees the place of
 * this lesson for others.
 */
export const announceAbsence = endpoint('session', 'PUT', '/api/course/absence', {
  body: v.object({
    id,
    /** start of the lesson */
    at: dateTimeValue,
    isAbsent: v.boolean(),
    /** whether others may have the place of this lesson; if missing, an announced absence leaves it as it is */
    isFreed: v.optional(v.boolean()),
  }),
  response: apiCallOutcome,
})

/** A lesson of which the user is a guest (`isMine`), or whose freed place they may take; `id`: its course. */
const lessonPlace = v.object({ id, at: dateTimeValue, isMine: v.boolean() })
export type LessonPlace = v.InferOutput<typeof lessonPlace>
export const listLessonPlaces = endpoint('session', 'GET', '/api/course/lessonplaces', {
  response: v.array(lessonPlace),
})

const lessonPlaceRequest = v.object({ id, at: dateTimeValue, isTaken: v.boolean() })
export type LessonPlaceRequest = v.InferOutput<typeof lessonPlaceRequest>
/** Takes the freed place of a lesson as a guest, or returns it. */
export const changeLessonPlace = endpoint('session', 'PUT', '/api/course/lessonplace', {
  body: lessonPlaceRequest,
  response: apiCallOutcome,
})

export const cancelCourse = endpoint('session', 'PUT', '/api/course/coursecancel', {
  body: simpleObject,
  response: bookedCourse,
})

/** Minimum number of past waiting-list entries, and of people of one position, below which odds are not shown. */
export const MIN_ODDS_ENTRIES = 20
export const MIN_ODDS_PEOPLE = 5
/** A seat within this number of days counts as won soon. */
export const SOON_DAYS = 7
const waitingOdds = v.object({
  position: v.number(),
  people: v.number(),
  placed: v.number(),
  placedSoon: v.number(),
})
export type WaitingOdds = v.InferOutput<typeof waitingOdds>
export const getWaitingOdds = endpoint('session', 'GET', '/api/course/:id/odds', {
  params: idParams,
  isCostly: true,
  response: v.object({ odds: v.nullable(waitingOdds) }),
})
