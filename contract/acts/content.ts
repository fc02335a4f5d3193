import * as v from 'valibot'
import { CONTENT_TYPES, EDITABLE_PAGES } from '../content-words.ts'
import { id, integerUpTo } from '../values.ts'
import { act, bilingualLines, bilingualTexts, optionalLine, optionalMoment, optionalText, requiredLine } from './act.ts'

const order = v.optional(integerUpTo(1_000_000))
/** id of an uploaded file, as returned by POST /api/office/files */
const fileId = v.optional(v.pipe(v.string(), v.maxLength(100)))

export const contentActs = {
  'save-content': act('content', {
    id: v.optional(id),
    contentType: v.optional(v.picklist(CONTENT_TYPES)),
    sortOrder: order,
    pictureFileName: optionalLine(200),
    pictureFileId: fileId,
    fileName: optionalLine(200),
    fileId,
    ...bilingualLines('linkText'),
    text1: optionalText(20_000),
    text2: optionalText(20_000),
    text3: optionalText(20_000),
    text4: optionalText(20_000),
    text5: optionalText(20_000),
    link: optionalLine(2_000),
  }),
  'save-album': act('content', {
    id: v.optional(id),
    name: v.optional(requiredLine()),
    name2: optionalLine(),
    ...bilingualTexts('description'),
    thumbnailFileName: optionalLine(200),
    fileId,
    isIndividualCourse: v.optional(v.boolean()),
    /** empty: public */
    courseNumber: optionalLine(50),
  }),
  'save-photo': act('content', {
    id: v.optional(id),
    albumId: v.optional(id),
    fileName: optionalLine(200),
    fileId,
    shootingdate: optionalMoment,
    sortOrder: order,
  }),
  'save-page': act('content', { page: v.picklist(EDITABLE_PAGES), ...bilingualTexts('text', 100_000) }),
}
