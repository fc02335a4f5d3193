import { effectiveLessons } from '#server/features/courses/lesson-repository.ts'
import { siteOfLesson } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { byName } from '#server/platform/db/name-order.ts'

/** A lesson as shown on the sheet of its room. */
export type RoomSheetLesson = {
  /** 'YYYY-MM-DD' */
  date: string
  /** 'HH:mm' */
  startTime: string
  endTime: string
  room: string
  site: string
  name: string
  name2: string
  number: string
  instructor: string
  takesPlace: boolean
}

/**
 * Lessons of published seasons that are held in a room or at a venue, by day, site and room. A course with a link
 * is held in a room if that is registered and not called *Online*.
 * @param room name of the only room or venue; null: all
 */
export const listRoomSheetLessons = (
  db: Queryable,
  { from, to, room }: { from: string; to: string; room: string | null },
): Promise<RoomSheetLesson[]> =>
  db.query(sql`
    select l.held_at::date as date, to_char(l.held_at, 'HH24:MI') as "startTime", to_char(l.ends_at, 'HH24:MI') as "endTime",
      l.venue as room, ${siteOfLesson} as site, l.course_name as name, l.course_name2 as name2, l.number,
      l.takes_place as "takesPlace", coalesce((
        select string_agg(concat_ws(' ', nullif(i.given_name, ''), i.family_name), ', ' order by ${byName('i')})
        from instructors i where i.email = any(l.instructors)), c.instructor) as instructor
    from ${effectiveLessons} join courses c on c.id = l.course_id join seasons s on s.id = c.season_id and not s.is_draft
    where l.held_at >= ${from}::date and l.held_at < ${to}::date + 1 and l.venue <> '' and (c.meeting_url = '' or l.room_id is not null) and l.venue !~* '^online\\M'
      and (${room}::text is null or l.venue = ${room}::text)
    order by date, site, room, l.held_at, l.number`)
