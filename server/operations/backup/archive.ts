import type { KeyObject } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { link, open as openFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import yauzl from 'yauzl'
import yazl from 'yazl'
import type { CopySource, CopyTotals } from '#server/platform/db/copies/load.ts'
import type { Snapshot } from '#server/platform/db/copies/snapshot.ts'
import {
  createTableChecksumStream,
  readTable,
  type Table,
  type TableContent,
} from '#server/platform/db/copies/tables.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import type { ReportProgress } from '#server/platform/process/progress.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { isValidSignature, signatureSchema, signManifest } from './signature.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const manifestSchema = v.object({
  format: v.literal(1),
  takenAt: v.pipe(v.string(), v.isoTimestamp()),
  // Versions before 2026-11-22 wrote the number as a string.
  recordHead: v.nullable(
    v.object({ number: v.pipe(v.union([v.number(), v.string()]), v.transform(Number), count), hash: v.string() }),
  ),
  migrations: v.array(v.object({ number: count, name: v.string(), checksum: v.string() })),
  sequences: v.array(v.object({ name: v.string(), value: v.nullable(v.string()) })),
  tables: v.array(
    v.object({ name: v.string(), columns: v.array(v.string()), rows: count, bytes: count, sha256: v.string() }),
  ),
})
type Manifest = v.InferOutput<typeof manifestSchema>

const MANIFEST = 'manifest.json'
const SIGNATURE = 'manifest.sig'
const pathOf = ({ name }: Table) => `tables/${name}.txt`

/** File name suffix of an unfinished backup. */
export const UNFINISHED_SUFFIX = '.part'

/**
 * Writes a snapshot to a zip file that contains one text file per table, a manifest with their hashes, and the
 * manifest's signature. The file has mode 0600 and receives its final name only after fsync and verification.
 * @throws StartError if the file exists, the disk is full, or verification fails
 */
export async function writeArchive(
  file: string,
  snapshot: Snapshot,
  key: KeyObject,
  report: ReportProgress = () => undefined,
): Promise<CopyTotals> {
  const half = `${file}${UNFINISHED_SUFFIX}`
  try {
    await rm(half, { force: true })
    const contents = await writeZip(half, snapshot, key, report)
    await verifyArchive(half, report)
    // Unlike rename, link does not overwrite an existing file.
    await link(half, file)
    await syncFolder(dirname(file))
    const sum = (field: 'rows' | 'bytes') => contents.reduce((total, content) => total + content[field], 0)
    return { tables: contents.length, rows: sum('rows'), bytes: sum('bytes') }
  } catch (error) {
    throw explainArchiveError(error, file)
  } finally {
    // The caller already reports why the file cannot be there.
    await rm(half, { force: true }).catch(() => undefined)
  }
}

/** Reads the whole backup and verifies it against its manifest. @throws StartError */
async function verifyArchive(file: string, report: ReportProgress): Promise<void> {
  const archive = await openArchive(file)
  try {
    if (archive.signature?.isValid !== true)
      throw new StartError(`${file} could not be read back: its signature is wrong`)
    for (const [index, table] of archive.tables.entries()) {
      report(`reading back tables ${index + 1} of ${archive.tables.length}`)
      const counter = createTableChecksumStream()
      await pipeline(await archive.open(table), counter.resume())
      archive.verify({ ...table, ...counter.result() })
    }
  } finally {
    archive.close()
  }
}

