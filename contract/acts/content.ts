import * as v from 'valibot'
import { CONTENT_TYPES, EDITABLE_PAGES } from '../content-words.ts'
import { id, integerUpTo } from '../values.ts'
import { act, bilingualLines, both, line, momentOrNone, name, words } from './act.ts'

const order = v.optional(integerUpTo(1_000_000))
/** id of an uploaded file, as returned by POST /api/office/files */
const fileId = v.optional(v.pipe(v.string(), v.maxLength(100)))

export const contentActs = {
  'save-content': act('content', {
    id: v.optional(id),
    contentType: v.optional(v.picklist(CONTENT_TYPES)),
    sortOrder: order,
    pictureFileName: line(200),
    pictureFileId: fileId,
    fileName: line(200),
    fileId,
    ...bilingualLines('linkText'),
    text1: words(20_000),
    text2: words(20_000),
    text3: words(20_000),
    text4: words(20_000),
    text5: words(20_000),
    link: line(2_000),
  }),
  'save-album': act('content', {
    id: v.optional(id),
    name: v.optional(name()),
    name2: line(),
    ...both('description'),
    thumbnailFileName: line(200),
    fileId,
    isIndividualCourse: v.optional(v.boolean()),
    /** empty: public */
    courseNumber: line(50),
  }),
  'save-photo': act('content', {
    id: v.optional(id),
    albumId: v.optional(id),
    fileName: line(200),
    fileId,
    shootingdate: momentOrNone,
    sortOrder: order,
  }),
  'save-page': act('content', { page: v.picklist(EDITABLE_PAGES), ...both('text', 100_000) }),
}
