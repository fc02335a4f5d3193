import type { RecordedAttendance } from '#contract/endpoints/attendance.ts'
import { createRandom } from '#contract/test/random.ts'

export const COURSE = 1
export const DATES = [11, 12]
export const PEOPLE = [100, 101, 102]
/** Books and cancels while the others are recorded. */
export const LATE_PERSON = 103
export const PHONES = 3
export const USERS = [7, 8]
export const WORK_MS = 150_000

export type Act =
  | { kind: 'tap'; phone: number; date: number; person: number; mark: RecordedAttendance }
  | { kind: 'tapAll'; phone: number; date: number; mark: 'present' | 'absent' }
  | { kind: 'undoAll'; phone: number; date: number }
  | { kind: 'guest'; phone: number; date: number }
  | { kind: 'complete'; phone: number; isCompleted: boolean }
  | { kind: 'decide'; phone: number; decision: 'discard' | 'sendAgain' }
  | { kind: 'network'; phone: number; weather: Weather }
  | { kind: 'disk'; phone: number; health: DiskHealth }
  | { kind: 'lose'; phone: number; what: 'database' | 'everything' }
  | { kind: 'damage'; phone: number; how: 'null' | 'kind' | 'own' }
  | { kind: 'crash' | 'reopen' | 'newTab' | 'freeze' | 'thaw' | 'worker' | 'load' | 'wake' | 'flush'; phone: number }
  | { kind: 'clock'; phone: number; byMs: number }
  | { kind: 'revoke'; user: number }
  | { kind: 'login'; phone: number; user: number }
  | { kind: 'colleague'; date: number; person: number; mark: RecordedAttendance }
  | { kind: 'office'; isCompleted: boolean }
  | { kind: 'book'; person: number; isBooked: boolean }
export type Plan = { at: number; act: Act }[]

export type Weather = 'fine' | 'gone' | 'cut' | 'half' | 'html' | 'foreign' | 'busy' | 'stormy'
export type DiskHealth = 'ok' | 'slow' | 'hangs' | 'fails' | 'full' | 'dies' | 'shaky'

/** Random numbers of a seed. */
export function randomOf(seed: number) {
  const next = createRandom(seed)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
  return { next, pick, between: (low: number, high: number) => low + next() * (high - low) }
}
export type Random = ReturnType<typeof randomOf>

/** What happens to the phones of a seed, and when. */
export function planOf(seed: number): Plan {
  const { next, pick, between } = randomOf(seed)
  const phone = () => (next() < 0.6 ? 0 : pick([1, 1, 2]))
  const isEven = () => next() < 0.5
  /** an undo may take back what nobody had said before */
  const mark = (): RecordedAttendance => pick(['present', 'present', 'absent', 'absent', 'none'])
  const acts: [number, () => Act][] = [
    [
      14,
      () => ({ kind: 'tap', phone: phone(), date: pick(DATES), person: pick([...PEOPLE, LATE_PERSON]), mark: mark() }),
    ],
    [3, () => ({ kind: 'tapAll', phone: phone(), date: pick(DATES), mark: pick(['present', 'absent']) })],
    [1, () => ({ kind: 'undoAll', phone: phone(), date: pick(DATES) })],
    [2, () => ({ kind: 'guest', phone: phone(), date: pick(DATES) })],
    [1, () => ({ kind: 'complete', phone: phone(), isCompleted: isEven() })],
    [2, () => ({ kind: 'decide', phone: phone(), decision: pick(['discard', 'sendAgain']) })],
    [
      5,
      () => ({
        kind: 'network',
        phone: phone(),
        weather: pick(['fine', 'gone', 'gone', 'cut', 'half', 'html', 'foreign', 'busy', 'stormy']),
      }),
    ],
    [
      3,
      () => ({
        kind: 'disk',
        phone: phone(),
        health: pick(['ok', 'ok', 'slow', 'hangs', 'fails', 'full', 'dies', 'shaky']),
      }),
    ],
    [1, () => ({ kind: 'lose', phone: phone(), what: pick(['database', 'database', 'everything']) })],
    [1, () => ({ kind: 'damage', phone: phone(), how: pick(['null', 'kind', 'own']) })],
    [
      7,
      () => ({
        kind: pick(['crash', 'reopen', 'newTab', 'freeze', 'thaw', 'worker', 'load', 'wake', 'flush'] as const),
        phone: phone(),
      }),
    ],
    [1, () => ({ kind: 'clock', phone: phone(), byMs: pick([-1, 1]) * pick([600_000, 86_400_000, 3.15e11]) })],
    [0.7, () => ({ kind: 'revoke', user: pick(USERS) })],
    [0.7, () => ({ kind: 'login', phone: phone(), user: pick(USERS) })],
    [2, () => ({ kind: 'colleague', date: pick(DATES), person: pick(PEOPLE), mark: mark() })],
    [0.5, () => ({ kind: 'office', isCompleted: isEven() })],
    [1.5, () => ({ kind: 'book', person: LATE_PERSON, isBooked: next() < 0.7 })],
  ]
  const total = acts.reduce((sum, [weight]) => sum + weight, 0)
  const draw = (): Act => {
    let left = next() * total
    const [, make] = acts.find(([weight]) => {
      left -= weight
      return left < 0
    }) as (typeof acts)[number]
    return make()
  }
  const count = Math.floor(between(6, 34))
  return Array.from({ length: count }, () => ({ at: between(0, WORK_MS), act: draw() })).sort((a, b) => a.at - b.at)
}