async function writeZip(
  file: string,
  { client, takenAt, ...facts }: Snapshot,
  key: KeyObject,
  report: ReportProgress,
): Promise<TableContent[]> {
  const zip = new yazl.ZipFile()
  const contents: TableContent[] = []
  const failed = new Promise<never>((_, reject) => zip.on('error', reject))
  for (const table of facts.tables) {
    zip.addReadStreamLazy(pathOf(table), { mtime: takenAt, mode: 0o100600, forceZip64Format: true }, give => {
      report(`writing tables ${contents.length + 1} of ${facts.tables.length}`)
      const counter = createTableChecksumStream()
      counter.on('end', () => contents.push({ ...table, ...counter.result() }))
      give(null, counter)
      pipeline(readTable(client, table), counter).catch(error => zip.emit('error', error))
    })
  }
  // The manifest and its signature are written last, because they include the row counts.
  let manifest = Buffer.alloc(0)
  zip.addReadStreamLazy(MANIFEST, { mtime: takenAt, mode: 0o100600 }, give => {
    const content: Manifest = { format: 1, takenAt: takenAt.toISOString(), ...facts, tables: contents }
    manifest = Buffer.from(JSON.stringify(content, null, 1))
    give(null, Readable.from([manifest]))
  })
  zip.addReadStreamLazy(SIGNATURE, { mtime: takenAt, mode: 0o100600 }, give =>
    give(null, Readable.from([Buffer.from(JSON.stringify(signManifest(manifest, key)))])),
  )
  zip.end()
  const out = createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true })
  await Promise.race([pipeline(zip.outputStream, out), failed])
  return contents
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await openFile(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

export type Archive = CopySource & {
  takenAt: Date
  recordHead: Manifest['recordHead']
  /** signature of the manifest; null for an unsigned backup */
  signature: { publicKey: string; isValid: boolean } | null
  close(): void
}

/** Opens a file written by `writeArchive`. @throws StartError if the file is damaged or not a backup */
export async function openArchive(file: string): Promise<Archive> {
  try {
    const zip = await yauzl.openPromise(file, { autoClose: false })
    const entries = new Map<string, yauzl.Entry>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const read = async (name: string) => {
      const entry = entries.get(name)
      if (!entry) throw new StartError(`${file} is no backup of a portal: ${name} is not in it`)
      // Reading beyond the end of the file would throw an uncaught error in the zip library and end the process.
      if (entry.relativeOffsetOfLocalHeader >= zip.fileSize)
        throw new StartError(`${file} is damaged, or no backup: ${name} would lie beyond its end`)
      return zip.openReadStreamPromise(entry).catch(error => {
        throw explainReading(error, file)
      })
    }
    const readJson = async <Schema extends v.GenericSchema>(name: string, schema: Schema) => {
      const bytes = await buffer(await read(name))
      const parsed = v.safeParse(schema, JSON.parse(bytes.toString('utf8')))
      if (parsed.success) return { bytes, content: parsed.output }
      throw new StartError(`${file} is no backup that this portal reads: its ${name} does not fit`)
    }
    const { bytes, content } = await readJson(MANIFEST, manifestSchema)
    const signed = entries.has(SIGNATURE) ? (await readJson(SIGNATURE, signatureSchema)).content : null
    const { takenAt, tables, ...manifest } = content
    const expected = new Map(tables.map(content => [content.name, content]))
    return {
      ...manifest,
      signature: signed && { publicKey: signed.publicKey, isValid: isValidSignature(bytes, signed) },
      tables,
      takenAt: new Date(takenAt),
      open: table => read(pathOf(table)),
      verify({ name, rows, sha256 }) {
        const { rows: saved = 0, sha256: hash } = expected.get(name) ?? {}
        if (sha256 === hash) return
        throw new StartError(`${file}: table ${name} has ${rows} rows that do not match the manifest (${saved} rows)`)
      },
      close: () => zip.close(),
    }
  } catch (error) {
    throw explainReading(error, file)
  }
}

/** Any error that is not a file system error means that the file is damaged. */
function explainReading(error: unknown, file: string): StartError {
  const explained = explainArchiveError(error, file)
  return explained instanceof StartError ? explained : createDamageError(error, file)
}

const createDamageError = (error: unknown, file: string) =>
  new StartError(`${file} is damaged, or no backup: ${errorFactsOf(error).message}`, { cause: error })

/** Converts errors caused by the archive file to messages for operators; returns other errors unchanged. */
export function explainArchiveError(error: unknown, file: string): unknown {
  if (error instanceof StartError) return error
  const { code, message } = errorFactsOf(error)
  const folder = dirname(file)
  const missing =
    existsSync(folder) && code !== 'ENOTDIR' ? 'does not exist' : `cannot be there: ${folder} is no folder`
  const reasons: Record<string, string> = {
    ENOENT: missing,
    ENOTDIR: missing,
    EISDIR: 'is a folder',
    EEXIST: 'exists already: a backup takes no other file’s place',
    EACCES: 'is not accessible for this user',
    EPERM: 'is not accessible for this user',
    EROFS: 'is on a read-only file system',
    ENOSPC: 'is on a full disk: free some space',
    EDQUOT: 'is over its disk quota: free some space',
  }
  if (reasons[code]) return new StartError(`${file} ${reasons[code]}`, { cause: error })
  // Matches the zip library's messages for damaged files and the database's error codes for invalid rows.
  const isDamaged =
    /EOF|central directory|zip|signature|compress|size|bytes|bounds|incorrect|invalid|header|JSON/i.test(message) ||
    /^(?:Z_|22|23)/.test(code)
  return isDamaged ? createDamageError(error, file) : error
}
