import * as v from 'valibot'

/** Rights in the office UI. They are independent of each other, and a person may have several. */
export const RIGHTS = ['programme', 'bookings', 'billing', 'content', 'record', 'owner'] as const
export const right = v.picklist(RIGHTS)
export type Right = v.InferOutput<typeof right>
