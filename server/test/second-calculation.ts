/** One lesson of a planned course. `untouched` in the marks of everybody: nobody recorded it. */
export type LessonState = 'held' | 'cancelled' | 'excluded'
export type Mark = 'present' | 'absent' | 'untouched'

/** A place and what happens in it; sets hold indexes of lessons. */
export type PlannedPlace = {
  /** pays the external price, which is never waived */
  isExternal: boolean
  /** employee or pensioner */
  canEarn: boolean
  hasWaiver: boolean
  fee: number
  processing: number
  energy: number
  /** the first lesson after the place was given */
  joinsAt: number
  marks: readonly Mark[]
  shift: ReadonlySet<number>
  excused: ReadonlySet<number>
  /** the department's word where no lesson counts */
  decision: boolean | null
}

const { ceil } = Math

/**
 * Cents that a place costs, written from money.md sections 2.4 to 2.9 alone, without code of the portal.
 * @param recorded lessons of which somebody's attendance was recorded
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
  // Exact fractions: the part of the cancelled lessons, rounded up.
  const part = (cents: number) =>
    ahead.length === 0
      ? 0
      : Number(
          (BigInt(cents) * BigInt(ahead.length - takenPlace.length) + BigInt(ahead.length - 1)) / BigInt(ahead.length),
        )
  const energy = place.energy - part(place.energy)
  return energy + (earns && isRegular ? 0 : place.fee - part(place.fee) + place.processing)
}
