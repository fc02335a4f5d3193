import { type Queryable, sql } from '#server/db/client.ts'
import type { SourceFile } from '../files.ts'
import { type Counts, noCounts } from './upsert.ts'

/** Hashes (hexadecimal) of the stored files by `kind/name`. */
export async function listStoredHashes(tx: Queryable): Promise<Map<string, string>> {
  const rows = await tx.query<{ name: string; hash: string }>(sql`
    select kind || '/' || name as name, encode(sha256, 'hex') as hash from files`)
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

/** Stores what is new or has another content; one file in memory at a time. */
export async function writeFiles(tx: Queryable, files: SourceFile[], stored: Map<string, string>): Promise<Counts> {
  const counts = noCounts()
  for (const { kind, name, mediaType, sha256, read } of files) {
    const hash = stored.get(`${kind}/${name}`)
    if (hash === sha256.toString('hex')) counts.unchanged += 1
    else {
      await tx.execute(sql`
        insert into files (kind, name, media_type, sha256, content) values (${kind}, ${name}, ${mediaType}, ${sha256}, ${await read()})
        on conflict (kind, name) do update
        set media_type = excluded.media_type, sha256 = excluded.sha256, content = excluded.content`)
      counts[hash === undefined ? 'created' : 'updated'] += 1
    }
  }
  return counts
}
