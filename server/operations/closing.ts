import { randomUUID } from 'node:crypto'
import { MAX_SETTLED_COURSES } from '#contract/acts/money.ts'
import type { Language } from '#contract/values.ts'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { updateAttendanceListClosed } from '#server/features/attendance/repository.ts'
import { listWeeklyReportReaders } from '#server/features/reminders/repository.ts'
import { listRightHolderIds } from '#server/features/session/account-repository.ts'
import { runActSteps } from '#server/office/frame/service.ts'
import { settleCourses } from '#server/office/money/acts/settlement.ts'
import { listClosingCourses, listMostWaitingCourses } from '#server/office/money/closing-service.ts'
import { remindAttendance } from '#server/office/programme/acts/attendance.ts'
import { listAttendanceGaps, listLessonsToRemind } from '#server/office/programme/attendance-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { findServerTime } from '#server/platform/db/date-time.ts'
import { sendNotices } from '#server/platform/outbox/notices.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { translate } from '#server/platform/texts/translate.ts'

type Context = Pick<ServerContext, 'db' | 'config'>
/** Period after the last lesson in which a completely recorded list is left to its instructor. */
const DAYS_FOR_CORRECTIONS = 3
/** Period after a change of its attendance in which a list is left to its instructor, who may have reopened it. */
const HOURS_AFTER_CHANGE = 24
const DAY_MS = 86_400_000
const FRIDAY_MORNING = { weekday: 5, hour: 7 }

const callOf = ({ config }: Context) => ({ actor: { kind: 'command', rights: [] }, language: 'en', config }) as const

const newAct = () => ({ actId: randomUUID(), preview: false })

/** Reminds the instructors of lessons without attendance, a day after the lesson and then once a week. */
async function remindInstructors(tx: Queryable, context: Context): Promise<number> {
  const gaps = await listAttendanceGaps(tx, await listLessonsToRemind(tx))
  const courseDateIds = gaps.filter(({ isGap }) => isGap).map(({ courseDateId }) => courseDateId)
  if (courseDateIds.length > 0) {
    const act = { kind: 'remind-attendance', ...newAct(), courseDateIds } as const
    await runActSteps(tx, act, callOf(context), office => remindAttendance(office, act))
  }
  return courseDateIds.length
}

type ClosingCourse = Awaited<ReturnType<typeof listClosingCourses>>['courses'][number]

/**
 * Whether nothing but the settlement is left to do. A list in which everything is recorded counts as complete some days
 * after the last lesson, even if its instructor has not closed it.
 */
function isReadyToSettle({ next, steps, lastLesson }: ClosingCourse, today: string): boolean {
  const stepOf = new Map(steps.map(one => [one.step, one]))
  if (stepOf.get('settlement')?.isDone || stepOf.get('settlement')?.count !== 0) return false
  if (next !== 'list') return next === 'settlement'
  const days = (Date.parse(today) - Date.parse(lastLesson ?? today)) / DAY_MS
  return stepOf.get('list')?.count === 0 && stepOf.get('proofs')?.isDone === true && days >= DAYS_FOR_CORRECTIONS
}

