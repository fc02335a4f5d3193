import { createHash, type Hash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { type Queryable, sql } from '#server/platform/db/client.ts'

/**
 * Table with its columns in order. Generated columns are excluded, and so are transaction ids, which are meaningless in
 * another cluster.
 */
export type Table = { name: string; columns: string[] }
export type TableContent = Table & { rows: number; bytes: number; sha256: string }
export type Sequence = { name: string; value: string | null }

/**
 * Session settings that disable timeouts and make the text form of values and the order of rows independent of the
 * server's configuration.
 */
const SETTINGS = `
  set time zone 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set client_encoding = 'UTF8'; set synchronize_seqscans = off;
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`

export const configureCopySession = (client: pg.ClientBase): Promise<unknown> => client.query(SETTINGS)

/**
 * The portal's tables except migrations, each after the tables that its foreign keys reference. @throws Error on
 * circular references
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(`
    select c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and a.atttypid <> 'xid8'::regtype) as columns,
      (select coalesce(json_agg(distinct t.relname), '[]') from pg_constraint f join pg_class t on t.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
    order by c.relname`)
  const ordered: Table[] = []
  let left = rows
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name))
    const free = left.filter(({ needs }) => !needs.some(need => waiting.has(need)))
    if (free.length === 0) throw new Error(`tables have circular foreign keys: ${[...waiting].join(', ')}`)
    ordered.push(...free.map(({ name, columns }) => ({ name, columns })))
    left = left.filter(table => !free.includes(table))
  }
  return ordered
}

export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = current_schema() order by sequencename`)
  return rows
}

/** Restores the positions of sequences. Unused sequences keep their initial value. */
export async function writeSequences(client: pg.ClientBase, sequences: Sequence[]): Promise<void> {
  for (const { name, value } of sequences) {
    if (value !== null) await client.query('select setval($1::regclass, $2::bigint)', [quote(name), value])
  }
}

/**
 * Advances all sequences far beyond the backup. Numbers that were assigned after the backup are unknown here, but API
 * clients, phones and the list of deleted accounts still refer to them.
 * @param used highest number known to have been used, by sequence name
 */
export async function advanceSequences(tx: Queryable, used: Record<string, number>): Promise<void> {
  const sequences = await tx.query<{ name: string; value: number }>(sql`
    select format('%I', sequencename) as name, coalesce(last_value, start_value) as value from pg_sequences
    where schemaname = current_schema()`)
  for (const { name, value } of sequences)
    await tx.execute(sql`select setval(${name}::regclass, ${Math.max(value, used[name] ?? 0) + SKIPPED}::bigint)`)
}

/**
 * How many numbers to skip: more than a portal uses between two backups, but few enough for two thousand restores
 * within the range of an integer column.
 */
const SKIPPED = 1_000_000

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
const columnList = ({ columns }: Table) => columns.map(quote).join(', ')

/** Streams the rows of a table in COPY text format, one per line. */
export const readTable = (client: pg.ClientBase, table: Table): Readable =>
  client.query(copyTo(`copy ${quote(table.name)} (${columnList(table)}) to stdout`))

export const writeTable = (client: pg.ClientBase, table: Table): Writable =>
  client.query(copyFrom(`copy ${quote(table.name)} (${columnList(table)}) from stdin`))

/** Pass-through stream that counts rows and bytes and computes the checksum. */
export function createTableChecksumStream(): Transform & { result(): Pick<TableContent, 'rows' | 'bytes' | 'sha256'> } {
  const hash: Hash = createHash('sha256')
  let bytes = 0
  let rows = 0
  const counter = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1
      done(null, chunk)
    },
  })
  return Object.assign(counter, { result: () => ({ rows, bytes, sha256: hash.digest('hex') }) })
}

export async function computeTableChecksum(client: pg.ClientBase, table: Table): Promise<TableContent> {
  const counter = createTableChecksumStream()
  await pipeline(readTable(client, table), counter.resume())
  return { ...table, ...counter.result() }
}

/** Disables triggers while rows are loaded, because the data already includes their effects. */
export async function withoutTriggers(
  client: pg.ClientBase,
  tables: Table[],
  work: () => Promise<void>,
): Promise<void> {
  for (const { name } of tables) await client.query(`alter table ${quote(name)} disable trigger user`)
  await work()
  for (const { name } of tables) await client.query(`alter table ${quote(name)} enable trigger user`)
}

/** Empties the tables, which contain rows inserted by migrations. */
export const truncateTables = (client: pg.ClientBase, tables: Table[]): Promise<unknown> =>
  client.query(`truncate ${tables.map(({ name }) => quote(name)).join(', ')}`)
