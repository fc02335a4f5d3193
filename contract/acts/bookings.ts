import * as v from 'valibot'
import { normalizeText } from '../normalize.ts'
import { sentEntries } from '../person.ts'
import { keysOf, recordOf } from '../records.ts'
import { employeeStatus, id, money } from '../values.ts'
import { act, both, bothLines, name } from './act.ts'

const { email, password, confirmPassword, ...profile } = sentEntries
type ProfileEntries = typeof profile
/** What is left out stays as it is: no field has a default. */
const partial = recordOf(keysOf(profile), field => {
  const schema = profile[field]
  return v.optional('wrapped' in schema ? schema.wrapped : schema)
}) as {
  [Field in keyof ProfileEntries]: v.OptionalSchema<
    v.GenericSchema<v.InferOutput<ProfileEntries[Field]>, v.InferOutput<ProfileEntries[Field]>>,
    undefined
  >
}
const personFields = { ...partial, email: v.optional(v.union([v.literal(''), email])) }

/** What a cancelled place costs: nothing, the processing fee, an agreed share, or the full price. */
export const CHARGES = ['none', 'processing', 'share', 'full'] as const

export const bookingActs = {
  book: act('bookings', { courseId: id, webUserId: id }),
  'cancel-booking': act('bookings', {
    courseId: id,
    webUserId: id,
    charge: v.picklist(CHARGES),
    amount: v.optional(money),
  }),
  'move-booking': act('bookings', { fromCourseId: id, toCourseId: id, webUserId: id }),
  'create-person': act('bookings', {
    ...personFields,
    familyName: v.pipe(v.string(), v.transform(normalizeText), name(100)),
  }),
  'change-person': act('bookings', { webUserId: id, ...personFields }),
  'lock-person': act('bookings', { webUserId: id }),
  'unlock-person': act('bookings', { webUserId: id }),
  'verify-person': act('bookings', { webUserId: id }),
  'merge-people': act('bookings', { webUserId: id, intoWebUserId: id }),
  'send-message': act('bookings', {
    to: v.picklist(['course', 'lesson', 'waiting', 'category', 'person']),
    id,
    ...bothLines('title', 200),
    title: name(200),
    ...both('text'),
    mail: v.boolean(),
  }),
  'save-eligible': act('bookings', {
    rows: v.pipe(
      v.array(
        v.strictObject({
          personnelNumber: name(50),
          divisionId: v.optional(v.nullable(id), null),
          employeeStatus: v.optional(v.nullable(employeeStatus), null),
        }),
      ),
      v.maxLength(100_000),
    ),
  }),
}
