import { type Course, countTakenPlaces, type LessonChange, VISITOR_STATE } from '#contract/courses.ts'
import { type BookingStatus, type EmployeeStatus, EXTERNAL_SURCHARGE } from '#contract/values.ts'
import type { Proof } from '#server/features/money/proof-rules.ts'
import { addWorkingDays } from '#server/holidays/holidays.ts'
import type { TaughtCourse, TaughtLesson } from '#server/lessons/teaching.ts'

const CANCELLATION_WORKING_DAYS = 5

/** Current time of the server, taken from the database clock. */
export type ServerTime = {
  now: Date
  /** calendar date in the portal's zone, 'YYYY-MM-DD' */
  today: string
  /** wall-clock time in the portal's zone, 'YYYY-MM-DD HH:MM:SS' */
  wallClock: string
}

/** A lesson: one meeting of a course, in the portal's zone. */
export type Lesson = {
  id: number
  /** 'YYYY-MM-DD HH:MM:SS' */
  heldAt: string
  /** 'YYYY-MM-DD HH:MM:SS' */
  endsAt: string
  /** last date 'YYYY-MM-DD' of free cancellation if this is the participant's first lesson */
  cancelUntil: string
  /** added by the desk: does not shorten the trial period */
  isExtra?: boolean
  /** excluded from attendance */
  isExcluded?: boolean
} & TaughtLesson

/** Course data that only an import changes. */
export type CourseFacts = {
  /** as a visitor sees it; fields that depend on bookings and clock are filled in by presentCourse */
  course: Course
  viewableFrom: Date
  opensAt: Date
  /** start of the last lesson, or time of cancellation */
  closesAt: Date
  /** dates of the first and last lesson, 'YYYY-MM-DD'. See docs/decisions/0142. */
  startsOn: string
  endsOn: string
  /** the whole course is cancelled */
  isCancelled: boolean
  /** the department's reason, in both languages; '' without one */
  cancellationNote: { note: string; note2: string }
  /** changed lessons, of which future ones are displayed. `at` as 'YYYY-MM-DD HH:MM:SS' */
  changes: { at: string; change: LessonChange }[]
  /** whose holidays count */
  region: string
  /** lessons without cancelled ones, in order */
  lessons: Lesson[]
  feeCents: number
  externalFeeCents: number
  meeting: Pick<Course, 'meetingURL' | 'meetingID' | 'meetingCode'>
} & TaughtCourse

/** Course data changed by bookings and instructors. */
export type CourseCounters = {
  /** occupied places and waiting-list entries: the first `participants` of them are places */
  taken: number
  isParticipatingComplete: boolean
}

/** A course at one time as a visitor sees it; the caller adds the text why it cannot be booked. */
export type CourseNow = { facts: CourseFacts; counters: CourseCounters; time: ServerTime; shown: Course }

/** Course fields that depend on bookings, the clock or the viewer; all others are as imported or edited. */
type Changing =
  | keyof typeof VISITOR_STATE
  | ('changes' | 'running' | 'currentParticipants' | 'currentBooked' | 'currentWaiting' | 'participatingComplete')
  | ('seasonBookable' | 'meetingURL' | 'meetingID' | 'meetingCode' | 'status' | 'message')

/** Initial values of these fields: without bookings, clock and viewer. */
export const INITIAL_FIELDS: Pick<Course, Changing> = {
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

export const isVisible = ({ viewableFrom }: CourseFacts, { now }: ServerTime): boolean => viewableFrom <= now

/** State of a course at a time: running, open, number of bookings. */
export function courseAt(facts: CourseFacts, counters: CourseCounters, time: ServerTime): CourseNow {
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

/** Price for externals in cents: as imported, else fee plus surcharge. */
export const externalFeeOf = (feeCents: number, externalFeeCents: number | null): number =>
  externalFeeCents ?? feeCents + EXTERNAL_SURCHARGE * 100

/** Cached by region and day: a programme has thousands of lessons on some hundred days. */
const lastDays = new Map<string, string>()

/** Last date of cancellation for a participant whose first lesson is at `heldAt` ('YYYY-MM-DD HH:MM:SS'). */
export function cancelDayAfter(region: string, heldAt: string): string {
  const day = heldAt.slice(0, 10)
  const key = `${region} ${day}`
  const cancelUntil = lastDays.get(key) ?? addWorkingDays(region, day, CANCELLATION_WORKING_DAYS)
  lastDays.set(key, cancelUntil)
  return cancelUntil
}

/**
 * Price of a booking: one of the course's fees, and energy costs. `onceVerifiedCents`: fee after the person's
 * verification; null: unchanged.
 */
export type Fee = { cents: number; rule: 'fee' | 'external'; energyCents: number; onceVerifiedCents: number | null }
export type Booking = {
  state: Exclude<BookingStatus, 0>
  /** waiting-list position from 1; 0 for a place */
  position: number
  /** recorded attendance by lesson */
  presence: { lessonId: number; isPresent: boolean }[]
  /** when the person got the place, wall-clock time 'YYYY-MM-DD HH:MM:SS'; null while waiting */
  placeSince: string | null
  /** as agreed when booking */
  fee: Fee
  /** regular attendance waives the fee: the course's setting as of the booking */
  isWaiverOffered: boolean
  /** status group as of the booking */
  employeeStatus: EmployeeStatus | null
}

export type Viewer = {
  webUserId: number
  email: string
  /** null: not specified */
  employeeStatus: EmployeeStatus | null
  /** has an unverified status although the department maintains an HR list: pays as an external */
  isUnverified: boolean
  yearOfBirth: number | null
  /** member of a division restricted to online courses */
  isOnlineOnly: boolean
  /** accepted proofs of sickness and shift work */
  proofs: Proof[]
  /** active bookings by course id */
  bookings: Map<number, Booking>
}

/** A course at one time as a person sees it, or a visitor (null). */
export type CourseView = CourseNow & { viewer: Viewer | null }
