import { keysOf, objectFromKeys } from '#contract/records.ts'
import { YEAR_OF_BIRTH_UNSET } from '#contract/rules/profile-rules.ts'
import type { Field, FieldDefinitions, FieldKind, ResponseValueByFieldKind } from '#contract/tables/fields.ts'
import { toDateTimeValue } from './date-time.ts'
import { type SqlFragment, sql } from './sql.ts'

const snakeCase = (name: string) => name.replace(/[A-Z]+/g, capitals => `_${capitals.toLowerCase()}`)

/** Database column of a field, as in `is_confirmed` and `fee_cents`; '' if another table stores it. */
export function columnOfField(name: string, { kind, column }: Field): string {
  if (column !== undefined) return column ?? ''
  return `${kind === 'flag' ? 'is_' : ''}${snakeCase(name)}${kind === 'money' ? '_cents' : ''}`
}

/** Columns of a data category, as listed in the data map. */
export const fieldColumnsOfCategory = (table: FieldDefinitions, category: string): string =>
  Object.entries(table)
    .filter(([, { data = 'programme' }]) => data === category)
    .map(([name, field]) => columnOfField(name, field))
    .filter(Boolean)
    .join(' ')

/**
 * Select list with an alias for each field. `formats`: SQL expression by field kind, in which `$` stands for the
 * column.
 */
const select = (table: FieldDefinitions, alias: string, formats: Partial<Record<FieldKind, string>>): SqlFragment =>
  sql.raw(
    Object.entries(table)
      .filter(([name, field]) => columnOfField(name, field) !== '')
      .map(([name, field]) => {
        const column = `${alias}.${columnOfField(name, field)}`
        return `${(formats[field.kind] ?? '$').replace('$', column)} as "${name}"`
      })
      .join(', '),
  )

/** Select list of columns in the format of office responses and actions. */
export const officeSelectList = (table: FieldDefinitions, alias: string): SqlFragment =>
  select(table, alias, {
    money: '$ / 100.0',
    time: `to_char($, 'HH24:MI')`,
    moment: `to_char($, 'YYYY-MM-DD"T"HH24:MI')`,
    startOfDay: '$::date',
  })

/** Select list of columns in the format of the import. */
export const importSelectList = (table: FieldDefinitions, alias: string): SqlFragment => select(table, alias, {})

/** Columns for `toResponseFields`. */
export const responseSelectList = (table: FieldDefinitions, alias: string): SqlFragment =>
  select(table, alias, { moment: '$::timestamp' })

/** Row selected with `responseSelectList`: dates and times are texts, amounts are in cents. */
export type ResponseRow<T extends FieldDefinitions> = { [F in keyof T]: unknown }
export type ResponseFields<T extends FieldDefinitions> = { [F in keyof T]: ResponseValueByFieldKind[T[F]['kind']] }

const toText = (value: unknown) => toDateTimeValue(value as string | null)
const conversions: Partial<Record<FieldKind, (value: unknown) => unknown>> = {
  money: cents => Number(cents) / 100,
  year: year => year ?? YEAR_OF_BIRTH_UNSET,
  date: toText,
  startOfDay: toText,
  time: toText,
  moment: toText,
}
/** Values of stored fields in the format of the portal's responses. */
export const toResponseFields = <T extends FieldDefinitions>(table: T, row: ResponseRow<T>): ResponseFields<T> =>
  objectFromKeys<Record<string, unknown>>(keysOf(table), name => {
    const { kind } = table[name] as Field
    return conversions[kind]?.(row[name]) ?? row[name]
  }) as ResponseFields<T>
