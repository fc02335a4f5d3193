/** What a web user is in a course: `confirmed` has a place, `cancelled` had a booking once, `none` never had one. */
export type StoredPresence = 'confirmed' | 'waiting' | 'cancelled' | 'none'

/** What is recorded of a person on a date: null when it was taken back. `recordedBy` null: nobody knows (any more). */
export type StoredPresenceMark = { isPresent: boolean | null; recordedBy: number | null }

/** Whose word stands in the way of a change that came too late. */
export const effectivePresence = (
  { recordedBy }: StoredPresenceMark,
  userId: number,
): 'self' | 'colleague' | 'somebody' => {
  if (recordedBy === null) return 'somebody'
  return recordedBy === userId ? 'self' : 'colleague'
}

/** Good ends: `recorded`, `known` (changes nothing), `overtaken` (a later change says otherwise). `notAParticipant` never was one. */
export type ChangeVerdict =
  | 'recorded'
  | 'known'
  | 'overtaken'
  | 'complete'
  | 'early'
  | 'waiting'
  | 'cancelled'
  | 'fallsOut'
  | 'notAParticipant'

export type DecidedChange = Exclude<ChangeVerdict, 'overtaken'>

/**
 * Whether a presence change is taken, as the statement that writes it says, too. One that was taken before stays acknowledged, whatever happened since: the sender
 * that lost the first answer must not read a refusal. Nobody was at a lesson that is still to come; the arrival counts and not
 * what the phone says, so that a phone whose clock is slow loses nothing.
 */
export function decideChange(facts: {
  isKnown: boolean
  isComplete: boolean
  /** the lesson is cancelled */
  fallsOut?: boolean
  standing: StoredPresence
  /** the day of the lesson and the day on which the change arrives, 'YYYY-MM-DD' in the portal's zone */
  heldOn: string
  today: string
}): DecidedChange {
  if (facts.isKnown) return 'known'
  if (facts.standing === 'none') return 'notAParticipant'
  if (facts.fallsOut) return 'fallsOut'
  if (facts.isComplete) return 'complete'
  if (facts.heldOn > facts.today) return 'early'
  return facts.standing === 'confirmed' ? 'recorded' : facts.standing
}

/** A lesson with more is a mistake, or no lesson. */
export const MOST_GUESTS = 100

export type GuestVerdict = 'noted' | 'known' | 'withdrawn' | 'complete' | 'early' | 'fallsOut' | 'tooMany'

/** Whether somebody who is not on the list is noted, or the note taken back, by the same rules as a presence. */
export function decideGuest(facts: {
  isDeleted: boolean
  /** this note came before, or was taken back already */
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
  return facts.count < MOST_GUESTS ? 'noted' : 'tooMany'
}

/** Today's date, else the last past one, else the first; 0: none. @param lessons ascending @param today 'YYYY-MM-DD', the portal's */
export function preselectLesson(lessons: { id: number; heldAt: string }[], today: string): number {
  const isOn = (date: { heldAt: string }) => date.heldAt.slice(0, 10) === today
  const selected = lessons.find(isOn) ?? lessons.findLast(date => date.heldAt.slice(0, 10) < today) ?? lessons[0]
  return selected?.id ?? 0
}

/** `Familyname, Givenname`. */
export const listedName = ({ familyName, givenName }: { familyName: string; givenName: string }): string =>
  [familyName, givenName].filter(name => name !== '').join(', ')

/** The name of a course's participant list; without what a file system may refuse. */
export const participantListFileName = ({ number, name }: { number: string; name: string }): string =>
  `${`${number} ${name}`
    .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
    .trim()}.pdf`
