import { COURSE_FIELDS, toLabelledFields } from './course.ts'
import { fieldNamesWith } from './fields.ts'

/**
 * Course texts shown in the details view. They have a module of their own to keep them out of the app's first chunk.
 */
export const DETAIL_FIELDS = toLabelledFields([
  ...fieldNamesWith(COURSE_FIELDS, { show: 'details' }),
  ...fieldNamesWith(COURSE_FIELDS, { show: 'card' }),
])
