import { type Queryable, sql } from './client.ts'

export type FileKind = 'content' | 'photo' | 'thumbnail' | 'document'

export type StoredFile = {
  name: string
  mediaType: string
  /** hexadecimal SHA-256 of the content */
  hash: string
  /** null: the caller knows it */
  content: Buffer | null
}

/** A stored picture or document; without its content when its hash is among `knownHashes`. */
export const findFile = (
  db: Queryable,
  kind: FileKind,
  name: string,
  knownHashes: readonly string[] = [],
): Promise<StoredFile | null> =>
  db.maybeOne(sql`
    select name, media_type as "mediaType", encode(sha256, 'hex') as hash,
      case when encode(sha256, 'hex') = any(${knownHashes}) then null else content end as content
    from files where kind = ${kind} and name = ${name}`)
