/** A web user's relation to a course: `confirmed` has a place, `cancelled` had a booking, `none` never had one. */
type StoredPresence = 'confirmed' | 'waiting' | 'cancelled' | 'none'

/** Recorded attendance of a person on a date: null if it was withdrawn. `recordedBy` null: unknown. */
export type StoredPresenceMark = { isPresent: boolean | null; recordedBy: number | null }

/** Who recorded the value that takes precedence over a late change. */
export const effectivePresence = (
  { recordedBy }: StoredPresenceMark,
  userId: number,
): 'self' | 'colleague' | 'somebody' => {
  if (recordedBy === null) return 'somebody'
  return recordedBy === userId ? 'self' : 'colleague'
}

/**
 * Success: `recorded`, `known` (no change), `overtaken` (a later change takes precedence). `notAParticipant`: never had
 * a booking.
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

export type DecidedChange = Exclude<ChangeVerdict, 'overtaken'>

/**
 * Decides whether a presence change is accepted, by the same rules as the SQL statement. A change accepted before stays
 * acknowledged regardless of later events, because the sender may have lost the first response. Future lessons are
 * rejected by time of arrival, not by the phone's clock, so that a phone with a slow clock loses nothing.
 */
export function decideChange(facts: {
  isKnown: boolean
  isComplete: boolean
  /** the lesson is cancelled */
  fallsOut?: boolean
  /** the person has withdrawn the consent to attendance in health courses, of which this is one */
  isWithdrawn?: boolean
  standing: StoredPresence
  /** day of the lesson, and day on which the change arrives, 'YYYY-MM-DD' in the portal's zone */
  heldOn: string
  today: string
}): DecidedChange {
  if (facts.isKnown) return 'known'
  if (facts.standing === 'none') return 'notAParticipant'
  if (facts.fallsOut) return 'fallsOut'
  if (facts.isComplete) return 'complete'
  if (facts.heldOn > facts.today) return 'early'
  if (facts.standing !== 'confirmed') return facts.standing
  return facts.isWithdrawn ? 'consentWithdrawn' : 'recorded'
}

/** Maximum guests per lesson; more indicate a mistake. */
const MAX_GUESTS = 100

export type GuestVerdict = 'noted' | 'known' | 'withdrawn' | 'complete' | 'early' | 'fallsOut' | 'tooMany'

/** Decides whether a guest entry or its withdrawal is accepted, by the same rules as a presence change. */
export function decideGuest(facts: {
  isDeleted: boolean
  /** the entry was received before, or is withdrawn already */
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
 * Lesson selected by default: today's, else the last past one, else the first; 0: none.
 * @param lessons ascending
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
