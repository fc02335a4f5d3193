import * as v from 'valibot'
import { CONTENT_ITEM_TYPES, EDITABLE_PAGES } from '../content-words.ts'
import { endpoint } from '../endpoint.ts'
import { portalResponseFieldSchemas } from '../tables/fields.ts'
import { INSTRUCTOR_PROFILE_FIELDS } from '../tables/programme.ts'

export const contentType = v.picklist(CONTENT_ITEM_TYPES)
export type ContentItemType = v.InferOutput<typeof contentType>

/** `text1`, `text2` and `linkText` are in the first language; `text3`, `text4` and `linkText2` are in the second. */
export const webContentItem = v.object({
  contentType,
  pictureFileName: v.string(),
  fileName: v.string(),
  linkText: v.string(),
  linkText2: v.string(),
  text1: v.string(),
  text2: v.string(),
  text3: v.string(),
  text4: v.string(),
  text5: v.string(),
  link: v.string(),
})
export type WebContentItem = v.InferOutput<typeof webContentItem>

/** Available widths of content pictures in px, as in `?w=640`. Without `w`, the original is returned. */
export const PICTURE_WIDTHS = [320, 640, 960, 1280] as const
export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

export const instructorProfile = v.object(portalResponseFieldSchemas(INSTRUCTOR_PROFILE_FIELDS))
export type InstructorProfile = v.InferOutput<typeof instructorProfile>

export const listWebContentItems = endpoint('public', 'GET', '/api/webcontentitem', {
  response: v.array(webContentItem),
})

export const listInstructors = endpoint('public', 'GET', '/api/webuser/instructors', {
  response: v.array(instructorProfile),
})

export const listPages = endpoint('public', 'GET', '/api/page', {
  response: v.array(v.object({ page: v.picklist(EDITABLE_PAGES), text: v.string(), text2: v.string() })),
})
