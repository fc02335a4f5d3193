import { InvalidCell } from '#server/features/programme/cell-parsers.ts'
import type { ParsedRow, ParsedTable } from '#server/features/programme/parse-folder.ts'
import type { Schedule } from '#server/features/programme/schedule.ts'
import type { ColumnsByName, importTableDefinitions, TableDefinition } from '#server/features/programme/tables.ts'
import { syncCourseDates } from '#server/features/programme/write/course-dates.ts'
import { refreshBookingStarts, upsertCourses } from '#server/features/programme/write/courses.ts'
import { type DbRow, toDbRow, updatedColumns, upsertTable } from '#server/features/programme/write/upsert.ts'
import type { OfficeContext } from '#server/office/frame/office-context-service.ts'
import type { VersionedTable } from '#server/office/frame/version-repository.ts'
import { rejectTimesSkippedByDst } from './course-service.ts'
import { findUsedCourseNumber, hasUnknownInstructor, nextFreeId, tableRowExists } from './table-repository.ts'

const POSITION = { file: 'desk', line: 1, row: 1 }

/** Converts rows that do not come from an import file to an import table, so that the import code can write them. */
export const toImportTable = <C extends ColumnsByName>(
  definition: TableDefinition<C>,
  rows: ParsedRow<C>['values'][],
  columnNames: ReadonlySet<string>,
): ParsedTable<C> => ({
  definition,
  isPresent: true,
  isBroken: false,
  columnNames,
  rows: rows.map(values => ({ position: POSITION, values, hashes: {} })),
})

const cellOf = (value: unknown) => (Array.isArray(value) ? value.join(' ') : value === null ? '' : String(value))

/**
 * Column values of an action, cleaned and validated like cells in an import file.
 * @throws ActRejected
 */
export function parseActFields<C extends ColumnsByName>(
  office: OfficeContext,
  { columns }: TableDefinition<C>,
  fields: Readonly<Record<string, unknown>>,
): ParsedRow<C>['values'] {
  const values: Record<string, unknown> = {}
  for (const [name, { parse, empty }] of Object.entries(columns)) {
    if (fields[name] === undefined) continue
    const text = cellOf(fields[name]).trim()
    const value = text === '' ? empty : parse(text, 0)
    if (value === undefined || value instanceof InvalidCell) office.fail('failed.field', { field: name })
    values[name] = value
  }
  return values as ParsedRow<C>['values']
}

/**
 * Converts the fields of an action to database columns. A file-name field also clears the reference to the stored file,
 * because callers pass a new file as an upload id and set its reference afterwards.
 */
export function toColumnValues<C extends ColumnsByName>(
  office: OfficeContext,
  definition: TableDefinition<C>,
  fields: Readonly<Record<string, unknown>>,
): DbRow {
  const values = parseActFields(office, definition, fields)
  const table = toImportTable(definition, [values], new Set(Object.keys(values)))
  const columns = new Set(updatedColumns(table))
  const cells = table.rows.flatMap(row => Object.entries(toDbRow(table, row)))
  return Object.fromEntries(cells.filter(([name]) => columns.has(name)))
}

/** Writes courses and their lessons, and recalculates when booking opens and closes. */
export async function writeCoursesAndLessons(
  office: OfficeContext,
  courses: ParsedTable<typeof importTableDefinitions.courses.columns>,
  schedules: Map<string, Schedule>,
  existing: Parameters<typeof syncCourseDates>[2] = new Map(),
): Promise<void> {
  await rejectTimesSkippedByDst(
    office,
    [...schedules.values()].flatMap(({ heldAt }) => heldAt ?? []),
  )
  await upsertCourses(office.tx, { courses }, schedules, () => undefined)
  await syncCourseDates(office.tx, schedules, existing, [])
  await refreshBookingStarts(office.tx)
  office.programmeChanged()
}

/**
 * Verifies that a course's season, category and instructors exist.
 * @throws ActRejected
 */
export async function assertReferencesExist(
  office: OfficeContext,
  {
    seasonId,
    courseCategoryId,
    instructorEmails = [],
  }: ParsedRow<typeof importTableDefinitions.courses.columns>['values'],
): Promise<void> {
  const { tx } = office
  if (seasonId !== undefined && !(await tableRowExists(tx, 'seasons', seasonId))) office.fail('unknown.seasons')
  if (courseCategoryId !== undefined && !(await tableRowExists(tx, 'categories', courseCategoryId)))
    office.fail('unknown.categories')
  if (await hasUnknownInstructor(tx, instructorEmails)) office.fail('failed.unknownInstructor')
}

/**
 * Verifies that course numbers are unused.
 * @throws ActRejected naming one that is taken
 */
export async function assertCourseNumbersUnused(office: OfficeContext, numbers: string[]): Promise<void> {
  const taken = await findUsedCourseNumber(office.tx, numbers)
  if (taken) office.fail('failed.numberTaken', taken)
}

type SimpleTable = VersionedTable & ('seasons' | 'categories' | 'divisions')

/**
 * Inserts or updates a row with a numeric key.
 * @param hashes hashes of the files that it references
 * @returns its id
 */
export async function saveTableRow<C extends ColumnsByName>(
  office: OfficeContext,
  table: SimpleTable,
  definition: TableDefinition<C>,
  fields: Readonly<Record<string, unknown>> & { id?: number | undefined },
  hashes: Record<string, string> = {},
): Promise<number> {
  const { tx } = office
  const id = fields.id ?? (await nextFreeId(tx, table))
  const isNew = !(await tableRowExists(tx, table, id))
  // Only a stored row has a version.
  const isVersioned = fields.id !== undefined && fields.version !== undefined
  if (isNew && (fields.name === undefined || isVersioned))
    office.fail(fields.id === undefined ? 'failed.name' : `unknown.${table}`)
  if (!isNew) await office.open(table, id)
  const values = parseActFields(office, definition, { ...fields, id })
  const rows = toImportTable(definition, [values], new Set(Object.keys(values)))
  for (const row of rows.rows) Object.assign(row.hashes, hashes)
  const { unchanged } = await upsertTable(tx, rows, { table, key: ['id'] })
  if (unchanged > 0) office.leaveUnchanged(table, id)
  if (isNew) office.setCreated(table, id)
  office.programmeChanged()
  const { id: _, ...after }: Record<string, unknown> = values
  office.note({ after })
  return id
}
