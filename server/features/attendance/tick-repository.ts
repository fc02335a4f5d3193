import { isLessonGuest, mayAttendLesson } from '#server/features/lessons/participant-repository.ts'
import { isPublished } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import type { DecidedAttendanceChange, StoredAttendance } from './rules.ts'

export type NewAttendanceChange = {
  changeId: string | null
  courseDateId: number
  webUserId: number
  /** null: the record is withdrawn */
  isPresent: boolean | null
  /** null or a future time: replaced by the current time */
  changedAt: Date | null
  /** the change has no effect if the person is recorded as present or absent */
  ifUnrecorded?: boolean
  /** the change has no effect unless one of these earlier changes is the recorded one; null: no condition */
  ifChangeIds?: string[] | null
  /** account of the user; null for an API client */
  recordedBy: number | null
  /**
   * e-mail address of the instructor who recorded the change; the change is accepted only if that instructor taught the
   * lesson at the time. Null for the department, which may also change closed attendance lists
   */
  email: string | null
}

/** Result of an attendance change in the database. */
export type AttendanceChangeResult = {
  verdict: DecidedAttendanceChange | 'notTaught'
  /** whether the stored attendance equals this change; if false, it may differ */
  isWritten: boolean
  /** the person, or the one into whom they have been merged */
  webUserId: number
}

/**
 * SQL that stores new attendance changes and updates attendance unless a later change exists. A lesson that the department
 * excluded because nobody had recorded it counts again. `presence` returns the resulting state.
 * @param isReplaceable condition on the recorded attendance, checked while its row is locked
 */
export const writeAttendanceChanges = (changes: SqlFragment, isReplaceable = sql`true`): SqlFragment => sql`
  change as (
    insert into attendance_changes (
      change_id, course_date_id, web_user_id, is_present, changed_at, recorded_by, is_conditional
    ) ${changes}
    on conflict (change_id) do nothing
    returning course_date_id, web_user_id, is_present, changed_at
  ), presence as (
    insert into attendances (course_date_id, web_user_id, is_present, changed_at) select * from change
    on conflict (course_date_id, web_user_id) do update
      set is_present = excluded.is_present, changed_at = excluded.changed_at, is_day_only = false
      where attendances.changed_at <= excluded.changed_at and ${isReplaceable}
    returning course_date_id, web_user_id, is_present
  ), included as (
    update course_dates d set is_excluded = false from presence p
    where d.id = p.course_date_id and d.is_excluded and p.is_present is not null returning d.id
  ), reloaded as (
    update programme set revision = revision + 1 where exists (select from included)
  )`

/** SQL for the person into whom this person has been merged, or else the person. */
const heirOf = (webUserId: SqlFragment): SqlFragment => sql`coalesce((
  with recursive heir as (
    select m.into_id, 1 as depth from merges m where m.from_id = ${webUserId}
    union all
    select m.into_id, h.depth + 1 from heir h join merges m on m.from_id = h.into_id
  )
  select into_id from heir order by depth desc limit 1), ${webUserId})`

/**
 * Stores attendance changes and updates attendance unless a later change exists. One statement and one commit cover all
 * changes, under share locks on the courses, so that each change is either stored before the attendance list is closed
 * or rejected. A change that is already stored, or is being stored by a concurrent transaction, has no effect. The
 * checks have the same order as in decideAttendanceChange in rules.ts; tests compare both. A change of a merged person,
 * whom a phone that was offline still lists, applies to the remaining one by the rule of the merge: `present` takes
 * precedence.
 * @param changes at most one per person and lesson
 * @returns results in the same order; null for an unknown lesson; `left` if another transaction has locked the course,
 * or had locked it when this one started
 */
