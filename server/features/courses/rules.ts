import { type Course, countTaken, type LessonChange, VISITOR_STATE } from '#contract/courses.ts'
import { EXTERNAL_SURCHARGE } from '#contract/values.ts'
import { addWorkingDays } from '#server/holidays/working-days.ts'
import type { TaughtCourse, TaughtLesson } from '#server/lessons/teaching.ts'

const CANCELLATION_WORKING_DAYS = 5

/** The server's idea of now, taken from the database's clock. */
export type ServerTime = {
  now: Date
  /** calendar date in the portal's zone, 'YYYY-MM-DD' */
  today: string
  /** wall-clock time in the portal's zone, 'YYYY-MM-DD HH:MM:SS' */
  wallClock: string
}

/** One dated meeting of a course, in the portal's zone. */
export type Lesson = {
  id: number
  /** 'YYYY-MM-DD HH:MM:SS' */
  heldAt: string
  /** 'YYYY-MM-DD HH:MM:SS' */
  endsAt: string
  /** the last calendar date 'YYYY-MM-DD' on which somebody whose first lesson it is can give the place back online */
  cancelUntil: string
  /** added by the desk: nobody's time to try the course ends sooner by it */
  isExtra?: boolean
  /** counts for nobody's attendance */
  isExcluded?: boolean
} & TaughtLesson

/** What only an import changes about a course. */
export type CourseFacts = {
  /** as a visitor sees it; what bookings and the clock decide is filled in by presentCourse */
  course: Course
  viewableFrom: Date
  opensAt: Date
  /** the begin of the last lesson, or when the course was cancelled */
  closesAt: Date
  /** of the first and the last lesson, calendar dates 'YYYY-MM-DD'. See docs/decisions/0142. */
  startsOn: string
  endsOn: string
  /** the whole course falls out */
  isCancelled: boolean
  /** of all its lessons: those to come are shown. `at` as 'YYYY-MM-DD HH:MM:SS' */
  changes: { at: string; change: LessonChange }[]
  /** whose holidays count */
  region: string
  /** those that take place, in their order */
  lessons: Lesson[]
  feeCents: number
  externalFeeCents: number
  meeting: Pick<Course, 'meetingURL' | 'meetingID' | 'meetingCode'>
} & TaughtCourse

/** What bookings and the instructor change about a course. */
export type CourseCounters = {
  /** places and waiting-list spots given out: the first `participants` of them are places */
  taken: number
  isParticipatingComplete: boolean
}

/** A course at one moment, and what a visitor sees of it; the words for its obstacle are the caller's. */
export type CourseNow = { facts: CourseFacts; counters: CourseCounters; time: ServerTime; shown: Course }

/** Course fields that depend on bookings, the clock or the viewer; all others are as imported or edited. */
type Changing =
  | keyof typeof VISITOR_STATE
  | ('changes' | 'running' | 'currentParticipants' | 'currentBooked' | 'currentWaiting' | 'participatingComplete')
  | ('seasonBookable' | 'meetingURL' | 'meetingID' | 'meetingCode' | 'status' | 'message')

/** Initial values of these fields: without bookings, clock and viewer. */
export const UNTOUCHED: Pick<Course, Changing> = {
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

/** A course as it stands at a moment: what runs, what is open, how many have booked. */
export function courseAt(facts: CourseFacts, counters: CourseCounters, time: ServerTime): CourseNow {
  const shown: Course = {
    ...facts.course,
    changes: facts.changes.filter(({ at }) => at > time.wallClock).map(({ change }) => change),
    ...countTaken(counters.taken, facts.course.participants),
    obstacle: facts.isCancelled ? 'cancelled' : time.now >= facts.closesAt ? 'over' : 'notLoggedIn',
    participatingComplete: counters.isParticipatingComplete,
    running: facts.startsOn <= time.today && time.today <= facts.endsOn,
    seasonBookable: facts.opensAt <= time.now,
  }
  return { facts, counters, time, shown }
}

/** What an external pays, in cents: as the import gives it, else the fee and the surcharge. */
export const externalFeeOf = (feeCents: number, externalFeeCents: number | null): number =>
  externalFeeCents ?? feeCents + EXTERNAL_SURCHARGE * 100

/** By region and day: a programme has thousands of lessons on some hundred days. */
const lastDays = new Map<string, string>()

/** The last calendar date to give a place back whose first lesson is at `heldAt` ('YYYY-MM-DD HH:MM:SS'). */
export function cancelDayAfter(region: string, heldAt: string): string {
  const day = heldAt.slice(0, 10)
  const key = `${region} ${day}`
  const cancelUntil = lastDays.get(key) ?? addWorkingDays(region, day, CANCELLATION_WORKING_DAYS)
  lastDays.set(key, cancelUntil)
  return cancelUntil
}
