import type { BillingType, EmployeeStatus } from '#contract/values.ts'
import { effectiveLessons } from '#server/features/courses/lesson-repository.ts'
import { lessonParticipants } from '#server/features/lessons/participant-repository.ts'
import { siteOfLesson } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { byName } from '#server/platform/db/name-order.ts'

/** A person with a lesson at a site on a given day. */
export type PlantSecurityListEntry = {
  webUserId: number
  site: string
  name: string
  employeeStatus: EmployeeStatus | null
  billingType: BillingType | null
}

/**
 * Participants in all lessons at a site, or at all sites, on a day, as on every list of these lessons; each person
 * appears once per site. Lessons without a site, such as online ones, are excluded.
 */
export const listPlantSecurityEntries = (
  db: Queryable,
  { day, site }: { day: string; site: string | null },
): Promise<PlantSecurityListEntry[]> =>
  db.query(sql`
    select distinct on (l.site, ${byName('u')}, u.id) u.id as "webUserId", l.site,
      concat_ws(', ', u.family_name, nullif(u.given_name, '')) as name,
      coalesce(b.employee_status, u.employee_status) as "employeeStatus", coalesce(b.billing_type, u.billing_type) as "billingType"
    from (
      select p.booking_id, p.web_user_id, ${siteOfLesson} as site
      from ${lessonParticipants(sql`d.held_at::date = ${day}::date`)} join ${effectiveLessons} on l.id = p.course_date_id
      where p.belongs and l.takes_place
    ) l join web_users u on u.id = l.web_user_id left join bookings b on b.id = l.booking_id
    where u.deleted_at is null and l.site <> '' and (${site}::text is null or l.site = ${site}::text)
    order by l.site, ${byName('u')}, u.id, b.id desc nulls last`)

export const findServerDate = async (db: Queryable): Promise<string> =>
  (await db.one<{ today: string }>(sql`select current_date::text as today`)).today