/** Courses whose attendance was changed so recently that their instructors may still be correcting it. */
const listCoursesInCorrection = async (tx: Queryable, courseIds: readonly number[]): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      select distinct d.course_id as id from course_dates d join attendance_changes a on a.course_date_id = d.id
      where d.course_id = any(${[...courseIds]}::int[])
        and a.received_at > clock_timestamp() - ${HOURS_AFTER_CHANGE} * interval '1 hour'`)
  ).map(({ id }) => id)

/** Closes the lists that their instructors have left open, and tells them so. */
async function closeLists(tx: Queryable, courses: ClosingCourse[]): Promise<void> {
  for (const course of courses) {
    await updateAttendanceListClosed(tx, course.courseId, true)
    const wordsIn = (language: Language) => {
      const say = (key: string) =>
        translate(language, `office.notice.closing.list.${key}`, { course: nameInLanguage(language, course) })
      return { title: say('title'), paragraphs: [say('text')] }
    }
    const [teaching] = await tx.query<{ people: number[]; addresses: string[] }>(sql`
      select coalesce(array_agg(u.id) filter (where u.id is not null), '{}') as people,
        coalesce(array_agg(i.email) filter (where u.id is null), '{}') as addresses
      from course_instructors i left join web_users u on u.email = i.email and u.deleted_at is null
      where i.course_id = ${course.courseId}`)
    const notice = { words: { de: wordsIn('de'), en: wordsIn('en') }, path: `/course-participation/${course.courseId}` }
    if (teaching) await sendNotices(tx, [{ ...teaching, notice }])
  }
}

/** Settles the courses whose lists and proofs are complete, unless the department has to decide about someone. */
async function settleCompleteCourses(tx: Queryable, context: Context): Promise<number> {
  const { courses } = await listClosingCourses(tx, null, context.config.region)
  const today = (await findServerTime(tx)).slice(0, 10)
  const complete = courses.filter(course => isReadyToSettle(course, today))
  const openIds = complete.flatMap(({ courseId, next }) => (next === 'list' ? courseId : []))
  const inCorrection = await listCoursesInCorrection(tx, openIds)
  const ready = complete.filter(({ courseId }) => !inCorrection.includes(courseId)).slice(0, MAX_SETTLED_COURSES)
  const courseIds = ready.map(({ courseId }) => courseId)
  if (courseIds.length > 0) {
    await closeLists(
      tx,
      ready.filter(({ next }) => next === 'list'),
    )
    const act = { kind: 'settle-courses', ...newAct(), courseIds } as const
    await runActSteps(tx, act, callOf(context), office => settleCourses(office, act))
  }
  return courseIds.length
}

/** Tells those who bill, once a week, which courses hold up most money, unless they receive the weekly report. */
async function reportWaitingMoney(tx: Queryable, context: Context): Promise<number> {
  const reported = await listMostWaitingCourses(tx, context.config.region)
  if (reported.length === 0) return 0
  const wordsIn = (language: Language) => {
    const say = (key: string, values = {}) => translate(language, `office.notice.closing.${key}`, values)
    const lines = reported.map(course =>
      say('line', {
        course: `${course.number} ${nameInLanguage(language, course)}`,
        amount: formatMoney(course.waiting),
        step: say(`step.${course.next}`),
        actor: say(`actor.${course.actor}`),
      }),
    )
    return { title: say('title'), paragraphs: [say('text'), lines.join('\n')] }
  }
  const readers = await listWeeklyReportReaders(tx)
  const people = (await listRightHolderIds(tx, 'billing')).filter(id => !readers.includes(id))
  await sendNotices(tx, [
    { people, notice: { words: { de: wordsIn('de'), en: wordsIn('en') }, path: '/office/money' } },
  ])
  return reported.length
}

/**
 * Takes the steps after the last lessons that need nobody’s decision, if the department has switched this on.
 * @param report weekday (1: Monday) and hour of the weekly notice, in the portal’s time zone
 * @returns numbers of lessons and courses; null if it is off, or another server is doing it
 */
export const closeAutomatically = (
  context: Context,
  report = FRIDAY_MORNING,
): Promise<{ reminded: number; settled: number; reported: number } | null> =>
  context.db.transaction(async tx => {
    const state = await tx.maybeOne<{ isReportDue: boolean }>(sql`
      select extract(isodow from localtimestamp) = ${report.weekday} and extract(hour from localtimestamp) >= ${report.hour}
        and closing_reported_on is distinct from localtimestamp::date as "isReportDue"
      from programme where is_closing_automatic and pg_try_advisory_xact_lock(hashtext('closing'))`)
    if (state === null) return null
    const reminded = await remindInstructors(tx, context)
    const settled = await settleCompleteCourses(tx, context)
    const reported = state.isReportDue ? await reportWaitingMoney(tx, context) : 0
    if (state.isReportDue) await tx.execute(sql`update programme set closing_reported_on = localtimestamp::date`)
    return { reminded, settled, reported }
  })
