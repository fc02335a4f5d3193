/** Relation of a web user to a course: `confirmed` has a place, `cancelled` had a booking, `none` never had one. */
type StoredPresence = 'confirmed' | 'waiting' | 'cancelled' | 'none'

/** Recorded attendance of a person on a date; null if it was withdrawn. `recordedBy` is null if unknown. */
export type StoredPresenceMark = { isPresent: boolean | null; recordedBy: number | null }

/** Recorded value that takes precedence over a late change, and who recorded it. */
export const effectivePresence = (
  { recordedBy }: StoredPresenceMark,
  userId: number,
): 'self' | 'colleague' | 'somebody' => {
  if (recordedBy === null) return 'somebody'
  return recordedBy === userId ? 'self' : 'colleague'
}

/**
 * Result of an attendance change. `recorded`, `known` (no change) and `overtaken` (a later change takes precedence)
 * are successes; `notAParticipant`: never had a booking.
 */
type ChangeVerdict =
  | 'recorded'
  | 'known'
  | 'overtaken'
  | 'complete'
  | 'early'
  | 'waiting'
  | 'cancelled'
  | 'fallsOut'
  | 'consentWithdrawn'
  | 'notAParticipant'

export type DecidedAttendanceChange = Exclude<ChangeVerdict, 'overtaken'>

/**
 * Decides whether an attendance change is accepted, by the same rules as the SQL statement. A change that was accepted
 * once stays acknowledged regardless of later events, because the sender may have lost the first response. Changes to
 * future lessons are rejected by time of arrival rather than by the phone's clock, so that a phone with a slow clock
 * loses nothing.
 */
export function decideAttendanceChange(facts: {
  isKnown: boolean
  isComplete: boolean
  /** the lesson is cancelled */
  fallsOut?: boolean
  /** the person has withdrawn the consent to record attendance in health courses, and the course is one */
  isWithdrawn?: boolean
  standing: StoredPresence
  /** day of the lesson, and day on which the change arrived, 'YYYY-MM-DD' in the portal's zone */
  heldOn: string
  today: string
}): DecidedAttendanceChange {
  if (facts.isKnown) return 'known'
  if (facts.standing === 'none') return 'notAParticipant'
  if (facts.fallsOut) return 'fallsOut'
  if (facts.isComplete) return 'complete'
  if (facts.heldOn > facts.today) return 'early'
  if (facts.standing !== 'confirmed') return facts.standing
  return facts.isWithdrawn ? 'consentWithdrawn' : 'recorded'
}

/** Maximum number of guests per lesson; more would indicate a mistake. */
const MAX_GUESTS = 100

export type GuestVerdict = 'noted' | 'known' | 'withdrawn' | 'complete' | 'early' | 'fallsOut' | 'tooMany'

/** Decides whether a guest entry or its withdrawal is accepted, by the same rules as an attendance change. */
export function decideGuest(facts: {
  isDeleted: boolean
  /** the same entry was received before, or was already withdrawn */
  isKnown: boolean
  count: number
  isComplete: boolean
  fallsOut: boolean
  heldOn: string
  today: string
}): GuestVerdict {
  if (facts.isKnown) return 'known'
  if (facts.isDeleted) return 'withdrawn'
  if (facts.fallsOut) return 'fallsOut'
  if (facts.isComplete) return 'complete'
  if (facts.heldOn > facts.today) return 'early'
  return facts.count < MAX_GUESTS ? 'noted' : 'tooMany'
}

/**
 * Lesson that is selected by default: today's, or else the last past one, or else the first; 0 if there is none.
 * @param lessons in ascending order
 * @param today 'YYYY-MM-DD' in the portal's zone
 */
export function preselectLesson(lessons: { id: number; heldAt: string }[], today: string): number {
  const isOn = (date: { heldAt: string }) => date.heldAt.slice(0, 10) === today
  const selected = lessons.find(isOn) ?? lessons.findLast(date => date.heldAt.slice(0, 10) < today) ?? lessons[0]
  return selected?.id ?? 0
}

/** `Familyname, Givenname`. */
export const listedName = ({ familyName, givenName }: { familyName: string; givenName: string }): string =>
  [familyName, givenName].filter(name => name !== '').join(', ')

/** File name of a course's participant list, without characters that file systems reject. */
export const participantListFileName = ({ number, name }: { number: string; name: string }): string =>
  `${`${number} ${name}`
    .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
    .trim()}.pdf`
