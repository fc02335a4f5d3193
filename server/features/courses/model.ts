import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { findObstacle, isCancellable, maySeeMeeting } from './policy.ts'
import { bookingOf, type CourseLook } from './rules.ts'

/** What of a course depends on the person who looks. */
function presentPersonalSide(look: CourseLook) {
  const { facts, counters, viewer } = look
  const booking = bookingOf(look)
  const { participants } = facts.course
  const isBookable = viewer !== null && booking === null && findObstacle(look) === null
  const isTeacher = viewer !== null && facts.instructorEmails.includes(viewer.email)
  return {
    bookingStatus: booking?.state ?? BOOKING_STATUS.NotBooked,
    waitingListPosition: booking?.position ?? 0,
    bookable: isBookable,
    directlyBookable: isBookable && counters.taken < participants,
    cancellabel: isCancellable(look),
    participation: isTeacher ? Math.min(counters.taken, participants) : (booking?.presentDates ?? 0),
  }
}

/** A course as it travels. */
export function presentCourse(look: CourseLook): Course {
  const { facts, counters, moment } = look
  const booked = Math.min(counters.taken, facts.course.participants)
  return {
    ...facts.course,
    ...presentPersonalSide(look),
    ...(maySeeMeeting(look) && facts.meeting),
    currentParticipants: booked,
    currentBooked: booked,
    currentWaiting: counters.taken - booked,
    participatingComplete: counters.isParticipatingComplete,
    running: facts.startsOn <= moment.today && moment.today <= facts.endsOn,
    seasonBookable: facts.opensAt <= moment.now,
  }
}

/** The person's side of a course alone. */
export const presentCourseState = (look: CourseLook) => ({ id: look.facts.course.id, ...presentPersonalSide(look) })
