import { isOneOf } from '../records.ts'

/** Course fields that a template does not have: those of a single course, and those that name people. */
const EXCLUDED = [
  'number',
  'seasonId',
  'start',
  'end',
  'bookableFrom',
  'decideOn',
  'confirmed',
  'instructor',
  'instructorEmails',
] as const

export type ExcludedFromTemplates = (typeof EXCLUDED)[number]

/** Whether a course template has this field of a course. */
export const isTemplateField = (name: string): boolean => !isOneOf(EXCLUDED, name)
