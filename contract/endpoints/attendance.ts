import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import {
  apiResponseStatus,
  count,
  dateTimeValue,
  failureCode,
  id,
  idOrZero,
  idParams,
  SINGLE_LINE_TEXT_PATTERN,
  uuid,
} from '../values.ts'

export const GUEST_NAME_LENGTH = 100
/** Maximum number of earlier changes that a change may name as its condition. */
export const MAX_UNDONE_CHANGES = 20

/**
 * Attendance recorded for a person on a date. `none` is different from `absent`: nothing was recorded, or the record
 * was withdrawn.
 */
export type RecordedAttendance = 'none' | 'present' | 'absent'

/**
 * @param isRecorded false if nothing was recorded. Undefined in responses from older servers; in that case, a person
 * who is not present is treated as absent. See docs/decisions/0013.
 */
export const recordedAttendanceOf = ({
  isUserPresent,
  isRecorded = true,
}: {
  isUserPresent: boolean
  isRecorded?: boolean
}): RecordedAttendance => {
  if (isUserPresent) return 'present'
  return isRecorded ? 'absent' : 'none'
}

export const participant = v.object({
  /** id of the person's account */
  id,
  name: v.string(),
  isUserPresent: v.boolean(),
  /** whether attendance was recorded; if false, `isUserPresent` is false as well */
  isRecorded: v.optional(v.boolean()),
  /** the person has announced that they cannot attend this lesson */
  isAbsenceAnnounced: v.optional(v.literal(true)),
  /** the person has no seat in the course and takes the place of somebody who freed it for this lesson */
  isGuest: v.optional(v.literal(true)),
  /** number of dates on which the person was present */
  participation: count,
})
export type Participant = v.InferOutput<typeof participant>

/** Walk-in guest: a participant without a booking. */
export const walkInGuest = v.object({ guestId: uuid, name: v.string() })

export const courseDate = v.object({
  id,
  date: dateTimeValue,
  /** a substitute teaches this lesson, so the course's own instructor has read-only access */
  isReadOnly: v.optional(v.literal(true)),
  participants: v.array(participant),
  guests: v.optional(v.array(walkInGuest)),
})
export type CourseDate = v.InferOutput<typeof courseDate>

export const courseDates = v.object({
  courseId: id,
  /** participants with their attendance on the preselected date */
  participants: v.array(participant),
  courseDates: v.array(courseDate),
  /**
   * id of today's course date; if there is none, of the last past one, otherwise of the first; 0 if the course has no
   * dates
   */
  preSelectCourseDateId: idOrZero,
  /** whether the attendance list is completed; changes to a completed list are refused */
  participatingComplete: v.boolean(),
  /**
   * set if the user only substitutes for some lessons: `courseDates` then contains just these lessons, and the user
   * cannot complete the list
   */
  isSubstitute: v.optional(v.literal(true)),
  message: v.string(),
  state: apiResponseStatus,
})
export type CourseDates = v.InferOutput<typeof courseDates>

/** Timestamp with a time zone, on a calendar day that exists. */
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
  /** false, together with the change state `deleted`, withdraws the recorded attendance */
  isRecorded: v.optional(v.literal(false)),
  /** idempotency key: sending the change again has no further effect */
  changeId: v.optional(uuid),
  /** when the instructor made the change: ISO 8601 with a time zone, corrected to the server's clock */
  changedAt: v.optional(instant),
  /** the change has an effect only if nobody has recorded the person on that date; sent by changes of many people */
  ifUnrecorded: v.optional(v.literal(true)),
  /** the change has an effect only while one of these earlier changes is the recorded one; sent to undo changes of many people */
  ifChangeIds: v.optional(v.pipe(v.array(uuid), v.minLength(1), v.maxLength(MAX_UNDONE_CHANGES))),
}
const presenceRequest = v.object(presence)
export type PresenceRequest = v.InferOutput<typeof presenceRequest>
// See docs/decisions/0013.
export const presenceChange = v.object({
  ...presence,
  message: v.string(),
  status: apiResponseStatus,
  code: failureCode,
  /** the stored attendance; only sent with `Ok`, and only if a later change conflicts with this one */
  isUserPresent: v.optional(v.boolean()),
  /**
   * whether attendance is recorded: the stored value if `isUserPresent` is sent as well, otherwise the value from the
   * request
   */
  isRecorded: v.optional(v.boolean()),
  /** what was recorded instead, so that a change with `ifUnrecorded` or `ifChangeIds` had no effect */
  recorded: v.optional(v.object({ isUserPresent: v.boolean(), changedAt: instant })),
})

const guestNote = {
  changeState: v.picklist(['added', 'deleted']),
  /** idempotency key generated by the device: sending the entry again has no further effect */
  guestId: uuid,
  courseDateId: id,
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(GUEST_NAME_LENGTH), v.regex(SINGLE_LINE_TEXT_PATTERN)),
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
  response: v.object({ ...guestNote, message: v.string(), status: apiResponseStatus, code: failureCode }),
})

export const completeParticipation = endpoint('instructor', 'POST', '/api/course/participatingcomplete', {
  body: v.object(completion),
  response: v.object({ ...completion, state: apiResponseStatus, message: v.string() }),
})

export const getParticipantList = endpoint('session', 'GET', '/api/course/:id/participantlist', {
  isCostly: true,
  namesPeople: true,
  params: idParams,
  response: { file: 'application/pdf' },
})
