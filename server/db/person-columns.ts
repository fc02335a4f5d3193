import { PERSON, STORED_FIELDS, type StoredField } from '#contract/person.ts'

/** The column of `web_users` that stores a person's field: `given_name` for `givenName`. */
export const columnOf = (field: StoredField): string => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** The columns that hold data of a kind, as the data map lists them. */
export const columnsHolding = (kind: string): string =>
  STORED_FIELDS.filter(field => PERSON[field].data === kind)
    .map(columnOf)
    .join(' ')