export async function insertAttendanceChanges(
  db: Queryable,
  changes: NewAttendanceChange[],
): Promise<(AttendanceChangeResult | 'left' | null)[]> {
  const columnOf = <Key extends keyof NewAttendanceChange>(key: Key) => changes.map(change => change[key])
  const dateIds = columnOf('courseDateId')
  const rows = await db.query<AttendanceChangeResult & { isUnknown: boolean; isLeft: boolean }>(sql`
    with asked as materialized (
      select change_id, course_date_id, heir.id as web_user_id, heir.id <> a.web_user_id as is_merged, is_present, changed_at,
        recorded_by, email, if_unrecorded, if_change_ids, number,
        row_number() over (partition by course_date_id, heir.id order by number) > 1 as is_doubled
      from unnest(${columnOf('changeId')}::uuid[], ${dateIds}::int[], ${columnOf('webUserId')}::int[],
        ${columnOf('isPresent')}::boolean[], ${columnOf('changedAt')}::timestamptz[], ${columnOf('recordedBy')}::int[],
        ${columnOf('email')}::text[], ${changes.map(({ ifUnrecorded = false }) => ifUnrecorded)}::boolean[],
        ${changes.map(({ ifChangeIds = null }) => ifChangeIds && ifChangeIds.join())}::text[]
      ) with ordinality as a (change_id, course_date_id, web_user_id, is_present, changed_at, recorded_by, email,
        if_unrecorded, if_change_ids, number)
        cross join lateral (select ${heirOf(sql`a.web_user_id`)} as id) heir
    ), lesson as materialized (
      select d.id, d.course_id, d.held_at, d.held_at::date as held_on, d.state, d.instructor_email, c.revision
      from course_dates d join courses c on c.id = d.course_id where d.id = any(${dateIds}::int[]) and ${isPublished}
    ), course as materialized (
      select c.id, c.revision, c.is_participating_complete, c.cancelled_at,
        c.central_test_institute <> '' as is_health,
        array(select i.email from course_instructors i where i.course_id = c.id) as emails
      from courses c where c.id = any(array(select course_id from lesson)) order by c.id for share skip locked
    ), consent as materialized (
      -- Locked, so that withdrawing consent either waits and deletes the new attendance or is seen here.
      select s.web_user_id from consents s
      where s.kind = 'attendance' and s.withdrawn_at is null and s.web_user_id = any(array(
        select a.web_user_id from asked a join lesson l on l.id = a.course_date_id join course c on c.id = l.course_id
        where c.is_health))
      order by s.id for share
    ), met as materialized (
      select a.*, l.id is null as is_unknown, c.id is null or a.is_doubled as is_left, l.held_on,
        a.email is null or case when taught.by is null then a.email = any(c.emails) or exists (
            select from former_instructors f
            where f.course_id = l.course_id and f.course_date_id is null and f.email = a.email and f.until > taught.at)
          else a.email = taught.by end as is_taught,
        c.is_participating_complete and a.email is not null as is_complete, l.state = 'cancelled' or c.cancelled_at is not null as falls_out,
        exists (select from attendance_changes k where k.change_id = a.change_id) as is_known,
        exists (select from attendance_changes k where k.change_id = a.change_id and k.recorded_by = a.recorded_by
          and k.course_date_id = a.course_date_id and k.web_user_id = a.web_user_id) as is_own_repeat,
        c.is_health and not exists (select from consent s where s.web_user_id = a.web_user_id) and exists (
          select from consents s where s.web_user_id = a.web_user_id and s.kind = 'attendance') as is_withdrawn,
        case when exists (select from (select l.id, l.held_at) d where ${isLessonGuest(sql`a.web_user_id`)}) then 'inLesson'
          else coalesce((
            select case when bool_or(${mayAttendLesson}) then 'inLesson' else 'outside' end
            from bookings b, (select l.held_at) d where b.course_id = l.course_id and b.web_user_id = a.web_user_id
            group by b.course_id),
            case when exists (select from web_users u where u.id = a.web_user_id) then 'outside' else 'unknown' end) end as standing
      from asked a left join lesson l on l.id = a.course_date_id
        -- A course changed since this statement began counts as locked: its snapshot of the bookings may be outdated.
        left join course c on c.id = l.course_id and c.revision = l.revision
        -- The substitute when the change was made; null: the course's instructors. See docs/decisions/0142.
        left join lateral (
          select moment.at, case when f.id is null then l.instructor_email else f.email end as by
          from (select least(a.changed_at, clock_timestamp()) as at) moment left join lateral (
            select id, email from former_instructors
            where course_date_id = l.id and until > moment.at order by until limit 1) f on true
        ) taught on true
    ), judged as materialized (
      select *, case when not is_taught and not is_own_repeat then 'notTaught' when is_known then 'known'
          when standing = 'unknown' then 'unknownPerson' when falls_out then 'fallsOut' when is_complete then 'complete'
          when held_on > current_date then 'early' when standing <> 'inLesson' then 'notInLesson'
          when is_withdrawn then 'consentWithdrawn' else 'recorded' end as verdict
      from met
    ), ${writeAttendanceChanges(
      sql`
      select coalesce(change_id, gen_random_uuid()), course_date_id, web_user_id, is_present,
        greatest(least(changed_at, clock_timestamp()), (
          select a.changed_at + interval '1 microsecond' from attendances a
          where a.course_date_id = judged.course_date_id and a.web_user_id = judged.web_user_id
            -- What was recorded before the clock was set back has a time to come: a change made after it is later.
            and (is_merged and judged.is_present and a.is_present is false
              or a.changed_at >= clock_timestamp() and a.changed_at < coalesce(judged.changed_at, 'infinity')))), recorded_by,
        if_unrecorded or if_change_ids is not null or is_merged and is_present is not true
      -- Sorted, so that concurrent statements lock shared rows in the same order.
      from judged where not is_left and verdict = 'recorded' order by course_date_id, web_user_id`,
      sql`not exists (
        select from judged j
        where j.course_date_id = attendances.course_date_id and j.web_user_id = attendances.web_user_id
          and not j.is_left and j.verdict = 'recorded'
          and ((j.if_unrecorded or j.is_merged and j.is_present is not true) and attendances.is_present is not null
            or j.if_change_ids is not null and not exists (
              select from attendance_changes k where k.change_id = any(string_to_array(j.if_change_ids, ',')::uuid[])
                and k.course_date_id = attendances.course_date_id and k.web_user_id = attendances.web_user_id
                and k.changed_at = attendances.changed_at and k.is_present is not distinct from attendances.is_present)))`,
    )}
    select is_unknown as "isUnknown", is_left as "isLeft", verdict, web_user_id as "webUserId", p.web_user_id is not null as "isWritten"
    from judged left join presence p using (course_date_id, web_user_id)
    order by number`)
  return rows.map(({ isUnknown, isLeft, ...met }) => {
    if (isUnknown) return null
    return isLeft ? 'left' : met
  })
}

/** Recorded attendance of a person at a lesson and who recorded it; null before the first change. */
export const findStoredAttendance = (
  tx: Queryable,
  courseDateId: number,
  webUserId: number,
): Promise<StoredAttendance | null> =>
  tx.maybeOne(sql`
    select a.is_present as "isPresent", a.changed_at as "changedAt", c.recorded_by as "recordedBy", c.change_id as "changeId"
    from attendances a left join lateral (
      select c.recorded_by, c.change_id from attendance_changes c
      where c.course_date_id = a.course_date_id and c.web_user_id = a.web_user_id and c.changed_at = a.changed_at
        and c.is_present is not distinct from a.is_present
      order by c.received_at desc limit 1) c on true
    where course_date_id = ${courseDateId} and web_user_id = ${webUserId}`)

export const isCourseOfLessonCancelled = async (db: Queryable, courseDateId: number): Promise<boolean> =>
  (
    await db.maybeOne<{ isCancelled: boolean }>(sql`
      select c.cancelled_at is not null as "isCancelled" from course_dates d join courses c on c.id = d.course_id
      where d.id = ${courseDateId}`)
  )?.isCancelled ?? false
