import * as v from 'valibot'
import { CONTENT_ITEM_TYPES, EDITABLE_PAGES } from '../content-words.ts'
import {
  bilingualSingleLineTexts,
  bilingualTexts,
  optionalDateTimeField,
  optionalSingleLineText,
  optionalText,
  requiredSingleLineText,
} from '../tables/field-schemas.ts'
import { id, integerUpTo } from '../values.ts'
import { defineAct } from './act.ts'

const order = v.optional(integerUpTo(1_000_000))
/** id of an uploaded file, as returned by POST /api/office/files */
const fileId = v.optional(v.pipe(v.string(), v.maxLength(100)))

export const contentActs = {
  'save-content': defineAct('content', {
    id: v.optional(id),
    contentType: v.optional(v.picklist(CONTENT_ITEM_TYPES)),
    sortOrder: order,
    pictureFileName: optionalSingleLineText(200),
    pictureFileId: fileId,
    fileName: optionalSingleLineText(200),
    fileId,
    ...bilingualSingleLineTexts('linkText'),
    text1: optionalText(20_000),
    text2: optionalText(20_000),
    text3: optionalText(20_000),
    text4: optionalText(20_000),
    text5: optionalText(20_000),
    link: optionalSingleLineText(2_000),
  }),
  'save-album': defineAct('content', {
    id: v.optional(id),
    name: v.optional(requiredSingleLineText()),
    name2: optionalSingleLineText(),
    ...bilingualTexts('description'),
    thumbnailFileName: optionalSingleLineText(200),
    fileId,
    isIndividualCourse: v.optional(v.boolean()),
    /** empty: public */
    courseNumber: optionalSingleLineText(50),
  }),
  'save-photo': defineAct('content', {
    id: v.optional(id),
    albumId: v.optional(id),
    fileName: optionalSingleLineText(200),
    fileId,
    shootingdate: optionalDateTimeField,
    sortOrder: order,
  }),
  'save-page': defineAct('content', { page: v.picklist(EDITABLE_PAGES), ...bilingualTexts('text', 100_000) }),
}
