import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { message } from './messages.ts'
import { quoteForMessage, UnreadableFile } from './problems.ts'

/** Limits on the number of entries and the decompressed size, which protect against zip bombs. */
const MAX_ENTRIES = 20_000
const MAX_UNPACKED_MB = 500
const MAX_FILE_MB = 64

const isFolder = ({ fileName }: Entry) => fileName.endsWith('/')
/** Whether an entry is a metadata file that an operating system or office program has added. */
const isByTheWay = ({ fileName }: Entry) => /(?:^|\/)(?:__MACOSX\/|\.|~\$|Thumbs\.db$|desktop\.ini$)/.test(fileName)
/** The upper 16 bits contain the Unix mode, in which file type 0o12 is a symbolic link. */
const isLink = ({ externalFileAttributes }: Entry) => ((externalFileAttributes >>> 28) & 0o17) === 0o12

/** Single top-level folder that contains all entries, with a trailing slash; '' if there is none. */
function findRoot(names: string[]): string {
  const [root] = names[0]?.split('/', 1) ?? []
  const prefix = `${root}/`
  return root !== undefined && root !== 'files' && names.every(name => name.startsWith(prefix)) ? prefix : ''
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Extracts the zip of an import into `folder`: only tables and `files/`, no links. Declared sizes are checked in
 * advance, and no entry can exceed its declared size.
 * @throws UnreadableFile
 */
export async function unzipFolder(path: string, folder: string): Promise<void> {
  let zip: ZipFile
  try {
    zip = await openPromise(path, {
      lazyEntries: true,
      strictFileNames: true,
      validateEntrySizes: true,
      autoClose: false,
    })
  } catch (error) {
    throw new UnreadableFile(message`is not a zip that can be read (${reasonOf(error)})`)
  }
  try {
    await unpack(zip, folder)
  } catch (error) {
    if (error instanceof UnreadableFile || (error instanceof Error && 'syscall' in error)) throw error
    throw new UnreadableFile(message`cannot be unpacked (${reasonOf(error)})`)
  } finally {
    zip.close()
  }
}

async function unpack(zip: ZipFile, folder: string): Promise<void> {
  if (zip.entryCount > MAX_ENTRIES)
    throw new UnreadableFile(message`holds ${zip.entryCount} files, at most ${MAX_ENTRIES} fit`)
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) if (!isFolder(entry) && !isByTheWay(entry)) entries.push(entry)
  const root = findRoot(entries.map(({ fileName }) => fileName))
  const names = new Set<string>()
  let left = MAX_UNPACKED_MB << 20
  for (const entry of entries) {
    const name = entry.fileName.slice(root.length)
    const isWanted = /^(?:files\/)?[^/\\:\p{Cc}]+$/u.test(name) && name.length <= 250
    if (!isWanted || isLink(entry))
      throw new UnreadableFile(message`holds ${quoteForMessage(entry.fileName)}, which is no file of a programme`)
    if (entry.isEncrypted()) throw new UnreadableFile(message`has a password`)
    // File systems and the import treat names of the same Unicode normalization alike.
    const key = name.normalize('NFC')
    if (names.has(key)) throw new UnreadableFile(message`holds ${quoteForMessage(name)} twice`)
    names.add(key)
    if (entry.uncompressedSize > MAX_FILE_MB << 20)
      throw new UnreadableFile(
        message`holds ${quoteForMessage(name)}, which is too large once it is unpacked: at most ${MAX_FILE_MB} MB fit`,
      )
    left -= entry.uncompressedSize
    if (left < 0) throw new UnreadableFile(message`is too large once it is unpacked: at most ${MAX_UNPACKED_MB} MB fit`)
  }
  await mkdir(join(folder, 'files'), { recursive: true })
  for (const entry of entries) {
    const target = join(folder, entry.fileName.slice(root.length))
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { flags: 'wx' }))
  }
}
