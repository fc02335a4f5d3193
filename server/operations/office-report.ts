import { findReportSeasons, headlineFigures } from '#contract/office/headline-figures.ts'
import { getOfficeMoney, listClosing } from '#contract/office/money.ts'
import { getReport } from '#contract/office/report.ts'
import { BILLING_TASKS, countBillingTasks, TASK_RIGHTS } from '#contract/office/tasks.ts'
import type { Right } from '#contract/values.ts'
import { listSeasons } from '#server/features/courses/repository.ts'
import { mayLogIn } from '#server/features/session/account-repository.ts'
import { rightsOfUser } from '#server/features/session/repository.ts'
import { listShownTasks, readTasks } from '#server/office/frame/today-service.ts'
import { listMostWaitingCourses } from '#server/office/money/closing-service.ts'
import { getSeasonReport } from '#server/office/money/report-service.ts'
import { getMoneyOverview } from '#server/office/money/service.ts'
import { type Database, sql } from '#server/platform/db/client.ts'
import { findServerTime, toDateTimeValue } from '#server/platform/db/date-time.ts'
import type { OfficeReport, OfficeReportMail } from '#server/platform/outbox/mail-kinds.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'

/** When the weekly report is due (1: Monday), and the hour of both; a missed one is sent up to two days later. */
const DUE = { weekday: 5, hour: 7 }
const DAYS_TO_CATCH_UP = 2

/**
 * Queues the reports that members of the department have chosen, once per person and period. Idempotent, and several
 * servers may run it concurrently.
 * @param at timestamp without time zone in the portal's time zone; default: now
 * @returns number of e-mails
 */
export const queueOfficeReports = (db: Database, at: string | null = null): Promise<number> =>
  db.transaction(async tx => {
    const due = await tx.query<{ webUserId: number } & OfficeReportMail>(sql`
      with moment as (
        select time::date as day, time - ${DUE.hour} * interval '1 hour' as now
        from (select coalesce(${at}::timestamp, localtimestamp) as time) clock
      ), period as (
        select day,
          case when extract(isodow from now) between ${DUE.weekday} and ${DUE.weekday + DAYS_TO_CATCH_UP}
            then date_trunc('week', now)::date end as week,
          case when extract(day from now) <= ${1 + DAYS_TO_CATCH_UP} then date_trunc('month', now)::date end as month
        from moment
      ), due as (
        select r.web_user_id, p.*, r.report_monthly and r.report_month is distinct from p.month and p.month is not null as is_monthly
        from period p cross join reminders r join web_users u on u.id = r.web_user_id
        where (r.report_weekly and p.week is not null and r.report_week is distinct from p.week
            or r.report_monthly and p.month is not null and r.report_month is distinct from p.month)
          and ${mayLogIn} and position('@' in u.email) > 0 and ${rightsOfUser} && ${[...TASK_RIGHTS]}::text[]
          and exists (select from courses c join seasons s on s.id = c.season_id where not s.is_draft)
        for update of r
      )
      update reminders r set report_week = coalesce(due.week, r.report_week), report_month = coalesce(due.month, r.report_month)
      from due where r.web_user_id = due.web_user_id
      returning r.web_user_id as "webUserId", case when due.is_monthly then 'month' else 'week' end as period,
        due.day::text as day`)
    for (const { webUserId, ...payload } of due) await insertMail(tx, { webUserId, kind: 'office-report', payload })
    return due.length
  })

async function readSeason(db: Database, region: string): Promise<OfficeReport['season']> {
  const { season, before } = findReportSeasons(await listSeasons(db), toDateTimeValue(await findServerTime(db)))
  const headlineOf = async (one: typeof season) => {
    const report = one && (await getSeasonReport(db, { seasonId: one.id, against: null }, region))
    return one && report ? { name: one.name, name2: one.name2, figures: headlineFigures(report) } : null
  }
  const headline = await headlineOf(season)
  return season && headline ? { id: season.id, ...headline, before: await headlineOf(before) } : null
}

/**
 * Reads what a member of the department may see now of the report and of *Today*, from the same sources as the screens.
 * @returns null if there is nothing
 */
export async function readOfficeReport(db: Database, webUserId: number, region: string): Promise<OfficeReport | null> {
  const member = await db.maybeOne<{ rights: Right[] }>(sql`
    select ${rightsOfUser} as rights from web_users u where u.id = ${webUserId} and ${mayLogIn}`)
  const rights = member?.rights ?? []
  const may = (endpoint: { rights: readonly Right[] }) => endpoint.rights.some(right => rights.includes(right))
  const shown = listShownTasks(rights)
  const { totals } = await readTasks(db, shown, { limit: 1, offset: 0, language: 'de' })
  const counts = may(getOfficeMoney) ? countBillingTasks(await getMoneyOverview(db, null, region)) : null
  const report: OfficeReport = {
    season: may(getReport) ? await readSeason(db, region) : null,
    tasks: shown.map(task => ({ task, count: totals[task] ?? 0 })).filter(({ count }) => count > 0),
    billing: BILLING_TASKS.map(task => ({ task, count: counts?.[task] ?? 0 })).filter(({ count }) => count > 0),
    waiting: may(listClosing) ? await listMostWaitingCourses(db, region) : [],
  }
  const { season, tasks, billing, waiting } = report
  return season === null && tasks.length + billing.length + waiting.length === 0 ? null : report
}
