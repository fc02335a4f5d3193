import { type Course, countTakenPlaces, type LessonChange, VISITOR_STATE } from '#contract/courses.ts'
import { type BookingStatus, type EmployeeStatus, EXTERNAL_SURCHARGE } from '#contract/values.ts'
import type { AttendanceProof } from '#server/features/money/proof-rules.ts'
import { addWorkingDays } from '#server/holidays/holidays.ts'
import type { TaughtCourse, TaughtLesson } from '#server/lessons/teaching.ts'

const CANCELLATION_WORKING_DAYS = 5

/** Current time of the server, read from the database clock. */
export type ServerTime = {
  now: Date
  /** calendar date in the portal's time zone, 'YYYY-MM-DD' */
  today: string
  /** wall-clock time in the portal's time zone, 'YYYY-MM-DD HH:MM:SS' */
  wallClock: string
}

/** A lesson (one meeting of a course). Times are in the portal's time zone. */
export type Lesson = {
  id: number
  /** 'YYYY-MM-DD HH:MM:SS' */
  heldAt: string
  /** 'YYYY-MM-DD HH:MM:SS' */
  endsAt: string
  /** last date 'YYYY-MM-DD' of free cancellation for a participant whose first lesson this is */
  cancelUntil: string
  /** staff have added the lesson, which does not shorten the trial period */
  isExtra?: boolean
  /** excluded from attendance */
  isExcluded?: boolean
} & TaughtLesson

/** Course data that only imports and desk actions change. */
export type CourseFacts = {
  /** course as a visitor sees it; toCourseResponse fills in the fields that depend on bookings and clock */
  course: Course
  viewableFrom: Date
  opensAt: Date
  /** start of the last lesson, or time at which the course was cancelled */
  closesAt: Date
  /** dates of the first and last lesson, 'YYYY-MM-DD'. See docs/decisions/0142. */
  startsOn: string
  endsOn: string
  /** the whole course is cancelled */
  isCancelled: boolean
  /** the department's reason for cancelling the course, in both languages; '' if none was given */
  cancellationNote: { note: string; note2: string }
  /** lessons that staff have changed; the course shows the future ones. `at` as 'YYYY-MM-DD HH:MM:SS' */
  changes: { at: string; change: LessonChange }[]
  /** region whose holidays count */
  region: string
  /** lessons in chronological order, excluding cancelled ones */
  lessons: Lesson[]
  feeCents: number
  externalFeeCents: number
  meeting: Pick<Course, 'meetingURL' | 'meetingID' | 'meetingCode'>
} & TaughtCourse

/** Course data that bookings and instructors change. */
export type CourseCounters = {
  /** number of occupied places and waiting-list entries, of which the first `participants` are places */
  taken: number
  isParticipatingComplete: boolean
}

/** A course at one point in time, as a visitor sees it. The caller adds the reason why it cannot be booked. */
export type CourseAtTime = { facts: CourseFacts; counters: CourseCounters; time: ServerTime; shown: Course }

/** Course fields that depend on bookings, the clock or the viewer. Imports and staff set all others. */
type Changing =
  | keyof typeof VISITOR_STATE
  | ('changes' | 'running' | 'currentParticipants' | 'currentBooked' | 'currentWaiting' | 'participatingComplete')
  | ('seasonBookable' | 'meetingURL' | 'meetingID' | 'meetingCode' | 'status' | 'message')

/** Initial values of these fields, independent of bookings, clock and viewer. */
export const INITIAL_COURSE_STATE: Pick<Course, Changing> = {
  ...VISITOR_STATE,
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

export const isCourseVisible = ({ viewableFrom }: CourseFacts, { now }: ServerTime): boolean => viewableFrom <= now

/** State of a course at a point in time: running, open for booking, number of bookings. */
export function courseAtTime(facts: CourseFacts, counters: CourseCounters, time: ServerTime): CourseAtTime {
  const shown: Course = {
    ...facts.course,
    changes: facts.changes.filter(({ at }) => at > time.wallClock).map(({ change }) => change),
    ...countTakenPlaces(counters.taken, facts.course.participants),
    obstacle: facts.isCancelled ? 'cancelled' : time.now >= facts.closesAt ? 'over' : 'notLoggedIn',
    participatingComplete: counters.isParticipatingComplete,
    running: facts.startsOn <= time.today && time.today <= facts.endsOn,
    seasonBookable: facts.opensAt <= time.now,
  }
  return { facts, counters, time, shown }
}

/** Price for external people in cents: the imported one, otherwise the fee plus the surcharge. */
export const externalFeeCentsOf = (feeCents: number, externalFeeCents: number | null): number =>
  externalFeeCents ?? feeCents + EXTERNAL_SURCHARGE * 100

/** Last cancellation dates, cached by region and day. A season has thousands of lessons on a few hundred days. */
const lastDays = new Map<string, string>()

/** Last date on which a participant whose first lesson is at `heldAt` ('YYYY-MM-DD HH:MM:SS') can cancel. */
export function cancellationDeadlineAfter(region: string, heldAt: string): string {
  const day = heldAt.slice(0, 10)
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
  /** position on the waiting list, starting at 1; 0 for a place */
  position: number
  /** recorded attendance by lesson */
  presence: { lessonId: number; isPresent: boolean }[]
  /** time at which the person got the place, wall clock 'YYYY-MM-DD HH:MM:SS'; null on the waiting list */
  placeSince: string | null
  /** fee as agreed when booking */
  fee: Fee
  /** regular attendance waives the fee, according to the course's setting at the time of booking */
  isWaiverOffered: boolean
  /** status group at the time of booking */
  employeeStatus: EmployeeStatus | null
}

export type CourseViewer = {
  webUserId: number
  email: string
  /** null: not specified */
  employeeStatus: EmployeeStatus | null
  /** the person's status is unverified although the department maintains an HR list, so the external price applies */
  isUnverified: boolean
  yearOfBirth: number | null
  /** the person belongs to a division restricted to online courses */
  isOnlineOnly: boolean
  /** accepted sick notes and shift certificates */
  proofs: AttendanceProof[]
  /** active bookings by course id */
  bookings: Map<number, Booking>
}

/** A course at one point in time, as seen by a person or a visitor (`viewer` is null). */
export type CourseView = CourseAtTime & { viewer: CourseViewer | null }
