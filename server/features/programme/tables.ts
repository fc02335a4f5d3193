import { CONTENT_ITEM_TYPES } from '#contract/content-words.ts'
import { keysOf, objectFromKeys, recordFromKeys } from '#contract/records.ts'
import { YEAR_OF_BIRTH_UNSET } from '#contract/rules/profile-rules.ts'
import { COURSE_FIELDS } from '#contract/tables/course.ts'
import type { Field, FieldDefinitions, FieldKind, ValueByFieldKind } from '#contract/tables/fields.ts'
import { PERSON, STORED_PROFILE_FIELDS, type StoredProfileField } from '#contract/tables/person.ts'
import {
  CATEGORY_FIELDS,
  DIVISION_FIELDS,
  INSTRUCTOR_FIELDS,
  ROOM_FIELDS,
  SEASON_FIELDS,
} from '#contract/tables/programme.ts'
import { BILLING_TYPE, EMPLOYEE_STATUS, FORMS_OF_ADDRESS } from '#contract/values.ts'
import { columnOfField } from '#server/platform/db/field-columns.ts'
import { columnOfProfileField } from '#server/platform/db/person-columns.ts'
import type { ParseCell } from './cell-parsers.ts'
import * as cells from './cell-parsers.ts'

/** File that a cell references. `pointers`: database columns that reference the stored versions of this file. */
export type ReferencedFile = {
  kind: 'content' | 'photo' | 'document'
  /** whether only pictures are allowed; documents may have any allowed type */
  isPicture: boolean
  pointers: Record<string, FileDerivative>
  /** whether a cell references a file; default: every non-empty cell does */
  isFile?: (cell: string) => boolean
}

/** Version of a file to store: the unchanged file, the picture without metadata, or a thumbnail. */
export type FileDerivative = 'as given' | 'picture' | 'thumbnail'

/** `to`: database column. `empty`: value of an empty cell; if `empty` is missing, the cell is required. */
export type Column<Value = unknown> = { to: string; parse: ParseCell<Value>; empty?: Value; file?: ReferencedFile }
export type ColumnsByName = Record<string, Column>
export type TableDefinition<C extends ColumnsByName = ColumnsByName> = {
  file: string
  /** names of the columns that identify a row; optional columns get a default value before rows are compared */
  key: readonly string[]
  columns: C
}

const required = <Value>(to: string, parse: ParseCell<Value>): Column<Value> => ({ to, parse })
const optional = <Value, Empty>(to: string, parse: ParseCell<Value>, empty: Empty): Column<Value | Empty> => ({
  to,
  parse,
  empty,
})
const text = (to: string, parse: ParseCell<string> = cells.line) => optional(to, parse, '')

const naming = <C extends Column>(column: C, file: ReferencedFile): C => ({ ...column, file })
const fileNameIn = (to: string, file: ReferencedFile) => naming(text(to, cells.fileName), file)
const PICTURE = { kind: 'content', isPicture: true, pointers: { picture_sha256: 'picture' } } satisfies ReferencedFile
const ICON = {
  ...PICTURE,
  pointers: { icon_sha256: 'picture' },
  isFile: name => name.includes('.'),
} satisfies ReferencedFile

/** Columns for `name` and `name2`, which contains the text in the second language. */
const both = <Name extends string>(name: Name, to: string, parse?: ParseCell<string>) =>
  recordFromKeys<Name | `${Name}2`, Column<string>>([name, `${name}2`], key =>
    text(key === name ? to : `${to}2`, parse),
  )

const define = <C extends ColumnsByName>(file: string, key: readonly (keyof C & string)[], columns: C) => ({
  file,
  key,
  columns,
})

const id = required('id', cells.integer(1))
const name = required('name', cells.line)
const year = cells.integer(YEAR_OF_BIRTH_UNSET, cells.MAX_YEAR)

