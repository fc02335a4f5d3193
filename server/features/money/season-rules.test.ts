import { expect, test } from 'vitest'
import { type LessonState, type Mark, type PlannedPlace, secondCalculation } from '#server/test/second-calculation.ts'
import { calculateCourseSettlement, type SettledBooking, type SettledLesson, sumCents } from './rules.ts'

/** Each seed is a season of this size. */
const SEEDS = Number(process.env.RULE_SEEDS ?? 50)
const COURSES = 60
const PEOPLE_OF_COURSE = 34

const DAY_MS = 86_400_000
const FIRST = Date.parse('2026-11-02')
const dayOf = (offset: number) => new Date(FIRST + offset * DAY_MS).toISOString().slice(0, 10)
/** Public holidays of Lower Saxony within the weeks of the lessons. */
const HOLIDAYS = new Set(['2026-12-25', '2026-12-26', '2027-01-01'])
const LESSONS = 12
const NOW = '2027-03-01 12:00:00'

/** Mulberry32: a small random number generator, identical on all platforms. */
function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    upTo: (max: number) => Math.floor(next() * (max + 1)),
    isIn: (share: number) => next() < share,
    oneOf: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T,
  }
}
type Random = ReturnType<typeof createRandom>

/** Monday to Friday without holidays, counted day by day. */
function countDays(from: number, to: number): number {
  let count = 0
  for (let offset = from; offset <= to; offset += 1) if (offset % 7 < 5 && !HOLIDAYS.has(dayOf(offset))) count += 1
  return count
}

/** A seat and its booking as stored by the portal. Lessons are on Mondays: the days 0, 7, 14, … */
function planPlace(random: Random, lessons: readonly LessonState[]) {
  const isExternal = random.isIn(0.15)
  const employeeStatus = isExternal ? 2 : random.oneOf([1, 1, 1, 4, 5, 6, 7] as const)
  const joinsAt = random.isIn(0.2) ? random.upTo(LESSONS) : 0
  const diligence = random.oneOf([0.2, 0.6, 0.7, 0.95])
  const marks = lessons.map(
    (): Mark => (random.isIn(diligence) ? 'present' : random.isIn(0.5) ? 'absent' : 'untouched'),
  )
  const shiftUntil = random.isIn(0.1) ? random.upTo(LESSONS) : 0
  const sick = random.isIn(0.2) ? { from: random.upTo(70), length: random.upTo(20) } : null
  const isLong = sick !== null && countDays(sick.from, sick.from + sick.length) >= 10
  const all = [...lessons.keys()]
  const place: PlannedPlace = {
    isExternal,
    canEarn: employeeStatus === 1 || employeeStatus === 4,
    hasWaiver: random.isIn(0.8),
    fee: random.upTo(9_999),
    processing: isExternal && random.isIn(0.5) ? 1_500 : 0,
    energy: random.oneOf([0, 0, 333, 500, 950]),
    joinsAt,
    marks,
    shift: new Set(all.filter(lesson => lesson < shiftUntil)),
    excused: new Set(
      all.filter(lesson => isLong && sick !== null && lesson * 7 >= sick.from && lesson * 7 <= sick.from + sick.length),
    ),
    decision: random.oneOf([null, true, false]),
  }
  const proofs: SettledBooking['proofs'] = [
    ...(shiftUntil > 0 ? [{ kind: 'shift' as const, from: dayOf(-7), to: dayOf(shiftUntil * 7 - 1) }] : []),
    ...(sick === null ? [] : [{ kind: 'sick' as const, from: dayOf(sick.from), to: dayOf(sick.from + sick.length) }]),
  ]
  const booking: SettledBooking = {
    bookingId: 0,
    webUserId: 0,
    isEnded: false,
    lateCents: 0,
    feeCents: place.fee,
    processingCents: place.processing,
    energyCents: place.energy,
    promised: LESSONS - joinsAt,
    isWaiverOffered: place.hasWaiver,
    employeeStatus,
    rule: isExternal ? 'external' : 'fee',
    placeSince: `${dayOf(joinsAt * 7 - 3)} 09:00:00`,
    presence: marks.flatMap((mark, lesson) =>
      mark === 'untouched' ? [] : [{ lessonId: lesson, isPresent: mark === 'present' }],
    ),
    decision: place.decision,
    proofs,
  }
  return { place, booking }
}

/** Cents of each person in a random course, by the portal and by the second calculation. */
function settleRandomCourse(random: Random): { portal: number[]; second: number[]; kinds: Set<string> } {
  const states = Array.from({ length: LESSONS }, () =>
    random.oneOf<LessonState>(['held', 'held', 'held', 'held', 'held', 'held', 'cancelled', 'excluded']),
  )
  const isCancelled = random.isIn(0.05)
  const people = Array.from({ length: PEOPLE_OF_COURSE }, () => planPlace(random, states))
  const recorded = new Set(
    [...states.keys()].filter(lesson => people.some(({ place }) => place.marks[lesson] !== 'untouched')),
  )
  const lessons = states.map(
    (state, lesson): SettledLesson => ({
      id: lesson,
      heldAt: `${dayOf(lesson * 7)} 18:00:00`,
      endsAt: `${dayOf(lesson * 7)} 19:00:00`,
      isCancelled: state === 'cancelled',
      isExcluded: state === 'excluded',
      isRecorded: recorded.has(lesson),
    }),
  )
  const second: number[] = []
  const bookings = people.flatMap(({ place, booking }, person): SettledBooking[] => {
    const full = place.fee + place.processing + place.energy
    const late = random.isIn(0.15) ? random.upTo(full) : null
    const isBookedAgain = late !== null && random.isIn(0.5)
    const costs = late !== null && !isBookedAgain ? 0 : secondCalculation(place, states, recorded)
    second.push(isCancelled ? 0 : Math.min(costs + (late ?? 0), full))
    const own = { ...booking, webUserId: person + 1, bookingId: 2 * person + 2 }
    const ended = { ...own, bookingId: 2 * person + 1, isEnded: true, lateCents: late ?? 0 }
    return late === null ? [own] : isBookedAgain ? [ended, own] : [ended]
  })
  const lines = calculateCourseSettlement({ isCancelled, lessons }, bookings, { region: 'DE-NI', now: NOW })
  const portal = people.map((_, person) =>
    lines.filter(({ webUserId }) => webUserId === person + 1).reduce((sum, { cents }) => sum + sumCents(cents), 0),
  )
  return { portal, second, kinds: new Set(lines.map(({ outcome }) => outcome)) }
}

test(`${SEEDS} random seasons of ${COURSES * PEOPLE_OF_COURSE} people: the settlement equals a second calculation to the cent`, () => {
  const kinds = new Set<string>()
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = createRandom(seed)
    for (let course = 1; course <= COURSES; course += 1) {
      const settled = settleRandomCourse(random)
      expect(settled.portal, `seed ${seed}, course ${course}`).toEqual(settled.second)
      for (const kind of settled.kinds) kinds.add(kind)
    }
  }
  expect([...kinds].sort()).toEqual([
    'course-cancelled',
    'does-not-earn',
    'ended',
    'not-regular',
    'regular',
    'undecided',
  ])
}, 300_000)
