import type { Language } from '#contract/values.ts'
import { type SqlFragment, sql } from './sql.ts'

/** SQL for a name in a language: the English one (`name2`) if it is not empty, otherwise the German one. */
export const selectName = (language: Language, name: SqlFragment, name2: SqlFragment): SqlFragment =>
  language === 'en' ? sql`coalesce(nullif(${name2}, ''), ${name})` : name
