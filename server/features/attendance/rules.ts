/**
 * A person's relation to a lesson: `inLesson` (attendance can be recorded), `outside` (has no seat in this lesson) or
 * `unknown` (no such person).
 */
type StoredPresence = 'inLesson' | 'outside' | 'unknown'

/**
 * Recorded attendance of a person at a lesson; `isPresent` is null if it was withdrawn. `recordedBy` is null if
 * unknown.
 */
export type StoredAttendance = {
  isPresent: boolean | null
  changedAt: Date
  recordedBy: number | null
  changeId: string | null
}

/** Who recorded the value that takes precedence over a late change. */
export const attendanceRecorderOf = (
  { recordedBy }: Pick<StoredAttendance, 'recordedBy'>,
  userId: number,
): 'self' | 'colleague' | 'somebody' => {
  if (recordedBy === null) return 'somebody'
  return recordedBy === userId ? 'self' : 'colleague'
}

/**
 * Result of an attendance change. `recorded`, `known` (no change) and `overtaken` (a later change takes precedence) are
 * successes.
 */
type ChangeVerdict =
  | 'recorded'
  | 'known'
  | 'overtaken'
  | 'complete'
  | 'early'
  | 'notInLesson'
  | 'fallsOut'
  | 'consentWithdrawn'
  | 'unknownPerson'

export type DecidedAttendanceChange = Exclude<ChangeVerdict, 'overtaken'>

/**
 * Decides whether an attendance change is accepted, by the same rules as the SQL statement in tick-repository.ts. A
 * change that was accepted once is acknowledged again whenever it is resent, because the sender may have lost the first
 * response. Whether a lesson is still in the future depends on the day on which the change arrives rather than the
 * phone's clock, so that a phone with a slow clock loses no changes.
 */
export function decideAttendanceChange(facts: {
  isKnown: boolean
  isComplete: boolean
  /** whether the lesson is cancelled */
  fallsOut?: boolean
  /** whether this is a health course and the person has withdrawn consent to having their attendance recorded */
  isWithdrawn?: boolean
  standing: StoredPresence
  /** day of the lesson, and day on which the change arrived, 'YYYY-MM-DD' in the portal's time zone */
  heldOn: string
  today: string
}): DecidedAttendanceChange {
  if (facts.isKnown) return 'known'
  if (facts.standing === 'unknown') return 'unknownPerson'
  if (facts.fallsOut) return 'fallsOut'
  if (facts.isComplete) return 'complete'
  if (facts.heldOn > facts.today) return 'early'
  if (facts.standing !== 'inLesson') return 'notInLesson'
  return facts.isWithdrawn ? 'consentWithdrawn' : 'recorded'
}

/** Maximum number of guests per lesson; more would indicate a mistake. */
const MAX_GUESTS = 100

export type GuestEntryVerdict = 'noted' | 'known' | 'withdrawn' | 'complete' | 'early' | 'fallsOut' | 'tooMany'

/** Decides whether adding or withdrawing a guest entry is accepted, by the same rules as an attendance change. */
export function decideGuestEntry(facts: {
  isDeleted: boolean
  /** whether the same entry was received before or has already been withdrawn */
  isKnown: boolean
  count: number
  isComplete: boolean
  fallsOut: boolean
  heldOn: string
  today: string
}): GuestEntryVerdict {
  if (facts.isKnown) return 'known'
  if (facts.isDeleted) return 'withdrawn'
  if (facts.fallsOut) return 'fallsOut'
  if (facts.isComplete) return 'complete'
  if (facts.heldOn > facts.today) return 'early'
  return facts.count < MAX_GUESTS ? 'noted' : 'tooMany'
}

/**
 * Lesson selected by default: today's, otherwise the last past one, otherwise the first; 0 if there is none.
 * @param lessons in ascending order
 * @param today 'YYYY-MM-DD' in the portal's time zone
 */
export function selectDefaultLesson(lessons: { id: number; heldAt: string }[], today: string): number {
  const isOn = (date: { heldAt: string }) => date.heldAt.slice(0, 10) === today
  const selected = lessons.find(isOn) ?? lessons.findLast(date => date.heldAt.slice(0, 10) < today) ?? lessons[0]
  return selected?.id ?? 0
}

/** `Familyname, Givenname`. */
export const formatFamilyNameFirst = ({ familyName, givenName }: { familyName: string; givenName: string }): string =>
  [familyName, givenName].filter(name => name !== '').join(', ')

/** File name of a course's participant list. Characters that file systems reject are replaced. */
export const participantListFileName = ({ number, name }: { number: string; name: string }): string =>
  `${`${number} ${name}`
    .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
    .trim()}.pdf`
