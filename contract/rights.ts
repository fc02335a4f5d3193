import * as v from 'valibot'

/** What somebody of the department may do at the desk; each its own, any number per person. */
export const RIGHTS = ['programme', 'bookings', 'billing', 'content', 'record', 'owner'] as const
export const right = v.picklist(RIGHTS)
export type Right = v.InferOutput<typeof right>
