import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { count, dateTimeValue, HARMLESS_LINE, id, idOrZero, idParams, responseStatus } from './values.ts'

export const GUEST_NAME_LENGTH = 100

/** What is recorded of a person on a date; `none` is not `absent`: nobody has said anything, or it was taken back. */
export type Mark = 'none' | 'present' | 'absent'

/** @param isRecorded false: nothing is recorded; undefined, of an older server: not present is absent. See docs/decisions/0013. */
export const markOf = ({
  isUserPresent,
  isRecorded = true,
}: {
  isUserPresent: boolean
  isRecorded?: boolean
}): Mark => {
  if (isUserPresent) return 'present'
  return isRecorded ? 'absent' : 'none'
}

export const participant = v.object({
  /** the web user's id */
  id,
  name: v.string(),
  isUserPresent: v.boolean(),
  /** somebody said so; false where nobody has said anything yet, and then `isUserPresent` is false too */
  isRecorded: v.optional(v.boolean()),
  /** number of dates on which the person was present */
  participation: count,
})
export type Participant = v.InferOutput<typeof participant>

const uuid = v.pipe(v.string(), v.uuid(), v.toLowerCase())

/** Somebody who came and is not on the list. */
export const doorGuest = v.object({ guestId: uuid, name: v.string() })
export type DoorGuest = v.InferOutput<typeof doorGuest>

export const courseDate = v.object({
  id,
  date: dateTimeValue,
  /** a substitute teaches it: the course's instructor reads it and records nothing */
  isReadOnly: v.optional(v.literal(true)),
  participants: v.array(participant),
  guests: v.optional(v.array(doorGuest)),
})
export type CourseDate = v.InferOutput<typeof courseDate>

export const courseDates = v.object({
  courseId: id,
  /** as on the preselected date */
  participants: v.array(participant),
  courseDates: v.array(courseDate),
  /** today's date, else the last past one, else the first; 0 when the course has no dates */
  preSelectCourseDateId: idOrZero,
  /** attendance is complete: changes are refused */
  participatingComplete: v.boolean(),
  /** the reader stands in for some lessons, which are all of `courseDates`, and does not complete the attendance */
  isSubstitute: v.optional(v.literal(true)),
  message: v.string(),
  state: responseStatus,
})
export type CourseDates = v.InferOutput<typeof courseDates>

/** An instant with zone, on a day that exists. */
const instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check(value => {
    const day = Date.parse(`${value.slice(0, 10)}T00:00:00Z`)
    return !Number.isNaN(Date.parse(value)) && new Date(day).toISOString().startsWith(value.slice(0, 10))
  }, 'no such day'),
)

const presence = {
  changeState: v.picklist(['added', 'deleted']),
  courseDateId: id,
  webUserId: id,
  /** false with `deleted`: takes back what was recorded, as if nobody had said anything */
  isRecorded: v.optional(v.literal(false)),
  /** names this change for good: sending it again changes nothing */
  changeId: v.optional(uuid),
  /** when the instructor tapped, ISO 8601 with zone, corrected to server time */
  changedAt: v.optional(instant),
}
const presenceRequest = v.object(presence)
export type PresenceRequest = v.InferOutput<typeof presenceRequest>
// See docs/decisions/0013.
export const presenceChange = v.object({
  ...presence,
  message: v.string(),
  status: responseStatus,
  /** only with `Ok`, and only when a later change says otherwise than this one: what the portal has */
  isUserPresent: v.optional(v.boolean()),
  /** beside `isUserPresent` of what the portal has, else as it was sent */
  isRecorded: v.optional(v.boolean()),
})

const guestNote = {
  changeState: v.picklist(['added', 'deleted']),
  /** made by the device, names the note for good: sending it again changes nothing */
  guestId: uuid,
  courseDateId: id,
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(GUEST_NAME_LENGTH), v.regex(HARMLESS_LINE)),
}
const guestRequest = v.object(guestNote)
export type GuestRequest = v.InferOutput<typeof guestRequest>

const completion = { courseId: id, isCompleted: v.boolean() }

export const getCourseDates = endpoint('instructor', 'GET', '/api/course/:id/dates', {
  namesPeople: true,
  params: idParams,
  response: courseDates,
})

export const changePresence = endpoint('instructor', 'POST', '/api/course/dates/participant/change', {
  body: presenceRequest,
  response: presenceChange,
})

export const noteDoorGuest = endpoint('instructor', 'POST', '/api/course/dates/guest', {
  body: guestRequest,
  response: v.object({ ...guestNote, message: v.string(), status: responseStatus }),
})

export const completeParticipation = endpoint('instructor', 'POST', '/api/course/participatingcomplete', {
  body: v.object(completion),
  response: v.object({ ...completion, state: responseStatus, message: v.string() }),
})

export const getParticipantList = endpoint('session', 'GET', '/api/course/:id/participantlist', {
  isCostly: true,
  namesPeople: true,
  params: idParams,
  response: { file: 'application/pdf' },
})
