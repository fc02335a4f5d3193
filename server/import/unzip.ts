import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { quote } from './problems.ts'
import { type Said, said } from './said.ts'

/** What a programme may be once it is unpacked: a bomb is many times larger than its zip. */
const MAX_ENTRIES = 20_000
const MAX_BYTES = 500 * 1024 * 1024
const MAX_FILE_BYTES = 64 * 1024 * 1024

export class BadZip extends Error {
  readonly said: Said

  constructor(text: Said) {
    super(text.in('en'))
    this.said = text
  }
}

const isFolder = ({ fileName }: Entry) => fileName.endsWith('/')
/** What programs put beside the files that people chose. */
const isByTheWay = ({ fileName }: Entry) => /(?:^|\/)(?:__MACOSX\/|\.|~\$|Thumbs\.db$|desktop\.ini$)/.test(fileName)
/** Bits of a Unix mode above 16 others: 0o12 is a link. */
const isLink = ({ externalFileAttributes }: Entry) => ((externalFileAttributes >>> 28) & 0o17) === 0o12

/** The one folder in which everything lies, as people pack it, with a slash; else nothing. */
function findRoot(names: string[]): string {
  const [root] = names[0]?.split('/', 1) ?? []
  const prefix = `${root}/`
  return root !== undefined && root !== 'files' && names.every(name => name.startsWith(prefix)) ? prefix : ''
}

/** Unpacks an import's zip: tables, and `files/`. Nothing else, no links, sizes counted while it is unpacked. @throws BadZip */
export async function unzipFolder(content: Buffer, path: string): Promise<void> {
  let zip: ZipFile
  try {
    zip = await fromBufferPromise(content, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true })
  } catch (error) {
    throw new BadZip(said`is not a zip that can be read (${error instanceof Error ? error.message : String(error)})`)
  }
  try {
    await unpack(zip, path)
  } catch (error) {
    if (error instanceof BadZip || (error instanceof Error && 'syscall' in error)) throw error
    throw new BadZip(said`cannot be unpacked (${error instanceof Error ? error.message : String(error)})`)
  } finally {
    zip.close()
  }
}

async function unpack(zip: ZipFile, path: string): Promise<void> {
  if (zip.entryCount > MAX_ENTRIES) throw new BadZip(said`holds ${zip.entryCount} files, at most ${MAX_ENTRIES} fit`)
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) if (!isFolder(entry) && !isByTheWay(entry)) entries.push(entry)
  const root = findRoot(entries.map(({ fileName }) => fileName))
  const seen = new Set<string>()
  await mkdir(join(path, 'files'), { recursive: true })
  let left = MAX_BYTES
  for (const entry of entries) {
    const name = entry.fileName.slice(root.length)
    const isWanted = /^(?:files\/)?[^/\\:\p{Cc}]+$/u.test(name) && name.length <= 250
    if (!isWanted || isLink(entry))
      throw new BadZip(said`holds ${quote(entry.fileName)}, which is no file of a programme`)
    if (entry.isEncrypted()) throw new BadZip(said`has a password`)
    if (seen.has(name)) throw new BadZip(said`holds ${quote(name)} twice`)
    seen.add(name)
    left -= entry.uncompressedSize
    if (entry.uncompressedSize > MAX_FILE_BYTES || left < 0) throw new BadZip(said`is too large once it is unpacked`)
    await writeFile(join(path, name), await buffer(await zip.openReadStreamPromise(entry)), { flag: 'wx' })
  }
}
