import * as v from 'valibot'
import { isKeyOf, keysOf, objectFromKeys } from '../records.ts'
import {
  boundedMoney,
  count,
  type DateTimeValue,
  dateTimeValue,
  email,
  id,
  integerUpTo,
  type Language,
  money,
  weekday,
} from '../values.ts'
import type { DataKindName } from './data-map.ts'
import {
  dateField,
  dateTimeField,
  optionalSingleLineText,
  optionalText,
  requiredSingleLineText,
  timeOfDayField,
} from './field-schemas.ts'

/** TypeScript type of a field's value by kind, in actions and in cells of import files (where `money` is in cents). */
export type ValueByFieldKind = {
  /** single-line text that identifies a row; its maximum length also applies in import files */
  key: string
  line: string
  text: string
  html: string
  url: string
  /** name of a built-in icon, or of a picture file */
  icon: string
  picture: string
  emails: string[]
  count: number
  year: number
  hours: number
  money: number
  /** weekday from 0 (Sunday) to 6 (Saturday) */
  weekday: number
  season: number
  category: number
  flag: boolean
  /** 'YYYY-MM-DD' */
  date: string
  /** date that is stored and imported with a time of day */
  startOfDay: string
  /** 'HH:mm' */
  time: string
  /** 'YYYY-MM-DDTHH:mm' */
  moment: string
}
export type FieldKind = keyof ValueByFieldKind

/** Groups of fields in the office UI's forms, in display order. */
export const OFFICE_FORM_GROUPS = ['basics', 'when', 'where', 'price', 'online', 'texts'] as const

/**
 * Definition of a field. Schemas, database columns, import and export, forms in the office UI and descriptions are
 * derived from it.
 */
export type Field = {
  kind: FieldKind
  /** maximum length in characters, or maximum value */
  max?: number
  /** whether the field is required in import files and for new rows */
  isRequired?: boolean
  /** whether the field contains the second-language version of the previous field */
  isSecond?: true
  /** whether an action can clear the field, which sets it to null */
  isClearable?: true
  /** value used for an empty cell in an import file, if it differs from the default of the field's kind */
  empty?: string
  /** unit that a cell of an import file may name */
  unit?: '%'
  /**
   * database column, if it cannot be derived from the name (`server/platform/db/field-columns.ts`); null if the value is stored
   * in another table
   */
  column?: string | null
  /** data category of the field in the data map, if it is not `programme` */
  data?: DataKindName
  /** group and position in the office UI's form; `required` makes the field mandatory in the form only */
  form?: readonly [group: (typeof OFFICE_FORM_GROUPS)[number], position: number, required?: 'required']
}
export type FieldDefinitions = Readonly<Record<string, Field>>

/** German and English label. */
export type Label = Readonly<Record<Language, string>>
/** First-language fields. Their labels and descriptions also apply to their second-language counterparts. */
export type FirstLanguageFieldNames<T> = { [F in keyof T]: T[F] extends { isSecond: true } ? never : F }[keyof T] &
  string
type Second<Row> = Omit<Row, 'isRequired' | 'form'> & { isSecond: true }

/** Defines the field `name` and its second-language counterpart `name2`. */
export const bilingualField = <const Name extends string, const Row extends Field>(name: Name, row: Row) => {
  const { isRequired, form, ...others } = row
  const column = row.column ? { column: `${row.column}2` } : {}
  return { [name]: row, [`${name}2`]: { ...others, ...column, isSecond: true } } as Record<Name, Row> &
    Record<`${Name}2`, Second<Row>>
}

export type FieldNamesWith<T, Part> = { [F in keyof T]: T[F] extends Part ? F : never }[keyof T] & string
/** Names of the fields whose definition contains `part`. */
export const fieldNamesWith = <T extends Readonly<Record<string, object>>, const Part extends object>(
  table: T,
  part: Part,
): FieldNamesWith<T, Part>[] =>
  keysOf(table).filter((field): field is FieldNamesWith<T, Part> =>
    Object.entries(part).every(([key, value]) => Reflect.get(table[field] ?? {}, key) === value),
  )

