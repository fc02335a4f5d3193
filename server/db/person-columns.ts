import { PERSON, STORED_FIELDS, type StoredField } from '#contract/person.ts'

/** Database column of `web_users` for a profile field, as in `given_name` for `givenName`. */
export const columnOf = (field: StoredField): string => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Columns of a data category, as listed in the data map. */
export const columnsOfCategory = (kind: string): string =>
  STORED_FIELDS.filter(field => PERSON[field].data === kind)
    .map(columnOf)
    .join(' ')
