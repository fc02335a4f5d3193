import type { InferOutput } from 'valibot'
import type { ItemOf, ResponseOf } from '#contract/endpoint.ts'
import type * as contract from '#contract/office.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { processingFeeCents } from '#server/features/bookings/desk-repository.ts'
import { lessons } from '#server/features/courses/lesson-repository.ts'
import { fullName } from './consequences-repository.ts'
import type { Page } from './read-rules.ts'

type PersonInCourse = InferOutput<typeof contract.personInCourse>

/** A line for each person shown, one for a search however many letters of it came. @param read.reader null: an instructor, by name */
export const insertAccesses = (
  db: Queryable,
  read: { readerId: number | null; reader: string | null; call: string; people: (number | null)[] },
): Promise<number> =>
  db.execute(sql`
    insert into office_reads (reader, reader_id, web_user_id, call)
    select coalesce(${read.reader}, (select ${fullName} from web_users u where u.id = ${read.readerId})), ${read.readerId}::int, p, ${read.call}
    from unnest(${read.people}::int[]) p
    where p is not null or not exists (
      select from office_reads r where r.reader_id = ${read.readerId} and r.web_user_id is null and r.call = ${read.call}
        and r.read_at > clock_timestamp() - interval '1 minute')`)

export const listOwnReads = (
  db: Queryable,
  webUserId: number,
  { limit, after }: Page<number>,
): Promise<(ItemOf<typeof contract.listOwnReads> & { id: number })[]> =>
  db.query(sql`
    select id, to_char(read_at, 'YYYY-MM-DD"T"HH24:MI:SS') as at, reader as by, call from office_reads
    where web_user_id = ${webUserId} and (${after} = 0 or id < ${after}) order by id desc limit ${limit + 1}`)

export const listCourses = (
  db: Queryable,
  seasonId: number | null,
  { limit, after }: Page<number>,
): Promise<ItemOf<typeof contract.listOfficeCourses>[]> =>
  db.query(sql`
    select c.id, c.version, c.number, c.name, c.name2, c.season_id as "seasonId", c.category_id as "courseCategoryId",
      c.starts_on as start, c.ends_on as "end", to_char(c.start_time, 'HH24:MI') as "startTime", to_char(c.end_time, 'HH24:MI') as "endTime",
      c.venue, c.is_confirmed as confirmed, c.cancelled_at is not null as cancelled, c.capacity as places,
      least(c.taken, c.capacity) as booked, greatest(c.taken - c.capacity, 0) as waiting,
      (select max(d.held_at)::date from course_dates d where d.course_id = c.id and exists (
        select from attendances a where a.course_date_id = d.id)) as "lastRecorded"
    from courses c where (${seasonId}::int is null or c.season_id = ${seasonId}) and c.id > ${after}
    order by c.id limit ${limit + 1}`)

export const listLessons = (
  db: Queryable,
  courseId: number,
): Promise<ResponseOf<typeof contract.getOfficeCourse>['lessons']> =>
  db.query(sql`
    select l.id as "courseDateId", l.held_at::date as date, to_char(l.held_at, 'HH24:MI') as "startTime",
      to_char(l.ends_at, 'HH24:MI') as "endTime", l.state, l.venue as room, l.note, l.note2, l.room_id as "roomId", l.substitute as "instructorEmail", (
        select case when count(*) > 0 then count(*) filter (where a.is_present) end from attendances a
        where a.course_date_id = l.id and a.is_present is not null) as present, coalesce((
        select string_agg(concat_ws(' ', nullif(i.given_name, ''), i.family_name), ', ' order by i.family_name)
        from instructors i where i.email = any(l.instructors)), '') as instructor
    from ${lessons} where l.course_id = ${courseId} order by l.held_at`)

export const listPeopleOfCourse = (
  db: Queryable,
  courseId: number,
): Promise<(Omit<PersonInCourse, 'freeUntil'> & { state: number; isEnded: boolean })[]> =>
  db.query(sql`
    select u.id as "webUserId", ${fullName} as name, to_char(coalesce(b.promoted_at, b.booked_at), 'YYYY-MM-DD"T"HH24:MI') as since,
      (b.price_cents + b.energy_cents) / 100.0 as price, b.charge, b.charge_cents / 100.0 as "chargeAmount",
      ${processingFeeCents} / 100.0 as "processingFee", b.state, b.cancelled_at is not null as "isEnded"
    from bookings b join web_users u on u.id = b.web_user_id join courses c on c.id = b.course_id where b.course_id = ${courseId} order by b.seq`)

export const findVersionOfCourse = async (db: Queryable, courseId: number): Promise<number | null> =>
  (await db.maybeOne<{ version: number }>(sql`select version from courses where id = ${courseId}`))?.version ?? null

export const listRooms = (
  db: Queryable,
  { limit, after }: Page<number>,
): Promise<ItemOf<typeof contract.listRooms>[]> =>
  db.query(sql`
    select id as "roomId", version, name, site, capacity, is_shared as shared from rooms where id > ${after}
    order by id limit ${limit + 1}`)

/** Places of lessons to come that are no room. An online course needs none. */
export const listUnknownPlaces = (db: Queryable): Promise<ResponseOf<typeof contract.listRooms>['unknown']> =>
  db.query(sql`
    select l.venue as name, l.city as site, max(c.capacity) as capacity, count(distinct c.id)::int as courses,
      count(*)::int as lessons
    from ${lessons} join courses c on c.id = l.course_id
    where l.room_id is null and l.venue <> '' and l.takes_place and l.held_at > localtimestamp and c.meeting_url = ''
    group by 1, 2 order by 1, 2 limit 1000`)

export const listRecord = (
  db: Queryable,
  { kind, person, course, from, to }: { kind?: string; person?: number; course?: number; from?: string; to?: string },
  { limit, after }: Page<number>,
): Promise<(Omit<ItemOf<typeof contract.listRecord>, 'line'> & { line: string })[]> =>
  db.query(sql`
    select r.number as "recordId", to_char(r.acted_at, 'YYYY-MM-DD"T"HH24:MI:SS') as at, r.kind, r.actor_id as "actorId", r.line,
      coalesce((
        select t.text from office_record_texts t
        where t.record_number = r.number and encode(sha256(convert_to(t.text, 'UTF8')), 'hex') = r.line::json ->> 'text'), '') as text
    from office_record r
    where (${after} = 0 or r.number < ${after}) and (${kind ?? null}::text is null or r.kind = ${kind ?? null})
      and (${person ?? null}::int is null or exists (
        select from office_record_people p where p.record_number = r.number and p.web_user_id = ${person ?? null}))
      and (${course ?? null}::int is null or exists (
        select from office_record_courses c where c.record_number = r.number and c.course_id = ${course ?? null}))
      and (${from ?? null}::date is null or r.acted_at::date >= ${from ?? null}::date)
      and (${to ?? null}::date is null or r.acted_at::date <= ${to ?? null}::date)
    order by r.number desc limit ${limit + 1}`)
