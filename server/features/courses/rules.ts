import { ANONYMOUS_COURSE_STATE, type Course, type LessonChange } from '#contract/endpoints/courses.ts'
import { type BookingStatus, type EmployeeStatus, EXTERNAL_SURCHARGE } from '#contract/values.ts'
import type { TaughtCourse, TaughtLesson } from '#server/features/lessons/repository.ts'
import type { AttendanceProof } from '#server/features/money/proof-rules.ts'
import { addWorkingDays } from '#server/platform/holidays/holidays.ts'

const CANCELLATION_WORKING_DAYS = 5

/** Current time of the server, read from the database clock. */
export type ServerTime = {
  now: Date
  /** calendar date in the portal's time zone, 'YYYY-MM-DD' */
  today: string
  /** local time in the portal's time zone, 'YYYY-MM-DD HH:MM:SS' */
  wallClock: string
}

/** A lesson (one meeting of a course). Times are in the portal's time zone. */
export type Lesson = {
  id: number
  /** 'YYYY-MM-DD HH:MM:SS' */
  heldAt: string
  /** 'YYYY-MM-DD HH:MM:SS' */
  endsAt: string
  /** whether the lesson is excluded when attendance is counted */
  isExcluded?: boolean
} & TaughtLesson

/** Course data that can be changed only by imports and in the office UI. */
export type CourseFacts = {
  /**
   * course as a visitor sees it; fields that depend on bookings, the current time or the viewer have their initial
   * values
   */
  course: Course
  /** whether the season is a draft, which exists only at the desk */
  isDraft: boolean
  viewableFrom: Date
  opensAt: Date
  /** start of the last lesson, or time at which the course was cancelled */
  closesAt: Date
  /** `closesAt` in the portal's time zone, 'YYYY-MM-DD HH:MM:SS' */
  closesAtLocal: string
  /** dates of the first and last lesson, 'YYYY-MM-DD'. See docs/decisions/0142. */
  startsOn: string
  endsOn: string
  /** whether the whole course is cancelled */
  isCancelled: boolean
  /** the department's reason for cancelling the course, in both languages; '' if none was given */
  cancellationNote: { note: string; note2: string }
  /** lessons that staff have changed; the course shows the future ones. `at` as 'YYYY-MM-DD HH:MM:SS' */
  changes: { at: string; change: LessonChange }[]
  /** region whose public holidays are considered */
  region: string
  /** lessons in chronological order, excluding cancelled ones */
  lessons: Lesson[]
  feeCents: number
  externalFeeCents: number
  meeting: Pick<Course, 'meetingURL' | 'meetingID' | 'meetingCode'>
} & TaughtCourse

/** Course data that change when people book or cancel and when instructors close the attendance list. */
export type CourseCounters = {
  /**
   * number of occupied seats and waiting-list entries, except those that are passed over; the first `participants` of
   * them have a seat
   */
  taken: number
  /** number of people on the waiting list who are passed over until they can take a place */
  passedOver: number
  isParticipatingComplete: boolean
}

/** A course at one point in time, as a visitor sees it. The caller adds the reason why it cannot be booked. */
export type CourseStateAtTime = { facts: CourseFacts; counters: CourseCounters; time: ServerTime; shown: Course }

/**
 * Course fields that depend on bookings, the current time or the viewer. All other fields are set by imports and staff.
 */
type Changing =
  | keyof typeof ANONYMOUS_COURSE_STATE
  | ('changes' | 'running' | 'currentParticipants' | 'currentBooked' | 'currentWaiting' | 'participatingComplete')
  | ('seasonBookable' | 'meetingURL' | 'meetingID' | 'meetingCode' | 'status' | 'message')

/** Initial values of the course fields that depend on bookings, the current time or the viewer. */
export const INITIAL_COURSE_STATE: Pick<Course, Changing> = {
  ...ANONYMOUS_COURSE_STATE,
  changes: [],
  running: false,
  currentParticipants: 0,
  currentBooked: 0,
  currentWaiting: 0,
  participatingComplete: false,
  seasonBookable: false,
  meetingURL: '',
  meetingID: '',
  meetingCode: '',
  status: 'Ok',
  message: '',
}

/**
 * Whether a course is visible outside the desk.
 * @param isOwn whether the viewer has a place in it, which has to remain visible whatever becomes of its season's date
 */
export const isCourseVisible = ({ isDraft, viewableFrom }: CourseFacts, { now }: ServerTime, isOwn = false): boolean =>
  !isDraft && (isOwn || viewableFrom <= now)

/** Start of the first lesson, 'YYYY-MM-DD HH:MM:SS'; the start of the first day for a course without lessons. */
const startOfCourse = ({ lessons, startsOn }: CourseFacts): string => lessons[0]?.heldAt ?? `${startsOn} 00:00:00`