/** Columns of a lesson other than its date. Empty cells leave the value unchanged. */
const lessonColumns = {
  startTime: optional('', cells.time, null),
  endTime: optional('', cells.time, null),
  state: optional('', cells.oneOf('planned', 'cancelled'), null),
  venue: optional('', cells.line, null),
  instructorEmail: optional('', cells.email, null),
  note: optional('', cells.plainText, null),
  note2: optional('', cells.plainText, null),
}

/**
 * Parsers and values of empty cells by field kind, for the fields in `contract/tables/course.ts` and `contract/tables/programme.ts`.
 */
const fieldCells = {
  key: ({ max = 0 }: Field) => ({ parse: cells.lineOfMaxLength(max), empty: '' }),
  // Fields with a data category of their own contain personal data, which is normalized.
  line: ({ data }: Field) => ({ parse: data ? cells.normalizedLine : cells.line, empty: '' }),
  text: () => ({ parse: cells.plainText, empty: '' }),
  html: () => ({ parse: cells.html, empty: '' }),
  url: () => ({ parse: cells.webAddress, empty: '' }),
  icon: () => ({ parse: cells.line, empty: '', file: ICON }),
  picture: () => ({ parse: cells.fileName, empty: '', file: PICTURE }),
  emails: () => ({ parse: cells.emails, empty: [] }),
  count: ({ max, empty, unit }: Field) => ({
    parse: unit === '%' ? cells.percentage(max ?? 100) : cells.integer(0, max),
    empty: Number(empty ?? 0),
  }),
  year: () => ({ parse: year, empty: null }),
  hours: () => ({ parse: cells.decimal, empty: 0 }),
  money: ({ isClearable }: Field) => ({ parse: cells.decimalInHundredths, empty: isClearable ? null : 0 }),
  weekday: () => ({ parse: cells.integer(0, 6), empty: null }),
  season: () => ({ parse: cells.integer(1), empty: null }),
  category: () => ({ parse: cells.integer(1), empty: null }),
  flag: () => ({ parse: cells.boolean, empty: false }),
  date: () => ({ parse: cells.date, empty: null }),
  startOfDay: () => ({ parse: cells.dateTime, empty: null }),
  time: () => ({ parse: cells.time, empty: null }),
  moment: ({ empty }: Field) => ({ parse: cells.dateTime, empty: empty ?? null }),
} satisfies Record<FieldKind, (field: Field) => Omit<Column, 'to'>>

type NullIfEmpty = 'year' | 'weekday' | 'date' | 'startOfDay' | 'time' | 'moment'
type Empty<Row extends Field> = Row extends { isRequired: true }
  ? never
  : Row extends { isClearable: true } | { kind: NullIfEmpty }
    ? null
    : never
type FieldColumns<T extends FieldDefinitions> = {
  -readonly [F in keyof T & string]: Column<ValueByFieldKind[T[F]['kind']] | Empty<T[F]>>
}

/** Columns of an import file for the given fields. */
const columnsOf = <T extends FieldDefinitions>(table: T) =>
  objectFromKeys<Record<string, Column>>(keysOf(table), name => {
    const field = table[name] as Field
    const { empty, ...cell } = fieldCells[field.kind](field)
    return { to: columnOfField(name, field), ...cell, ...(!field.isRequired && { empty }) }
  }) as FieldColumns<T>

/** Parsers by kind for profile fields in users.csv. Even required profile fields may be missing. */
const userCells = {
  email: to => required(to, cells.email),
  address: to => optional(to, cells.oneOf(...FORMS_OF_ADDRESS), ''),
  line: (to, { max }) => text(to, cells.printableNameOfMaxLength(max)),
  text: (to, { max }) => text(to, cells.normalizedLineOfMaxLength(max)),
  phone: to => text(to, cells.phone),
  status: to => optional(to, cells.oneOf(...Object.values(EMPLOYEE_STATUS)), null),
  billing: to => optional(to, cells.oneOf(...Object.values(BILLING_TYPE)), null),
  division: to => optional(to, cells.integer(1), null),
  year: to => optional(to, year, null),
} satisfies Record<(typeof PERSON)[StoredProfileField]['kind'], (to: string, field: { max: number }) => Column>

