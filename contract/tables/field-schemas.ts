import * as v from 'valibot'
import { recordFromKeys } from '../records.ts'
import { MULTILINE_TEXT_PATTERN, SINGLE_LINE_TEXT_PATTERN } from '../values.ts'

/** Whether the text is a real calendar day in the format YYYY-MM-DD. */
const isDay = (text: string) => {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}
export const dateField = v.pipe(v.string(), v.regex(/^(?:19|20|21)\d\d-\d\d-\d\d$/), v.check(isDay))
/** 'HH:mm' */
export const timeOfDayField = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/))
/** 'YYYY-MM-DDTHH:mm' */
export const dateTimeField = v.pipe(
  v.string(),
  v.regex(/^(?:19|20|21)\d\d-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d$/),
  v.check(text => isDay(text.slice(0, 10))),
)
export const optionalDateTimeField = v.optional(v.nullable(v.union([dateTimeField, v.literal('')])))
export const optionalText = (max = 10_000) =>
  v.optional(v.pipe(v.string(), v.maxLength(max), v.regex(MULTILINE_TEXT_PATTERN)))
export const optionalSingleLineText = (max = 500) =>
  v.optional(v.pipe(v.string(), v.maxLength(max), v.regex(SINGLE_LINE_TEXT_PATTERN)))
export const requiredSingleLineText = (max = 500) =>
  v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max), v.regex(SINGLE_LINE_TEXT_PATTERN))

/** Entries for a bilingual text, such as `name` and `name2`. If `name2` is empty, `name` is shown instead. */
export const bilingualTexts = <Field extends string>(field: Field, max?: number) =>
  recordFromKeys<Field | `${Field}2`, ReturnType<typeof optionalText>>([field, `${field}2`], () => optionalText(max))
export const bilingualSingleLineTexts = <Field extends string>(field: Field, max?: number) =>
  recordFromKeys<Field | `${Field}2`, ReturnType<typeof optionalSingleLineText>>([field, `${field}2`], () =>
    optionalSingleLineText(max),
  )