/** Request schemas for action fields, by field kind. */
const sent: { [Kind in FieldKind]: (field: Field) => v.GenericSchema<ValueByFieldKind[Kind]> } = {
  key: ({ max, isRequired }) => (isRequired ? requiredSingleLineText(max) : optionalSingleLineText(max).wrapped),
  line: ({ max, isRequired }) => (isRequired ? requiredSingleLineText(max) : optionalSingleLineText(max).wrapped),
  text: ({ max }) => optionalText(max).wrapped,
  html: ({ max = 50_000 }) => optionalText(max).wrapped,
  url: ({ max = 2_000 }) => optionalSingleLineText(max).wrapped,
  icon: ({ max = 200 }) => optionalSingleLineText(max).wrapped,
  picture: ({ max = 200 }) => optionalSingleLineText(max).wrapped,
  emails: () => v.pipe(v.array(email), v.maxLength(20)),
  count: ({ max = 1_000_000 }) => integerUpTo(max),
  year: () => v.pipe(v.number(), v.integer(), v.minValue(1900), v.maxValue(2200)),
  hours: () => v.pipe(v.number(), v.minValue(0), v.maxValue(99_999)),
  money: () => boundedMoney,
  weekday: () => weekday,
  season: () => id,
  category: () => id,
  flag: () => v.boolean(),
  date: () => dateField,
  startOfDay: () => dateField,
  time: () => timeOfDayField,
  moment: ({ isClearable }) => (isClearable ? v.union([dateTimeField, v.literal('')]) : dateTimeField),
}

type SentValue<Row extends Field> = ValueByFieldKind[Row['kind']] | (Row extends { isClearable: true } ? null : never)
type Optional<Row extends Field> = v.OptionalSchema<v.GenericSchema<SentValue<Row>>, undefined>
type ChangedEntries<T extends FieldDefinitions> = { [F in keyof T]: Optional<T[F]> }
type NewEntries<T extends FieldDefinitions> = {
  [F in keyof T]: T[F] extends { isRequired: true } ? v.GenericSchema<SentValue<T[F]>> : Optional<T[F]>
}

const sentBy = (field: Field) => {
  const schema = sent[field.kind](field)
  return field.isClearable ? v.nullable(schema) : schema
}

/** Schemas for the fields of an action that updates a row. Omitted fields remain unchanged. */
export const fieldSchemasForUpdate = <T extends FieldDefinitions>(table: T) =>
  objectFromKeys<Record<string, v.GenericSchema>>(keysOf(table), name =>
    v.optional(sentBy(table[name] as Field)),
  ) as ChangedEntries<T>

/** Schemas for the fields of an action that creates a row. */
export const fieldSchemasForCreation = <T extends FieldDefinitions>(table: T) =>
  ({
    ...fieldSchemasForUpdate(table),
    ...objectFromKeys<Record<string, v.GenericSchema>>(fieldNamesWith(table, { isRequired: true }), name =>
      sentBy(table[name] as Field),
    ),
  }) as NewEntries<T>

type Schemas<Values extends Record<FieldKind, unknown>> = { [Kind in FieldKind]: v.GenericSchema<Values[Kind]> }
type Entries<T extends FieldDefinitions, Values extends Record<FieldKind, unknown>> = {
  [F in keyof T]: v.GenericSchema<Values[T[F]['kind']]>
}
const entriesBy = <T extends FieldDefinitions, Values extends Record<FieldKind, unknown>>(
  table: T,
  schemas: Schemas<Values>,
) =>
  objectFromKeys<Record<string, v.GenericSchema>>(
    keysOf(table),
    name => schemas[(table[name] as Field).kind],
  ) as Entries<T, Values>

const text = v.string()
const number = v.number()
const plainSchemas = {
  key: text,
  line: text,
  text,
  html: text,
  url: text,
  icon: text,
  picture: text,
  emails: v.array(text),
  hours: number,
  flag: v.boolean(),
}

