import { CONTENT_ITEM_TYPES, EDITABLE_PAGES } from '#contract/content-words.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type * as contract from '#contract/endpoints/content.ts'
import type { InstructorProfile, WebContentItem } from '#contract/endpoints/content.ts'
import { INSTRUCTOR_PROFILE_FIELDS } from '#contract/tables/programme.ts'
import type { FileReference } from '#server/features/files/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { type ResponseRow, responseSelectList, toResponseFields } from '#server/platform/db/field-columns.ts'

/** All content items, ordered by type as in the contract. */
export const listWebContentItems = (db: Queryable): Promise<WebContentItem[]> =>
  db.query(sql`
    select content_type as "contentType", picture_file_name as "pictureFileName", file_name as "fileName",
      link_text as "linkText", link_text2 as "linkText2", text1, text2, text3, text4, text5, link
    from content_items where content_type = any(${CONTENT_ITEM_TYPES})
    order by array_position(${CONTENT_ITEM_TYPES}::text[], content_type), sort_order`)

/** Instructor profiles in any order, without e-mail addresses. */
export const listInstructors = async (db: Queryable): Promise<InstructorProfile[]> =>
  (
    await db.query<ResponseRow<typeof INSTRUCTOR_PROFILE_FIELDS>>(
      sql`select ${responseSelectList(INSTRUCTOR_PROFILE_FIELDS, 'i')} from instructors i`,
    )
  ).map(row => toResponseFields(INSTRUCTOR_PROFILE_FIELDS, row))

export const listPages = (db: Queryable): Promise<ResponseOf<typeof contract.listPages>> =>
  db.query(sql`
    select name as page, text, text2 from pages where name = any(${[...EDITABLE_PAGES]}::text[]) and (text <> '' or text2 <> '') order by name`)

/** File that a content item, instructor or category references by this name; null if there is none. */
export const findContentFile = (db: Queryable, name: string): Promise<FileReference | null> =>
  db.maybeOne(sql`
    select ${name}::text as name, media_type as "mediaType", encode(sha256, 'hex') as hash from (
      select picture_sha256 as sha256 from content_items where picture_file_name = ${name}
      union all select file_sha256 from content_items where file_name = ${name}
      union all select picture_sha256 from instructors where picture_file_name = ${name}
      union all select icon_sha256 from categories where icon = ${name}
    ) named join file_contents using (sha256) limit 1`)
