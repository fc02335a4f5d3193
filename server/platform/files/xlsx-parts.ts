import { buffer } from 'node:stream/consumers'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { message } from './messages.ts'
import { UnreadableFile } from './problems.ts'
import { walkXml, type XmlReader } from './walk-xml.ts'

/** Limits on the number of entries and the decompressed size, which protect against zip bombs. */
const MAX_ENTRIES = 1_000
const MAX_UNPACKED_MB = 64

/** Signature of an OLE container, in which Excel stores encrypted workbooks and the old binary format (.xls). */
const OLE_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

const decodePath = (path: string) => {
  try {
    return decodeURIComponent(path)
  } catch {
    // A percent sign that begins no escape is part of the name.
    return path
  }
}
const toPartKey = (path: string) => decodePath(path).toLowerCase()

/** Reads a part of the workbook; undefined if it does not exist. */
export type PartReader = (path: string) => Promise<string | undefined>

/** Opens the zip and passes a reader of its parts to `use`. Each part is decompressed at most once. */
export async function withParts<Result>(
  content: Buffer,
  use: (readPart: PartReader) => Promise<Result>,
): Promise<Result> {
  if (content.subarray(0, OLE_SIGNATURE.length).equals(OLE_SIGNATURE))
    throw new UnreadableFile(message`has a password or is an old .xls file: save it as .xlsx without a password`)
  let zip: ZipFile | null = null
  try {
    const opened = await fromBufferPromise(content, {
      lazyEntries: true,
      strictFileNames: true,
      validateEntrySizes: true,
    })
    zip = opened
    if (opened.entryCount > MAX_ENTRIES)
      throw new UnreadableFile(message`holds ${opened.entryCount} files, at most ${MAX_ENTRIES} fit`)
    const entries = new Map<string, Entry>()
    for await (const entry of opened.eachEntry()) entries.set(toPartKey(entry.fileName), entry)
    const parts = new Map<string, string>()
    let left = MAX_UNPACKED_MB << 20
    return await use(async path => {
      const key = toPartKey(path)
      const entry = entries.get(key)
      if (!entry || parts.has(key)) return parts.get(key)
      if (entry.isEncrypted()) throw new UnreadableFile(message`has a password`)
      // The declared size is reliable, because yauzl verifies during decompression that no entry exceeds it.
      left -= entry.uncompressedSize
      if (left < 0)
        throw new UnreadableFile(message`is too large once it is unpacked: at most ${MAX_UNPACKED_MB} MB fit`)
      const bytes = await buffer(await opened.openReadStreamPromise(entry))
      const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
      parts.set(key, text)
      return text
    })
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile(
      message`is no Excel file (.xlsx) that can be read (${error instanceof Error ? error.message : String(error)})`,
    )
  } finally {
    zip?.close()
  }
}

export const walk = (xml: string, reader: XmlReader): void =>
  walkXml(xml, reader, why => new UnreadableFile(message`is no Excel file (.xlsx) that can be read (${why})`))

type Relationship = { type: string; path: string }

/** Reads the relationships of the part `source`, with their targets resolved to paths in the zip. */
export async function readRelationships(source: string, readPart: PartReader): Promise<Map<string, Relationship>> {
  const slash = source.lastIndexOf('/') + 1
  const [folder, name] = [source.slice(0, slash), source.slice(slash)]
  const found = new Map<string, Relationship>()
  walk((await readPart(`${folder}_rels/${name}.rels`)) ?? '<Relationships/>', {
    open: (tag, attributeOf) => {
      if (tag !== 'Relationship' || attributeOf('TargetMode') === 'External') return
      const { pathname } = new URL(attributeOf('Target'), `http://zip/${folder}`)
      // Types are URIs, which differ between the transitional and the strict form.
      const type = attributeOf('Type').replace(/^.*\//, '')
      found.set(attributeOf('Id'), { type, path: pathname.slice(1) })
    },
  })
  return found
}

export const pathOf = (relationships: ReadonlyMap<string, Relationship>, type: string, usual: string) =>
  [...relationships.values()].find(one => one.type === type)?.path ?? usual
