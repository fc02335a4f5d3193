import type { Album, Photo } from '#contract/gallery.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import type { AlbumAccess } from './policy.ts'
import type { NameSigner } from './rules.ts'

const albumColumns = sql`
  a.id, a.name, a.description, a.name2, a.description2, a.thumbnail_file_name as "thumbnailFileName",
  a.is_individual_course as "isIndividualCourse"`

export const listPublicAlbums = (db: Queryable): Promise<Album[]> =>
  db.query(sql`select ${albumColumns} from albums a where a.course_id is null order by a.id`)

/** The albums of the courses in which a person has a place. */
export const listAlbumsOfParticipant = (db: Queryable, webUserId: number): Promise<Album[]> =>
  db.query(sql`
    select ${albumColumns} from albums a join bookings b on b.course_id = a.course_id
    where b.web_user_id = ${webUserId} and b.state = ${BOOKING_STATUS.Booked} and b.cancelled_at is null order by a.id`)

export const findAlbumAccess = (db: Queryable, albumId: number): Promise<AlbumAccess | null> =>
  db.maybeOne(sql`
    select a.course_id is null as "isPublic",
      array(select email from course_instructors i where i.course_id = a.course_id) as "instructorEmails",
      array(select web_user_id from bookings b where b.course_id = a.course_id
        and b.state = ${BOOKING_STATUS.Booked} and b.cancelled_at is null) as "participantIds"
    from albums a where a.id = ${albumId}`)

type PhotoRow = { shotAt: string | null; sortOrder: number; fileName: string }

export async function listPhotosOf(db: Queryable, albumId: number): Promise<Photo[]> {
  const rows = await db.query<PhotoRow>(sql`
    select shot_at as "shotAt", sort_order as "sortOrder", file_name as "fileName"
    from photos where album_id = ${albumId} order by sort_order, file_name`)
  return rows.map(({ shotAt, ...photo }) => ({ ...photo, shootingdate: toDateTimeValue(shotAt) }))
}

/** Whether a picture is in a public album; null when it is in none at all. */
export const findPhotoAccess = (
  db: Queryable,
  kind: 'photo' | 'thumbnail',
  name: string,
): Promise<{ isPublic: boolean } | null> =>
  db.maybeOne(sql`
    select a.course_id is null as "isPublic" from albums a
    where exists (select from photos p where p.album_id = a.id and p.file_name = ${name})
      or (${kind} = 'thumbnail' and a.thumbnail_file_name = ${name})
    order by 1 desc limit 1`)

/** By the database's clock, so that all servers sign alike. */
export const findNameSigner = (db: Queryable): Promise<NameSigner> =>
  db.one(sql`
    select value as secret, floor(extract(epoch from clock_timestamp()) / (7 * 86400))::int as period
    from secrets where name = 'photo-names'`)
