import type { Course } from '#contract/endpoints/courses.ts'
import type { Clash } from '#contract/lessons.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { isCourseOver } from '#features/courses/model.ts'
import { toLocalTimeMs } from '#lib/format.ts'

/** Remaining time in ms below which the countdown turns red. */
export const COUNTDOWN_URGENT_MS = 180_000

/** Remaining seconds at which the countdown is announced. */
const SPOKEN_MARKS = [600, 300, 180, 60, 30, 10]

/**
 * Returns the remaining seconds if `SPOKEN_MARKS` contains them, otherwise null, because a screen reader should not
 * announce every second.
 */
export const countdownAnnouncement = (remainingMs: number): number | null => {
  const seconds = Math.ceil(remainingMs / 1000)
  return SPOKEN_MARKS.includes(seconds) ? seconds : null
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** A duration in its largest unit of which there are at least two, such as `43 days`. */
export function roundedDuration(language: string, ms: number): string {
  const [unit, length] = UNITS.find(([, own]) => ms >= 2 * own) ?? ['second', 1_000]
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.round(ms / length))
}

export const minutesOf = ({ hour, minute }: DateTimeValue) => hour * 60 + minute

/** Key for the terms that a user confirms before booking: the amount in euros and the conflicting courses. */
export const bookingTermsKey = (amount: number, clashes: readonly Clash[]): string =>
  amount === 0 && clashes.length === 0 ? '' : [amount, ...clashes.map(({ course }) => course.id).sort()].join(' ')

type Candidate = Pick<
  Course,
  | 'id'
  | 'courseCategoryId'
  | 'seasonId'
  | 'weekdays'
  | 'startTime'
  | 'city'
  | 'participants'
  | 'currentParticipants'
  | 'bookingStatus'
  | 'obstacle'
  | 'cancelled'
  | 'start'
>

/** Obstacles to booking that disappear when booking opens or the user logs in. */
const TEMPORARY: readonly Course['obstacle'][] = ['', 'notOpen', 'notLoggedIn']

/**
 * Finds a similar course with a free seat that this user may book: one of the same category and season, preferably in
 * the same city, then on the same weekday, then with the closest start time.
 */
export function findAlternative<C extends Candidate>(course: Candidate, all: readonly C[]): C | null {
  const distance = (other: C) =>
    (other.city === course.city ? 0 : 10_000) +
    (other.weekdays.some(day => course.weekdays.includes(day)) ? 0 : 2000) +
    Math.abs(minutesOf(other.startTime) - minutesOf(course.startTime))
  const fitting = all.filter(
    other =>
      other.id !== course.id &&
      other.courseCategoryId === course.courseCategoryId &&
      other.seasonId === course.seasonId &&
      other.bookingStatus === BOOKING_STATUS.NotBooked &&
      TEMPORARY.includes(other.obstacle) &&
      !other.cancelled &&
      other.participants > other.currentParticipants,
  )
  return fitting.sort((a, b) => distance(a) - distance(b))[0] ?? null
}

/**
 * Whether a booking can be cancelled without asking for confirmation because the same booking can be made again: nobody
 * moves up from the waiting list, and no lesson has been held yet.
 */
export const isCancellationUndoable = ({
  bookingStatus,
  currentWaiting,
  attendance,
}: Pick<Course, 'bookingStatus' | 'currentWaiting' | 'attendance'>): boolean =>
  bookingStatus === BOOKING_STATUS.Booked && currentWaiting === 0 && (attendance?.held ?? 0) === 0

/** Whether a cancelled place may be gone at once, because no other place is free. */
export const isLastPlace = ({
  participants,
  currentParticipants,
}: Pick<Course, 'participants' | 'currentParticipants'>): boolean => currentParticipants >= participants

/** Divides booked courses into current ones, earliest start first, and past ones, latest start first. */
export function sortBookedCourses<C extends Pick<Course, 'start' | 'end'>>(courses: readonly C[], todayMs: number) {
  const byStart = courses.toSorted((a, b) => toLocalTimeMs(a.start) - toLocalTimeMs(b.start))
  const isPast = (course: C) => isCourseOver(course, todayMs)
  return { current: byStart.filter(course => !isPast(course)), past: byStart.filter(isPast).reverse() }
}

/** URL of the login page that returns to the course after the login. */
export const loginRoute = (courseId: number): string =>
  `/login?next=${encodeURIComponent(`/course-details/${courseId}`)}`
