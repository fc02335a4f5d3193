import type { ResponseOf } from '#contract/endpoint.ts'
import type * as contract from '#contract/office/content.ts'
import type { Language } from '#contract/values.ts'
import { listStoredFileReferences } from '#server/features/programme/file-refs.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { selectName } from '#server/platform/db/name-in-language.ts'
import type { KeysetPage } from '#server/platform/http/pagination.ts'

export type ContentTable = 'content_items' | 'albums' | 'photos'

export const deleteContentRow = (tx: Queryable, table: ContentTable, id: number): Promise<number> =>
  tx.execute(sql`delete from ${sql.raw(table)} where id = ${id}`)

export const hasAlbumPhotos = async (tx: Queryable, albumId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`select from photos where album_id = ${albumId} limit 1`)) !== null

/**
 * Whether two rows reference files with the same name but different content, within the scope in which file names must
 * be unique.
 */
export async function hasConflictingFileNames(tx: Queryable): Promise<boolean> {
  const hashes = new Map<string, string>()
  return (await listStoredFileReferences(tx)).some(({ kind, scope, name, hash }) => {
    if (kind === 'document') return false
    const key = JSON.stringify([kind, scope, name])
    const isOther = (hashes.get(key) ?? hash) !== hash
    hashes.set(key, hash)
    return isOther
  })
}

export const findContentPosition = (
  tx: Queryable,
  id: number,
): Promise<{ contentType: string; sortOrder: number } | null> =>
  tx.maybeOne(sql`
    select content_type as "contentType", sort_order as "sortOrder" from content_items where id = ${id}`)

export const findNextPosition = async (tx: Queryable, of: Among): Promise<number> =>
  (
    await tx.one<{ next: number }>(
      'albumId' in of
        ? sql`select coalesce(max(sort_order), 0) + 1 as next from photos where album_id = ${of.albumId}`
        : sql`select coalesce(max(sort_order), 0) + 1 as next from content_items where content_type = ${of.contentType}`,
    )
  ).next

type Among = { contentType: string } | { albumId: number }

/**
 * Makes a position free for a content item or photo: increments the positions of the items from there on, up to the
 * first gap.
 */
export async function shiftContentPositions(
  tx: Queryable,
  among: Among,
  place: number,
  besideId: number | null,
): Promise<void> {
  const [table, scope] =
    'albumId' in among
      ? [sql`photos`, sql`album_id = ${among.albumId}`]
      : [sql`content_items`, sql`content_type = ${among.contentType}`]
  const others = await tx.query<{ id: number; sortOrder: number }>(sql`
    select id, sort_order as "sortOrder" from ${table}
    where ${scope} and id is distinct from ${besideId}::int and sort_order >= ${place} order by sort_order, id for update`)
  let next = place
  const moved: { id: number; sortOrder: number }[] = []
  for (const { id, sortOrder } of others) {
    if (sortOrder > next) break
    next += 1
    moved.push({ id, sortOrder: next })
  }
  // Updates the items in descending order, so that positions stay unique, and first gives the item being saved a
  // temporary position.
  if (moved.length > 0 && besideId !== null)
    await tx.execute(sql`update ${table} set sort_order = -1 where id = ${besideId}`)
  for (const { id, sortOrder } of moved.reverse())
    await tx.execute(sql`update ${table} set sort_order = ${sortOrder} where id = ${id}`)
}

export const findCourseIdByNumber = async (tx: Queryable, number: string): Promise<number | null> =>
  (await tx.maybeOne<{ id: number }>(sql`select id from courses where number = ${number}`))?.id ?? null

export const findPhotoPosition = (tx: Queryable, id: number): Promise<{ albumId: number; isPrivate: boolean } | null> =>
  tx.maybeOne(sql`
    select album_id as "albumId", course_id is not null as "isPrivate" from photos p join albums a on a.id = p.album_id
    where p.id = ${id}`)

export const findAlbumPrivacy = (tx: Queryable, id: number): Promise<{ isPrivate: boolean } | null> =>
  tx.maybeOne(sql`select course_id is not null as "isPrivate" from albums where id = ${id}`)

/**
 * Inserts an entry for a page.
 * @returns whether the page had no custom text before
 */