export type ResponseValueByFieldKind = Omit<ValueByFieldKind, 'date' | 'startOfDay' | 'time' | 'moment'> &
  Record<'date' | 'startOfDay' | 'time' | 'moment', DateTimeValue>
const shown: Schemas<ResponseValueByFieldKind> = {
  ...plainSchemas,
  count,
  /** 1900 means not set */
  year: number,
  money,
  weekday,
  season: id,
  category: id,
  date: dateTimeValue,
  startOfDay: dateTimeValue,
  time: dateTimeValue,
  moment: dateTimeValue,
}
/** Schemas for response fields outside the office UI, where dates and times are objects. */
export const portalResponseFieldSchemas = <T extends FieldDefinitions>(table: T) => entriesBy(table, shown)

type OfficeResponseValues = Omit<ValueByFieldKind, 'year' | 'startOfDay' | 'date'> & {
  year: number | null
  startOfDay: string | null
  date: string | null
}
const officeResponse: Schemas<OfficeResponseValues> = {
  ...plainSchemas,
  count: number,
  year: v.nullable(number),
  money: number,
  weekday: number,
  season: number,
  category: number,
  date: v.nullable(text),
  startOfDay: v.nullable(text),
  time: text,
  moment: text,
}
/** Schemas for response fields in the office UI, in the format that actions accept. */
export const officeResponseFieldSchemas = <T extends FieldDefinitions>(table: T) => entriesBy(table, officeResponse)

/** A field of a form in the office UI. */
export type FormFieldSpec = {
  name: string
  kind: FieldKind
  /** whether the field exists in both languages; the second-language field has the suffix 2 */
  isPair?: boolean
  isRequired?: boolean
  /** whether an empty input clears the field */
  isClearable?: boolean
}

/** The form for editing a row of the table, with fields grouped and ordered. */
export function formLayoutOf(
  table: FieldDefinitions,
): { group: (typeof OFFICE_FORM_GROUPS)[number]; fields: FormFieldSpec[] }[] {
  const fieldsOf = (wanted: string) =>
    Object.entries(table)
      .flatMap(([name, { kind, isRequired = false, isClearable = false, form }]) => {
        const [group, position = 0, required] = form ?? []
        const isPair = isKeyOf(table, `${name}2`)
        const spec = { name, kind, isPair, isRequired: isRequired || required !== undefined, isClearable }
        return group === wanted ? [{ position, spec }] : []
      })
      .sort((a, b) => a.position - b.position)
      .map(({ spec }) => spec)
  return OFFICE_FORM_GROUPS.map(group => ({ group, fields: fieldsOf(group) })).filter(({ fields }) => fields.length > 0)
}

/**
 * Descriptions of date and time formats: first for actions and office responses, which use text, then for the date-time
 * values of all other responses.
 */
const FORMATS: Partial<Record<FieldKind, readonly [text: string, value: string]>> = {
  date: [': `YYYY-MM-DD`', '; the time parts are 0'],
  startOfDay: [': `YYYY-MM-DD`', ''],
  time: [': `HH:mm` in the zone of the portal', '; the date parts are 0'],
  moment: [': `YYYY-MM-DDTHH:mm`', ''],
}

/**
 * API descriptions of a table's fields.
 * @param component name of the response schema that contains date-time values
 */
export const fieldDescriptionsOf = <T extends FieldDefinitions>(
  component: string,
  table: T,
  descriptions: Partial<Record<FirstLanguageFieldNames<T>, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries<string | undefined>(descriptions).flatMap(([name, description = '']) => {
      const format = FORMATS[table[name]?.kind ?? 'line']
      // These fields are accepted in requests but do not appear in any response.
      const isSentOnly = 'isInternal' in (table[name] ?? {})
      const second = isKeyOf(table, `${name}2`) ? [[`${name}2`, 'The same in the second language']] : []
      return format
        ? [[name, description + format[0]], ...(isSentOnly ? [] : [[`${component}.${name}`, description + format[1]]])]
        : [[name, description], ...second]
    }),
  )
