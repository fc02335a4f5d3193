import { sql } from './client.ts'

/**
 * SQL for the sort order of people by family name, then given name, as a German telephone book. Equal to
 * `compareByName`.
 * @param row alias of a row with `family_name` and `given_name`
 */
export const byName = (row: string): ReturnType<typeof sql> =>
  sql.raw(`name_key(${row}.family_name) collate telephone_book, ${row}.given_name collate telephone_book`)