/** End of the last lesson, 'YYYY-MM-DD HH:MM:SS'; the end of the last day for a course without lessons. */
const endOfCourse = ({ lessons, endsOn }: CourseFacts): string =>
  lessons.reduce((end, { endsAt }) => (endsAt > end ? endsAt : end), '') || `${endsOn} 23:59:59`

type Place = { venue: string; city: string }

/** Names of two venues, with their cities if these differ. Equal names without both cities are the same venue. */
export function namesOfVenues(...places: [from: Place, to: Place]): [from: string, to: string] {
  const [from, to] = places
  const isOtherCity = from.city !== to.city && (from.venue !== to.venue || (from.city !== '' && to.city !== ''))
  const nameOf = ({ venue, city }: Place) => [venue, isOtherCity && city].filter(Boolean).join(', ')
  return [nameOf(from), nameOf(to)]
}

/** Local times at which `running` or `changes` of a course change although its data remain the same. */
export const listStateChangeTimes = (facts: CourseFacts): string[] => [
  startOfCourse(facts),
  endOfCourse(facts),
  ...facts.changes.map(({ at }) => at),
]

/** Numbers of people with a seat and on the waiting list. */
export function countPeople({ course: { participants } }: CourseFacts, { taken, passedOver }: CourseCounters) {
  const currentBooked = Math.min(taken, participants)
  return { currentParticipants: currentBooked, currentBooked, currentWaiting: taken - currentBooked + passedOver }
}

/** State of a course at a point in time: running, open for booking, number of bookings. */
export function courseStateAtTime(facts: CourseFacts, counters: CourseCounters, time: ServerTime): CourseStateAtTime {
  const shown: Course = {
    ...facts.course,
    changes: facts.changes.filter(({ at }) => at > time.wallClock).map(({ change }) => change),
    ...countPeople(facts, counters),
    obstacle: facts.isCancelled ? 'cancelled' : time.now >= facts.closesAt ? 'over' : 'notLoggedIn',
    participatingComplete: counters.isParticipatingComplete,
    running: !facts.isCancelled && startOfCourse(facts) <= time.wallClock && time.wallClock < endOfCourse(facts),
    seasonBookable: facts.opensAt <= time.now,
  }
  return { facts, counters, time, shown }
}

/** Price for external participants in cents: the imported one, otherwise the fee plus the surcharge. */
export const externalFeeCentsOf = (feeCents: number, externalFeeCents: number | null): number =>
  externalFeeCents ?? feeCents + EXTERNAL_SURCHARGE * 100

/** Last cancellation dates, cached by region and day. A season has thousands of lessons on a few hundred days. */
const lastDays = new Map<string, string>()

/** Last day of free cancellation for a participant whose first lesson is on `day` ('YYYY-MM-DD'). */
export function lastFreeDayAfter(region: string, day: string): string {
  const key = `${region} ${day}`
  const cancelUntil = lastDays.get(key) ?? addWorkingDays(region, day, CANCELLATION_WORKING_DAYS)
  lastDays.set(key, cancelUntil)
  return cancelUntil
}

/**
 * Price of a booking: one of the course's fees, plus energy costs. `onceVerifiedCents` is the fee once the person is
 * verified; null if verification does not change it.
 */
export type Fee = { cents: number; rule: 'fee' | 'external'; energyCents: number; onceVerifiedCents: number | null }
export type Booking = {
  state: Exclude<BookingStatus, 0>
  /** position on the waiting list, starting at 1; 0 for a seat */
  position: number
  /** attendance by lesson; lessons without recorded attendance of anybody are missing */
  presence: { lessonId: number; isPresent: boolean }[]
  /**
   * time at which the person got the seat, 'YYYY-MM-DD HH:MM:SS' in the portal's time zone; null on the waiting list
   */
  placeSince: string | null
  /** latest day 'YYYY-MM-DD' that was ever the person's first lesson; null on the waiting list */
  firstLessonOn: string | null
  /** fee agreed at the time of booking */
  fee: Fee
  /** whether the course offered to waive the fee for regular attendance when the person booked or got the seat */
  isWaiverOffered: boolean
  /** employee status at the time of booking */
  employeeStatus: EmployeeStatus | null
}

export type CourseViewer = {
  webUserId: number
  email: string
  /** null: not specified */
  employeeStatus: EmployeeStatus | null
  /**
   * whether the person's employee status is unverified although an HR list exists, so that the external price applies
   */
  isUnverified: boolean
  yearOfBirth: number | null
  /** whether the person belongs to a division restricted to online courses */
  isOnlineOnly: boolean
  /** courses in which the person is the guest of a lesson that is to come or began within the past day */
  guestCourseIds: number[]
  /** accepted sick notes and shift certificates */
  proofs: AttendanceProof[]
  /** active bookings by course id */
  bookings: Map<number, Booking>
}

/** A course at one point in time, as seen by a person or a visitor (`viewer` is null). */
export type CourseView = CourseStateAtTime & { viewer: CourseViewer | null }
