import { type Queryable, sql } from '#server/platform/db/client.ts'
import { message, type TranslatableMessage } from '#server/platform/files/messages.ts'
import type { ParsedFolder, ParsedTable } from '../parse-folder.ts'
import type { ColumnsByName } from '../tables.ts'

/** Number of rows removed per table. */
export type RemovedCounts = {
  courses: number
  courseDates: number
  albums: number
  photos: number
  content: number
}

const keysOf = <C extends ColumnsByName>({ rows }: ParsedTable<C>, name: keyof C) =>
  rows.map(({ values }) => values[name])

/**
 * Removes photos, albums, content items and courses that are missing from the folder's files. Courses that have an
 * album, or that have ever had bookings or attendance, are not removed but listed in `notes`. If a file itself is
 * missing, none of its items are removed.
 */
export async function pruneMissingItems(
  tx: Queryable,
  { courses, albums, photos, content }: ParsedFolder,
  notes: TranslatableMessage[],
): Promise<RemovedCounts> {
  const removals = { courses: 0, courseDates: 0, albums: 0, photos: 0, content: 0 }
  if (photos.isPresent) {
    removals.photos += await tx.execute(sql`
      delete from photos where (album_id, file_name) not in (
        select * from unnest(${keysOf(photos, 'albumId')}::int[], ${keysOf(photos, 'fileName')}::text[]))`)
  }
  if (albums.isPresent) {
    const kept = keysOf(albums, 'id')
    removals.photos += await tx.execute(sql`delete from photos where not album_id = any(${kept}::int[])`)
    removals.albums += await tx.execute(sql`delete from albums where not id = any(${kept}::int[])`)
  }
  if (content.isPresent) {
    removals.content += await tx.execute(sql`
      delete from content_items where (content_type, sort_order) not in (
        select * from unnest(${keysOf(content, 'contentType')}::text[], ${keysOf(content, 'sortOrder')}::int[]))`)
  }
  if (courses.isPresent) Object.assign(removals, await pruneCourses(tx, keysOf(courses, 'number'), notes))
  return removals
}

async function pruneCourses(
  tx: Queryable,
  numbers: unknown[],
  notes: TranslatableMessage[],
): Promise<Pick<RemovedCounts, 'courses' | 'courseDates'>> {
  // PostgreSQL evaluates the condition again after waiting for a row lock. Since `taken` is in the course's row, a
  // course that is booked concurrently no longer satisfies the condition and is not removed.
  const removable = await tx.query<{ id: number }>(sql`
    select id from courses c where not number = any(${numbers}::text[]) and taken = 0
      and not exists (select from bookings b where b.course_id = c.id)
      and not exists (select from albums a where a.course_id = c.id)
      and not exists (
        select from course_dates d where d.course_id = c.id and (
          exists (select from attendances a where a.course_date_id = d.id)
          or exists (select from attendance_changes a where a.course_date_id = d.id)))
    order by id for update of c`)
  const ids = removable.map(({ id }) => id)
  const courseDates = await tx.execute(sql`delete from course_dates where course_id = any(${ids})`)
  const courses = await tx.execute(sql`delete from courses where id = any(${ids})`)
  const stayed = await tx.query<{ number: string }>(sql`
    select number from courses where not number = any(${numbers}::text[]) order by number`)
  for (const { number } of stayed)
    notes.push(message`Course ${number} is not in courses.csv but stays: it has bookings, attendance or an album`)
  return { courses, courseDates }
}
