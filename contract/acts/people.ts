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
    'Creates an account; without `email`, the person receives letters instead of e-mails',
    { ...personFields, familyName: v.pipe(v.string(), v.transform(normalizeText), requiredSingleLineText(100)) },
    { addresses: ['email'], changes: ['names'], result: ['webUserId'] },
  ),
  'change-person': defineAct(
    'bookings',
    'Changes the profile of an account',
    { webUserId: id, ...personFields },
    { people: ['webUserId'], addresses: ['email'], changes: ['login', 'names'] },
  ),
  'invite-person': defineAct(
    ['programme', 'bookings', 'owner'],
    'Creates an account and e-mails an invitation to set it up',
    {
      email,
      language: v.optional(language),
      /** rights that the person receives once they confirm the new e-mail address */
      rights: v.optional(v.pipe(v.array(right), v.maxLength(RIGHTS.length))),
    },
    { addresses: ['email'], changes: ['rights', 'names'], grants: 'rights', result: ['webUserId'] },
  ),
  'lock-person': defineAct(
    'bookings',
    'Locks an account: ends all sessions, but retains the bookings. Messages that the person scheduled become drafts, which `drafts` counts',
    { webUserId: id },
    { people: ['webUserId'], changes: ['login'], result: ['drafts'] },
  ),
  'unlock-person': defineAct(
    'bookings',
    'Unlocks an account',
    { webUserId: id },
    { people: ['webUserId'], changes: ['login'] },
  ),
  /** notes a telephone call on the person's timeline */
  'note-call': defineAct(
    'bookings',
    'Notes a telephone call with a person, which the timeline of the person shows. With `letterId`, it ends the task to call the person about that notice',
    {
      webUserId: id,
      letterId: v.optional(id),
      text: v.pipe(v.string(), v.transform(normalizeText), v.minLength(1), v.maxLength(2_000)),
    },
    { people: ['webUserId'] },
  ),
  'verify-person': defineAct(
    'bookings',
    'Marks a person as verified, as an entry in the HR list does',
    { webUserId: id },
    { people: ['webUserId'] },
  ),
  'merge-people': defineAct(
    'bookings',
    'Merges two accounts of one person: reassigns the bookings and other data of `webUserId` to `intoWebUserId` and deletes the account `webUserId`',
    { webUserId: id, intoWebUserId: id },
    { people: ['webUserId', 'intoWebUserId'], changes: ['login', 'names'], result: ['webUserId', 'stays'] },
  ),
  'save-eligible': defineAct(
    'bookings',
    'Replaces the entire HR list; people who are no longer on the list become unverified',
    {
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
    },
    { result: ['unverified', 'verified'] },
  ),
}