export const insertPage = async (tx: Queryable, name: string): Promise<boolean> =>
  (await tx.execute(sql`insert into pages (name) values (${name}) on conflict do nothing`)) > 0

export const updatePage = (
  tx: Queryable,
  name: string,
  { text, text2 }: { text?: string | undefined; text2?: string | undefined },
): Promise<number> =>
  tx.execute(sql`
    update pages set text = coalesce(${text ?? null}, text), text2 = coalesce(${text2 ?? null}, text2) where name = ${name}`)

type Content = ResponseOf<typeof contract.listOfficeContent>

export const listContent = (db: Queryable, { limit, after }: KeysetPage<number>): Promise<Content['items']> =>
  db.query(sql`
    select id, version, content_type as "contentType", sort_order as "sortOrder", picture_file_name as "pictureFileName",
      file_name as "fileName", link_text as "linkText", link_text2 as "linkText2", text1, text2, text3, text4, text5, link
    from content_items where id > ${after} order by id limit ${limit + 1}`)

export const listContentAlbums = (db: Queryable): Promise<Content['albums']> =>
  db.query(sql`
    select a.id, a.version, a.name, a.name2, a.description, a.description2, a.thumbnail_file_name as "thumbnailFileName",
      a.is_individual_course as "isIndividualCourse", coalesce(c.number, '') as "courseNumber", (
        select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'version', p.version, 'fileName', p.file_name,
          'sortOrder', p.sort_order, 'shootingdate', coalesce(to_char(p.shot_at, 'YYYY-MM-DD"T"HH24:MI'), ''))
          order by p.sort_order, p.file_name), '[]') from photos p where p.album_id = a.id) as photos
    from albums a left join courses c on c.id = a.course_id order by a.id`)

export const listContentPages = (db: Queryable): Promise<Content['pages']> =>
  db.query(sql`select name as page, version, text, text2 from pages order by name`)

/** Courses that the current transaction has written. */
export const listCoursesWrittenByTransaction = async (tx: Queryable): Promise<number[]> =>
  (await tx.query<{ id: number }>(sql`select id from courses where xmin = pg_current_xact_id()::xid`)).map(
    ({ id }) => id,
  )

export type CourseLessonCount = { id: number; number: string; name: string; lessons: number }

/** Number of lessons of each course, excluding cancelled ones. */
export const listLessonCountsByCourse = (tx: Queryable, language: Language): Promise<CourseLessonCount[]> =>
  tx.query(sql`
    select c.id, c.number, ${selectName(language, sql`c.name`, sql`c.name2`)} as name, count(d.id)::int as lessons
    from courses c left join course_dates d on d.course_id = c.id and d.state = 'planned'
    where c.cancelled_at is null group by c.id order by c.number`)

/** Ids that existed before an import. */
export type LastIds = { courseId: number; seasonIds: number[] }

export const findLastIds = (tx: Queryable): Promise<LastIds> =>
  tx.one(sql`
    select (select coalesce(max(id), 0) from courses) as "courseId", array(select id from seasons) as "seasonIds"`)

type SeasonWithNewCourses = {
  name: string
  name2: string
  isDraft: boolean
  /** number of new courses */
  courses: number
  /** 'YYYY-MM-DD HH:MM:SS' */
  visibleFrom: string
  bookableFrom: string
  isVisible: boolean
  isBookable: boolean
}

/** Seasons that are new or have new courses. */
export const listSeasonsWithNewCourses = (
  tx: Queryable,
  { courseId, seasonIds }: LastIds,
): Promise<SeasonWithNewCourses[]> =>
  tx.query(sql`
    select s.name, s.name2, s.is_draft as "isDraft", count(c.id)::int as courses,
      s.viewable_from::timestamp as "visibleFrom", least(s.bookable_from, min(c.bookable_from))::timestamp as "bookableFrom",
      s.viewable_from <= clock_timestamp() as "isVisible",
      least(s.bookable_from, min(c.bookable_from)) <= clock_timestamp() as "isBookable"
    from seasons s left join courses c on c.season_id = s.id and c.id > ${courseId}
    group by s.id having count(c.id) > 0 or s.id <> all(${seasonIds}::int[]) order by s.id`)
