import { fromBufferPromise } from 'yauzl'
import { type BankTurnover, unreadableStatement } from './bank-turnover.ts'
import { message } from './messages.ts'
import { quoteForMessage, UnreadableFile } from './problems.ts'
import { type CsvLayout, readBankCsv, type UnknownCsv } from './read-bank-csv.ts'
import { readCamt } from './read-camt.ts'
import { decodeText } from './read-csv.ts'
import { isMt940, readMt940 } from './read-mt940.ts'

const ENCODINGS = ['utf-8', 'iso-8859-1', 'iso-8859-15', 'windows-1252', 'us-ascii']
/** Files that each document of Excel and of LibreOffice has, which are ZIP files, too. */
const OFFICE_PARTS = ['[Content_Types].xml', 'META-INF/manifest.xml']
const MAX_FILES = 1_000
const MAX_UNPACKED_MB = 64

function readOne(bytes: Uint8Array, layouts: readonly CsvLayout[]): BankTurnover[] | UnknownCsv {
  const start = Buffer.from(bytes.subarray(0, 200))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
  if (!start.startsWith('<')) {
    const text = decodeText(bytes)
    return isMt940(text) ? readMt940(text) : readBankCsv(bytes, layouts)
  }
  const encoding = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(start)?.[1]?.toLowerCase() ?? 'utf-8'
  if (!ENCODINGS.includes(encoding)) throw unreadableStatement(message`its encoding is ${encoding}`)
  return readCamt(new TextDecoder(encoding).decode(bytes))
}

/**
 * Extracts the files of a ZIP file, in which banks deliver one statement per day and account. `bytes`: null if the file
 * is none of these formats
 */
async function unzip(content: Uint8Array): Promise<{ name: string; bytes: Buffer | null }[]> {
  const files: { name: string; bytes: Buffer | null }[] = []
  let left = MAX_UNPACKED_MB << 20
  try {
    const zip = await fromBufferPromise(Buffer.from(content), { lazyEntries: true, validateEntrySizes: true })
    for await (const entry of zip.eachEntry()) {
      const { fileName, uncompressedSize } = entry
      if (OFFICE_PARTS.includes(fileName)) throw new UnreadableFile(message`is an Office document: save it as CSV`)
      if (fileName.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\.)/.test(fileName)) continue
      if (!/\.(?:xml|csv|sta|mta|mt940|txt)$/i.test(fileName)) {
        files.push({ name: fileName, bytes: null })
        continue
      }
      left -= uncompressedSize
      if (left < 0 || files.length === MAX_FILES)
        throw new UnreadableFile(message`is too large once it is unpacked: at most ${MAX_UNPACKED_MB} MB fit`)
      const chunks: Buffer[] = []
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk))
      files.push({ name: fileName, bytes: Buffer.concat(chunks) })
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile(
      message`is not a zip that can be read (${error instanceof Error ? error.message : String(error)})`,
    )
  }
  return files
}

/** Represents a file that is not read as an unreadable turnover, so that the answer names it. */
const toUnreadFile = (file: string): BankTurnover => ({
  place: { file },
  source: 'zip',
  account: '',
  bookedOn: null,
  cents: null,
  currency: '',
  isCredit: false,
  isBooked: true,
  isReversal: false,
  bankReference: '',
  payer: '',
  texts: [],
  legacyText: '',
})

/**
 * Reads the turnovers of a bank statement in camt.052, camt.053, camt.054, MT940 or CSV, or of a ZIP file with such
 * statements.
 * @param layouts CSV layouts whose columns a person has assigned
 * @returns the columns of a CSV file whose layout is not known
 * @throws UnreadableFile
 */
export async function readBankStatement(
  bytes: Uint8Array,
  layouts: readonly CsvLayout[] = [],
): Promise<BankTurnover[] | UnknownCsv> {
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== 'PK\x03\x04') return readOne(bytes, layouts)
  const files = await unzip(bytes)
  if (files.every(({ bytes }) => bytes === null)) throw unreadableStatement(message`it has no statement`)
  const turnovers: BankTurnover[] = []
  for (const { name, bytes: content } of files) {
    if (content === null) {
      turnovers.push(toUnreadFile(name))
      continue
    }
    try {
      const read = readOne(content, layouts)
      if (!Array.isArray(read)) return read
      turnovers.push(...read.map(turnover => ({ ...turnover, place: { file: name, ...turnover.place } })))
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      throw new UnreadableFile(message`${quoteForMessage(name)}: ${error.said}`)
    }
  }
  return turnovers
}
