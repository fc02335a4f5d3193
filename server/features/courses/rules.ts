import type { Course } from '#contract/courses.ts'
import { type BookingStatus, type EmployeeStatus, EXTERNAL_SURCHARGE, type Language } from '#contract/values.ts'
import { addWorkingDays } from '#server/holidays/working-days.ts'

const CANCELLATION_WORKING_DAYS = 5

/** The server's idea of now, taken from the database's clock. */
export type Moment = {
  now: Date
  /** calendar date in the portal's zone, 'YYYY-MM-DD' */
  today: string
}

/** What only an import changes about a course. */
export type CourseFacts = {
  /** as a visitor sees it; what bookings and the clock decide is filled in by presentCourse */
  course: Course
  viewableFrom: Date
  opensAt: Date
  closesAt: Date
  /** calendar dates 'YYYY-MM-DD' */
  startsOn: string
  endsOn: string
  cancelUntil: string
  feeCents: number
  externalFeeCents: number
  meeting: Pick<Course, 'meetingURL' | 'meetingID' | 'meetingCode'>
  instructorEmails: string[]
}

/** What bookings and the instructor change about a course. */
export type CourseCounters = {
  /** places and waiting-list spots given out: the first `participants` of them are places */
  taken: number
  isParticipatingComplete: boolean
}

export type Booking = {
  state: Exclude<BookingStatus, 0>
  /** on the waiting list from 1; 0 for a place */
  position: number
  /** number of dates on which the person was present */
  presentDates: number
}

/** The person who looks at courses. */
export type Viewer = {
  webUserId: number
  email: string
  language: Language
  /** null: not given yet */
  employeeStatus: EmployeeStatus | null
  yearOfBirth: number | null
  /** member of a division that may book online courses only */
  isOnlineOnly: boolean
  /** active bookings by course id */
  bookings: Map<number, Booking>
}

/** A course at one moment in the eyes of one person, or of a visitor (null). */
export type CourseLook = { facts: CourseFacts; counters: CourseCounters; moment: Moment; viewer: Viewer | null }

export const isVisible = ({ viewableFrom }: CourseFacts, { now }: Moment): boolean => viewableFrom <= now

export const bookingOf = ({ facts, viewer }: CourseLook): Booking | null =>
  viewer?.bookings.get(facts.course.id) ?? null

/** What an external pays, in cents: as the import gives it, else the fee and the surcharge. */
export const externalFeeOf = (feeCents: number, externalFeeCents: number | null): number =>
  externalFeeCents ?? feeCents + EXTERNAL_SURCHARGE * 100

/** The last calendar date on which a place can be given back online, of a first lesson 'YYYY-MM-DD'. */
export const lastCancellationDay = (region: string, firstLessonOn: string): string =>
  addWorkingDays(region, firstLessonOn, CANCELLATION_WORKING_DAYS)

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** Plain text of a course's HTML, cut at a word to about `length` characters. */
export function teaserOf(html: string, length = 90): string {
  const text = html
    .slice(0, 4000)
    .replace(/<[^>]*>?/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  if (text.length <= length) return text
  const cut = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
  const wordEnd = cut.lastIndexOf(' ')
  return `${cut.slice(0, wordEnd > length / 2 ? wordEnd : undefined).replace(/[\s,;:.–-]+$/, '')}…`
}
