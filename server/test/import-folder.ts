import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { type ImportOptions, type ImportOutcome, importProgramme } from '#server/features/programme/import-programme.ts'
import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import { unpackZip } from '#server/platform/files/file-reader.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export type TestFolder = {
  path: string
  /** Writes files, keyed by their path in the folder; null removes a file. */
  write(files: Record<string, string | Uint8Array | null>): Promise<void>
  /** Extracts the zip of a programme into the folder. */
  unzip(content: Uint8Array): Promise<void>
  remove(): Promise<void>
}

/** Creates an import folder on disk. */
export async function createTestFolder(files: Record<string, string | Uint8Array> = {}): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'import-'))
  const write = async (files: Record<string, string | Uint8Array | null>) => {
    for (const [name, content] of Object.entries(files)) {
      const file = join(path, name)
      await mkdir(dirname(file), { recursive: true })
      await (content === null ? rm(file) : writeFile(file, content))
    }
  }
  await write(files)
  const unzip = async (content: Uint8Array) => {
    await writeFile(`${path}.zip`, content)
    await unpackZip('test', `${path}.zip`, path).finally(() => rm(`${path}.zip`))
  }
  return { path, write, unzip, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Opens the import folder that all tests of a file share. */
export async function openTestFolder(files?: Record<string, string | Uint8Array>): Promise<TestFolder> {
  const folder = await createTestFolder(files)
  afterAll(() => folder.remove())
  return folder
}

/** Returns all rows of the database by table name, for comparisons. */
export async function dumpTables(db: Queryable): Promise<Record<string, object[]>> {
  // Transaction ids are excluded, because they differ between copies.
  const tables = await db.query<{ name: string; columns: string }>(sql`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid <> 'xid8'::regtype
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by 1`)
  const dump: Record<string, object[]> = {}
  for (const { name, columns } of tables)
    dump[name] = await db.query(sql`select row(${sql.raw(columns)})::text as t from ${sql.raw(name)} order by 1`)
  return dump
}

export type ImportTest = {
  db: Database
  database: TestDatabase
  folder: TestFolder
  run(options?: Partial<ImportOptions>): Promise<ImportOutcome>
  course(number: string): ReturnType<typeof findCourse>
  datesOf(number: string): Promise<string[]>
  close(): Promise<void>
}

/** Creates a fresh database and a folder to import. */
export async function createImportTest(files: Record<string, string | Uint8Array>): Promise<ImportTest> {
  const database = await createTestDatabase()
  const folder = await createTestFolder(files)
  return {
    db: database.db,
    database,
    folder,
    run: options => importProgramme(database.db, { folder: folder.path, region: 'DE-NI', ...options }),
    course: number => findCourse(database.db, number),
    datesOf: number => listDates(database.db, number),
    async close() {
      await database.close()
      await folder.remove()
    },
  }
}

/** Like createImportTest, for a single test. */
export async function openImport(files: Record<string, string | Uint8Array>): Promise<ImportTest> {
  const subject = await createImportTest(files)
  onTestFinished(() => subject.close())
  return subject
}

/** The counts by file or, if the import was rejected, the problems. */
export const countsOf = (outcome: ImportOutcome) =>
  outcome.isDone ? Object.fromEntries(outcome.counts) : outcome.problems

export const COURSE_HEADER = 'number,seasonId,courseCategoryId,name,start,end,startTime,endTime,participants'
/** Two courses with four dates each. */
export const COURSES = `${COURSE_HEADER}
A-1,1,3,Rückenfit,2026-11-23,2026-12-14,18:00,19:00,10
A-2,1,3,Yoga,2026-11-24,2026-12-15,17:00,18:30,12
`
export const SEASONS = 'id,name,bookableFrom,viewableFrom\n1,Herbst,2026-11-01 08:00,2026-10-01\n'
export const BASIC_FOLDER = { 'seasons.csv': SEASONS, 'categories.csv': 'id,name\n3,Fitness\n', 'courses.csv': COURSES }

const findCourse = (db: Database, number: string) =>
  db.one<Record<string, unknown> & { id: number }>(sql`
    select *, opens_at::timestamp::text as opens, closes_at::timestamp::text as closes from courses where number = ${number}`)

async function listDates(db: Database, number: string): Promise<string[]> {
  const rows = await db.query<{ held_at: string }>(sql`
    select held_at from course_dates d join courses c on c.id = d.course_id where number = ${number} order by 1`)
  return rows.map(({ held_at }) => held_at)
}
