import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Database, sql } from '#server/db/client.ts'

export type TestFolder = {
  path: string
  /** Writes files by their path in the folder; null removes one. */
  write(files: Record<string, string | Uint8Array | null>): Promise<void>
  remove(): Promise<void>
}

/** An import folder on disk, for one test. */
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
  return { path, write, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Everything the database holds, to be compared: table names with all their rows. */
export async function dumpTables(db: Database): Promise<Record<string, object[]>> {
  const tables = await db.query<{ name: string }>(sql`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`)
  const dump: Record<string, object[]> = {}
  for (const { name } of tables) dump[name] = await db.query(sql`select t::text from ${sql.raw(name)} t order by 1`)
  return dump
}
