/** State of a lesson in a planned course. A lesson is not recorded if everybody's mark is `untouched`. */
export type LessonState = 'held' | 'cancelled' | 'excluded'
export type Mark = 'present' | 'absent' | 'untouched'

/** A place and its attendance. Sets contain indexes of lessons. */
export type PlannedPlace = {
  /** whether the person pays the external price, which is never waived */
  isExternal: boolean
  /** whether the person is an employee or pensioner, whose fee can be waived */
  canEarn: boolean
  hasWaiver: boolean
  fee: number
  processing: number
  energy: number
  /** index of the first lesson after the person received the place */
  joinsAt: number
  marks: readonly Mark[]
  shift: ReadonlySet<number>
  excused: ReadonlySet<number>
  /** the department's decision if no lesson counts */
  decision: boolean | null
}

const { ceil } = Math

/**
 * Calculates what a place costs in cents. Implements money.md (sections 2.4 to 2.9) independently of the portal's code.
 * @param recorded lessons for which anybody's attendance was recorded
 */
export function secondCalculation(
  place: PlannedPlace,
  lessons: readonly LessonState[],
  recorded: ReadonlySet<number>,
): number {
  const ahead = [...lessons.keys()].filter(lesson => lesson >= place.joinsAt)
  const takenPlace = ahead.filter(lesson => lessons[lesson] !== 'cancelled')
  const counted = takenPlace.filter(lesson => lessons[lesson] === 'held' && recorded.has(lesson))
  const isOnShift = counted.filter(lesson => place.shift.has(lesson)).length * 2 > counted.length
  const attended = counted.filter(lesson => place.marks[lesson] === 'present' || place.excused.has(lesson)).length
  const needed = isOnShift ? ceil(counted.length / 3) : ceil((2 * counted.length) / 3)
  const earns = place.hasWaiver && place.canEarn && !place.isExternal && place.fee + place.processing > 0
  if (earns && counted.length === 0 && place.decision === null) return 0
  const isRegular = counted.length === 0 ? place.decision === true : attended >= needed
  // The share of the cancelled lessons as an exact fraction, rounded up.
  const part = (cents: number) =>
    ahead.length === 0
      ? 0
      : Number(
          (BigInt(cents) * BigInt(ahead.length - takenPlace.length) + BigInt(ahead.length - 1)) / BigInt(ahead.length),
        )
  const energy = place.energy - part(place.energy)
  return energy + (earns && isRegular ? 0 : place.fee - part(place.fee) + place.processing)
}
