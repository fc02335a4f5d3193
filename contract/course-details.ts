import { COURSE, toLabelledFields } from './course.ts'
import { fieldsWith } from './fields.ts'

/**
 * Course texts shown in the details view. They have a module of their own to keep them out of the app's first chunk.
 */
export const DETAIL_FIELDS = toLabelledFields([
  ...fieldsWith(COURSE, { show: 'details' }),
  ...fieldsWith(COURSE, { show: 'card' }),
])
