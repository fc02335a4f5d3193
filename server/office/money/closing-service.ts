import type { ResponseOf } from '#contract/endpoint.ts'
import { type CLOSING_ACTORS, CLOSING_STEPS, type listClosing } from '#contract/office/money.ts'
import { countDueCertificates } from '#server/features/certificates/repository.ts'
import { type CourseRemainder, isClosingAutomatic, listCourseRemainders } from '#server/features/money/repository.ts'
import { isUnrecordedLesson, lastLessonEnd, sumCents } from '#server/features/money/rules.ts'
import {
  type CourseToSettle,
  listCoursesToSettle,
  listSettleableCourses,
} from '#server/features/money/settlement-repository.ts'
import { calculateSettlementLines, isSettlementOutdated } from '#server/features/money/settlement-service.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { findServerTime } from '#server/platform/db/date-time.ts'

type Closing = ResponseOf<typeof listClosing>
type Row = Closing['courses'][number]
type Step = (typeof CLOSING_STEPS)[number]
type Actor = (typeof CLOSING_ACTORS)[number]

/** @returns null if nothing is left to do for the course */
function findNextStep(
  course: CourseToSettle,
  left: CourseRemainder,
  { region, now, certificates }: { region: string; now: string; certificates: number },
): Row | null {
  const { courseId, number, name, name2, lessons, isCancelled, isClosed, settlement } = course
  const lines = calculateSettlementLines(course, region, now)
  const openLessons = isCancelled ? 0 : lessons.filter(lesson => isUnrecordedLesson(lesson, now)).length
  const undecided = lines.filter(({ outcome }) => outcome === 'undecided').length
  const isSettled = settlement !== null && !isSettlementOutdated(course, lines) && undecided === 0
  const done: Record<Exclude<Step, 'certificates'>, boolean> = {
    list: isCancelled || (openLessons === 0 && isClosed),
    proofs: left.openProofs === 0,
    settlement: isSettled,
    handover: isSettled && left.unbilled === 0,
    payment: isSettled && left.unbilled === 0 && left.payrollCents === 0 && left.invoiceCents === 0,
  }
  const isPaid = Object.values(done).every(Boolean)
  const counts: Record<Step, number> = {
    list: openLessons,
    proofs: left.openProofs,
    settlement: undecided,
    handover: left.unbilled,
    payment: left.unpaid,
    certificates,
  }
  const steps = CLOSING_STEPS.map(step => ({
    step,
    isDone: step === 'certificates' ? isPaid && certificates === 0 : done[step],
    count: counts[step],
  }))
  const next = steps.find(({ isDone }) => !isDone)?.step
  if (next === undefined) return null
  const actors: Partial<Record<Step, Actor>> = {
    // Without a lesson that takes place, there is nothing that an instructor could record.
    list: lessons.some(lesson => !lesson.isCancelled) ? 'instructor' : 'department',
    payment: left.payrollCents === 0 ? 'payers' : 'payroll',
  }
  const expected = lines.reduce((sum, { cents }) => sum + Math.max(0, sumCents(cents)), 0)
  const waiting = settlement === null ? expected : left.unbilledCents + left.payrollCents + left.invoiceCents
  const lastLesson = lastLessonEnd(lessons)?.slice(0, 10) ?? null
  return {
    courseId,
    number,
    name,
    name2,
    lastLesson,
    steps,
    next,
    actor: actors[next] ?? 'department',
    waiting: waiting / 100,
  }
}

/** Number of courses that reports name. */
const MOST_REPORTED = 3

/** The courses that hold up most money. */
export const listMostWaitingCourses = async (db: Queryable, region: string): Promise<Row[]> =>
  (await listClosingCourses(db, null, region)).courses.filter(({ waiting }) => waiting > 0).slice(0, MOST_REPORTED)

/** What the courses of a season, or of all seasons, need after their last lesson. */
export async function listClosingCourses(db: Queryable, seasonId: number | null, region: string): Promise<Closing> {
  const now = await findServerTime(db)
  const ids = await listSettleableCourses(db, seasonId)
  const courses = await listCoursesToSettle(db, ids)
  const remainders = await listCourseRemainders(db, ids)
  const due = await countDueCertificates(db, ids)
  const leftOf = new Map(remainders.map(left => [left.courseId, left]))
  const rows: Row[] = []
  let finished = 0
  for (const course of courses) {
    const left = leftOf.get(course.courseId)
    if (left === undefined || (!course.isCancelled && (lastLessonEnd(course.lessons) ?? '') > now)) continue
    const row = findNextStep(course, left, { region, now, certificates: due.get(course.courseId) ?? 0 })
    if (row === null) finished += 1
    else rows.push(row)
  }
  return { courses: rows.sort((a, b) => b.waiting - a.waiting), finished, isAutomatic: await isClosingAutomatic(db) }
}
