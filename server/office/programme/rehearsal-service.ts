import { setTimeout as sleep } from 'node:timers/promises'
import type { Rehearsal } from '#contract/office/rehearsal.ts'
import { EMPLOYEE_STATUS, type EmployeeStatus } from '#contract/values.ts'
import { isSoldOut } from '#server/features/bookings/booking-batch-service.ts'
import { insertBookings } from '#server/features/bookings/booking-repository.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import { HttpProblem, notFound } from '#server/platform/http/problems.ts'
import {
  type DemandRow,
  insertStandIns,
  isDraftSeason,
  listDemand,
  listSeasonCourses,
  lockRehearsal,
  openSeason,
  type SeasonCourse,
} from './rehearsal-repository.ts'
import { assignDemand, type Outcome, summarize } from './rehearsal-rules.ts'

/** Maximum number of requests that are booked in one statement, as in a burst. */
const MOST_TOGETHER = 500
const RETRY_S = 30
const LONGEST_PAUSE_MS = 1_000

/** Thrown to roll the transaction back, with its result. */
class RolledBack extends Error {
  readonly result: Rehearsal
  constructor(result: Rehearsal) {
    super('the rehearsal is rolled back')
    this.result = result
  }
}

/**
 * Books the demand of an earlier season in a draft season in a transaction that is rolled back. Cancellations are not
 * repeated. Real accounts and other seasons are not locked; changes to the draft are refused as busy until it ends.
 * @throws HttpProblem 404; 409 if the season is not a draft; 503 if another rehearsal is running
 */
export async function rehearseOpening(db: Database, seasonId: number, demandSeasonId: number): Promise<Rehearsal> {
  const isDraft = await isDraftSeason(db, seasonId)
  if (isDraft === null || (await isDraftSeason(db, demandSeasonId)) === null) throw notFound()
  if (!isDraft) throw new HttpProblem(409, 'http.notADraft')
  const done = await db
    .transaction(async tx => {
      if (!(await lockRehearsal(tx))) throw new HttpProblem(503, 'http.otherRehearsal', { seconds: RETRY_S })
      throw new RolledBack(await bookDemand(tx, seasonId, demandSeasonId))
    })
    .catch((error: unknown) => error)
  if (done instanceof RolledBack) return done.result
  throw done
}

type Request = { course: SeasonCourse; person: number; status: EmployeeStatus | null; afterMs: number }

async function bookDemand(tx: Queryable, seasonId: number, demandSeasonId: number): Promise<Rehearsal> {
  const [demand, earlier, draft] = [
    await listDemand(tx, demandSeasonId),
    await listSeasonCourses(tx, demandSeasonId),
    await listSeasonCourses(tx, seasonId),
  ]
  const assigned = assignDemand(earlier, draft)
  const { requests, statuses, unassigned } = toRequests(demand, assigned)
  await openSeason(tx, seasonId)
  const ids = await insertStandIns(tx, statuses)
  const outcomes: Outcome[] = []
  for (let first = 0; first < requests.length; first += MOST_TOGETHER) {
    const since = performance.now()
    outcomes.push(...(await bookTogether(tx, requests.slice(first, first + MOST_TOGETHER), ids)))
    // Leaves processor time to the people who book meanwhile, and stays below the limit of an idle transaction.
    await sleep(Math.min(4 * (performance.now() - since), LONGEST_PAUSE_MS))
  }
  const bases = new Map([...assigned.values()].map(({ course, basis }) => [course.id, basis]))
  return { people: statuses.length, requests: requests.length, unassigned, ...summarize(outcomes, draft, bases) }
}

/**
 * Replaces the people by numbers, and each refused request by a person who may not wait.
 * @returns `statuses`: employee status by number of the person
 */
function toRequests(demand: readonly DemandRow[], assigned: ReturnType<typeof assignDemand>) {
  const statuses: (EmployeeStatus | null)[] = []
  const numbers = new Map<string, number>()
  const numberOf = (key: string, status: EmployeeStatus | null) => {
    const number = numbers.get(key) ?? statuses.push(status) - 1
    numbers.set(key, number)
    return number
  }
  const seen = new Set<string>()
  const refused = new Map<number, number>()
  let unassigned = 0
  const requests = demand.flatMap((row): Request[] => {
    const course = assigned.get(row.courseId)?.course
    if (!course) {
      unassigned += row.requests
      return []
    }
    if (row.webUserId === null)
      return Array.from({ length: row.requests }, () => {
        const nth = (refused.get(course.id) ?? 0) + 1
        refused.set(course.id, nth)
        const status = EMPLOYEE_STATUS.External
        return { course, person: numberOf(`refused ${nth}`, status), status, afterMs: row.afterMs }
      })
    const status = row.employeeStatus
    const person = numberOf(`${row.webUserId} ${status}`, status)
    const key = `${course.id} ${person}`
    if (seen.has(key)) return []
    seen.add(key)
    return [{ course, person, status, afterMs: row.afterMs }]
  })
  return { requests, statuses, unassigned }
}

const FEE = { cents: 0, rule: 'fee', energyCents: 0, onceVerifiedCents: null } as const

async function bookTogether(tx: Queryable, requests: readonly Request[], ids: readonly number[]): Promise<Outcome[]> {
  const found = await insertBookings(
    tx,
    requests.map(({ course, person, status }) => ({
      courseId: course.id,
      webUserId: ids[person] ?? 0,
      fee: FEE,
      employeeStatus: status,
      mayWait: status !== EMPLOYEE_STATUS.External,
      mail: '{}',
    })),
  )
  return requests.map(({ course, person, afterMs }, index) => {
    const one = found[index] ?? null
    const at = { courseId: course.id, person, afterMs }
    if (one === null || one === 'left' || isSoldOut(one))
      return { ...at, state: 'refused', taken: isSoldOut(one) ? one.taken : course.capacity }
    return { ...at, state: one.position === 0 ? 'booked' : 'waiting', taken: one.taken }
  })
}
