import { PERSON, STORED_PROFILE_FIELDS, type StoredProfileField } from '#contract/tables/person.ts'

/** Database column of `web_users` for a profile field, as in `given_name` for `givenName`. */
export const columnOfProfileField = (field: StoredProfileField): string =>
  field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Columns of a data category, as listed in the data map. */
export const profileColumnsOfCategory = (kind: string): string =>
  STORED_PROFILE_FIELDS.filter(field => PERSON[field].data === kind)
    .map(columnOfProfileField)
    .join(' ')