type UserCells = typeof userCells
type UserColumns = { [Field in StoredProfileField]: ReturnType<UserCells[(typeof PERSON)[Field]['kind']]> } & {
  password: Column<string | null>
}
const { email, ...personColumns } = Object.fromEntries(
  STORED_PROFILE_FIELDS.map(field => {
    const { kind, max = 0 } = { max: 0, ...PERSON[field] }
    return [field, userCells[kind](columnOfProfileField(field), { max })]
  }),
) as Omit<UserColumns, 'password'>
const userColumns: UserColumns = { email, password: optional('', cells.password, null), ...personColumns }

/** Tables of an import folder (wire.md section 5), in the order in which they are validated and written. */
export const importTableDefinitions = {
  divisions: define('divisions.csv', ['id'], { id, ...columnsOf(DIVISION_FIELDS) }),
  seasons: define('seasons.csv', ['id'], {
    id,
    ...columnsOf(SEASON_FIELDS),
    draft: optional<boolean, boolean | null>('is_draft', cells.boolean, null),
  }),
  categories: define('categories.csv', ['id'], { id, ...columnsOf(CATEGORY_FIELDS) }),
  instructors: define('instructors.csv', ['email'], {
    email: required('email', cells.email),
    ...columnsOf(INSTRUCTOR_FIELDS),
  }),
  rooms: define('rooms.csv', ['name', 'site'], columnsOf(ROOM_FIELDS)),
  courses: define('courses.csv', ['number'], {
    ...columnsOf(COURSE_FIELDS),
    cancelled: optional('', cells.boolean, null),
    ...both('note', 'note', cells.plainText),
  }),
  courseDates: define('course-dates.csv', ['courseNumber', 'date'], {
    courseNumber: required('', cells.lineOfMaxLength(50)),
    date: required('', cells.dateAndTime),
    ...lessonColumns,
  }),
  albums: define('albums.csv', ['id'], {
    id,
    name,
    name2: text('name2'),
    ...both('description', 'description', cells.plainText),
    thumbnailFileName: fileNameIn('thumbnail_file_name', {
      kind: 'photo',
      isPicture: true,
      pointers: { thumbnail_sha256: 'thumbnail' },
    }),
    isIndividualCourse: optional('is_individual_course', cells.boolean, false),
    courseNumber: optional('', cells.lineOfMaxLength(50), null),
  }),
  photos: define('photos.csv', ['albumId', 'fileName'], {
    albumId: required('album_id', cells.integer(1)),
    fileName: naming(required('file_name', cells.fileName), {
      kind: 'photo',
      isPicture: true,
      pointers: { photo_sha256: 'picture', thumbnail_sha256: 'thumbnail' },
    }),
    shootingdate: optional('shot_at', cells.dateTime, null),
    sortOrder: optional('sort_order', cells.integer(0), null),
  }),
  content: define('content.csv', ['contentType', 'sortOrder'], {
    contentType: required('content_type', cells.oneOf(...CONTENT_ITEM_TYPES)),
    sortOrder: optional('sort_order', cells.integer(0), null),
    pictureFileName: fileNameIn('picture_file_name', PICTURE),
    fileName: fileNameIn('file_name', { kind: 'content', isPicture: false, pointers: { file_sha256: 'picture' } }),
    linkText: text('link_text'),
    linkText2: text('link_text2'),
    text1: text('text1', cells.html),
    text2: text('text2', cells.html),
    text3: text('text3', cells.html),
    text4: text('text4', cells.html),
    text5: text('text5', cells.html),
    link: text('link', cells.link),
  }),
  users: define('users.csv', ['email'], userColumns),
  messages: define('messages.csv', ['email', 'created', 'title'], {
    email: required('', cells.email),
    created: required('created_at', cells.dateTime),
    title: required('title', cells.line),
    text: text('text', cells.html),
    documentName: fileNameIn('document_name', {
      kind: 'document',
      isPicture: false,
      pointers: { document_sha256: 'as given' },
    }),
  }),
}

export type ImportTableDefinitions = typeof importTableDefinitions
export type TableName = keyof ImportTableDefinitions
