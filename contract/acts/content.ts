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
  'save-content': defineAct(
    'content',
    'Creates or changes an item of the start page',
    {
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
    },
    { result: ['id'] },
  ),
  'save-album': defineAct(
    'content',
    'Creates or changes a photo album; `becomesPublic` if so far only the participants of a course could see it',
    {
      id: v.optional(id),
      name: v.optional(requiredSingleLineText()),
      name2: optionalSingleLineText(),
      ...bilingualTexts('description'),
      thumbnailFileName: optionalSingleLineText(200),
      fileId,
      isIndividualCourse: v.optional(v.boolean()),
      /** empty: public */
      courseNumber: optionalSingleLineText(50),
    },
    { result: ['id', 'becomesPublic'] },
  ),
  'save-photo': defineAct(
    'content',
    'Creates or changes a photo of an album; `becomesPublic` if so far only the participants of a course could see it',
    {
      id: v.optional(id),
      albumId: v.optional(id),
      fileName: optionalSingleLineText(200),
      fileId,
      shootingdate: optionalDateTimeField,
      sortOrder: order,
    },
    { result: ['id', 'becomesPublic'] },
  ),
  'save-page': defineAct('content', 'Replaces the text of a page such as the FAQ or the terms', {
    page: v.picklist(EDITABLE_PAGES),
    ...bilingualTexts('text', 100_000),
  }),
}
