import type { Album, Photo } from '#contract/endpoints/gallery.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import type { FileReference } from '#server/features/files/repository.ts'
import { isPublished } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import type { PhotoNameSigner } from './rules.ts'

const albumColumns = sql`
  a.id, a.name, a.description, a.name2, a.description2, a.thumbnail_file_name as "thumbnailFileName",
  a.is_individual_course as "isIndividualCourse"`

export const listAlbums = (db: Queryable): Promise<Album[]> =>
  db.query(sql`select ${albumColumns} from albums a where a.course_id is null order by a.id`)

/** SQL for the ids of the courses in which a user has a seat, or was present at a lesson. */
const coursesOfParticipant = (webUserId: number) => sql`(
  select course_id from bookings
  where web_user_id = ${webUserId} and state = ${BOOKING_STATUS.Booked} and cancelled_at is null
  union select d.course_id from attendances t join course_dates d on d.id = t.course_date_id
  where t.web_user_id = ${webUserId} and t.is_present)`

export const listAlbumsOfParticipant = (db: Queryable, webUserId: number): Promise<Album[]> =>
  db.query(sql`
    select ${albumColumns} from albums a where a.course_id in ${coursesOfParticipant(webUserId)} order by a.id`)

/**
 * Whether an album is public, and whether this user may see it. Public albums are visible to everyone; a course's album
 * is visible to its participants, also former ones who were present at a lesson, its instructors and substitutes.
 */
export const findAlbumAccess = (
  db: Queryable,
  albumId: number,
  user: Pick<SessionUser, 'id' | 'email'> | null,
): Promise<{ isPublic: boolean; isVisible: boolean } | null> =>
  db.maybeOne(sql`
    select a.course_id is null as "isPublic", a.course_id is null or a.course_id in ${coursesOfParticipant(user?.id ?? 0)}
      or ${user?.email ?? ''} in (
        select email from course_instructors i where i.course_id = a.course_id
        union select instructor_email from course_dates d where d.course_id = a.course_id and instructor_email is not null) as "isVisible"
    from albums a left join courses c on c.id = a.course_id
    where a.id = ${albumId} and (c.id is null or ${isPublished})`)

type PhotoRow = { shotAt: string | null; sortOrder: number; fileName: string }

export async function listPhotos(db: Queryable, albumId: number): Promise<Photo[]> {
  const rows = await db.query<PhotoRow>(sql`
    select shot_at as "shotAt", sort_order as "sortOrder", file_name as "fileName"
    from photos where album_id = ${albumId} order by sort_order, file_name`)
  return rows.map(({ shotAt, ...photo }) => ({ ...photo, shootingdate: toDateTimeValue(shotAt) }))
}

type PhotoKind = 'photo' | 'thumbnail'

const photosNamed = (kind: PhotoKind, name: string) =>
  kind === 'photo'
    ? sql`select album_id, photo_sha256 as sha256 from photos where file_name = ${name}`
    : sql`select album_id, thumbnail_sha256 as sha256 from photos where file_name = ${name}
        union all select id, thumbnail_sha256 from albums where thumbnail_file_name = ${name}`

/** Finds a picture by name in the public albums or in one private album; null if there is none. */
export const findPhoto = (
  db: Queryable,
  kind: PhotoKind,
  name: string,
  privateAlbumId: number | null,
): Promise<FileReference | null> =>
  db.maybeOne(sql`
    select ${name}::text as name, media_type as "mediaType", encode(sha256, 'hex') as hash
    from (${photosNamed(kind, name)}) named
      join albums a on a.id = named.album_id and case
        when ${privateAlbumId}::int is null then a.course_id is null else a.id = ${privateAlbumId} end
      join file_contents using (sha256)
    limit 1`)

/**
 * Finds the current signing key. Its period depends on the database clock, so that all servers sign with the same key.
 */
export const findPhotoNameSigner = (db: Queryable): Promise<PhotoNameSigner> =>
  db.one(sql`
    select value as secret, floor(extract(epoch from clock_timestamp()) / (12 * 3600))::int as period
    from secrets where name = 'photo-names'`)
