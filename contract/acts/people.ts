import * as v from 'valibot'
import { normalizeText } from '../normalize.ts'
import { keysOf, recordFromKeys } from '../records.ts'
import { requiredSingleLineText } from '../tables/field-schemas.ts'
import { profileRequestEntries } from '../tables/person.ts'
import { employeeStatus, id, language, RIGHTS, right } from '../values.ts'
import { defineAct } from './act.ts'

const { email, password, confirmPassword, ...profile } = profileRequestEntries
type ProfileEntries = typeof profile
/** No field has a default, so omitted fields remain unchanged. */
const partial = recordFromKeys(keysOf(profile), field => {
  const schema = profile[field]
  return v.optional('wrapped' in schema ? schema.wrapped : schema)
}) as {
  [Field in keyof ProfileEntries]: v.OptionalSchema<
    v.GenericSchema<v.InferOutput<ProfileEntries[Field]>, v.InferOutput<ProfileEntries[Field]>>,
    undefined
  >
}
const personFields = { ...partial, email: v.optional(v.union([v.literal(''), email])) }

export const personActs = {
  'create-person': defineAct(
    'bookings',
    { ...personFields, familyName: v.pipe(v.string(), v.transform(normalizeText), requiredSingleLineText(100)) },
    { addresses: ['email'], changes: ['names'] },
  ),
  'change-person': defineAct(
    'bookings',
    { webUserId: id, ...personFields },
    { people: ['webUserId'], addresses: ['email'], changes: ['login', 'names'] },
  ),
  'invite-person': defineAct(
    ['programme', 'bookings', 'owner'],
    {
      email,
      language: v.optional(language),
      /** rights that the person receives once they confirm the new e-mail address */
      rights: v.optional(v.pipe(v.array(right), v.maxLength(RIGHTS.length))),
    },
    { addresses: ['email'], changes: ['rights', 'names'], grants: 'rights' },
  ),
  'lock-person': defineAct('bookings', { webUserId: id }, { people: ['webUserId'], changes: ['login'] }),
  'unlock-person': defineAct('bookings', { webUserId: id }, { people: ['webUserId'], changes: ['login'] }),
  /** notes a telephone call on the person's timeline */
  'note-call': defineAct(
    'bookings',
    { webUserId: id, text: v.pipe(v.string(), v.transform(normalizeText), v.minLength(1), v.maxLength(2_000)) },
    { people: ['webUserId'] },
  ),
  'verify-person': defineAct('bookings', { webUserId: id }, { people: ['webUserId'] }),
  'merge-people': defineAct(
    'bookings',
    { webUserId: id, intoWebUserId: id },
    { people: ['webUserId', 'intoWebUserId'], changes: ['login', 'names'] },
  ),
  'save-eligible': defineAct('bookings', {
    rows: v.pipe(
      v.array(
        v.strictObject({
          personnelNumber: requiredSingleLineText(50),
          divisionId: v.optional(v.nullable(id), null),
          employeeStatus: v.optional(v.nullable(employeeStatus), null),
        }),
      ),
      v.maxLength(100_000),
    ),
  }),
}
