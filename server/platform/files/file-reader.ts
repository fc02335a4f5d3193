import { Worker } from 'node:worker_threads'
import type { BankTurnover } from '#server/platform/files/bank-turnover.ts'
import type { CsvLayout, UnknownCsv } from '#server/platform/files/read-bank-csv.ts'
import { createWorkerThreadRunner, JobAborted } from '#server/platform/process/thread-jobs.ts'
import { createFairQueue } from '#server/platform/throttle/fair-queue.ts'
import type { ReadJob, ReadResult } from './file-reader-worker.ts'
import { message, type SerializedMessage, TranslatableMessage } from './messages.ts'
import { UnreadableFile } from './problems.ts'
import type { CsvContent } from './read-csv.ts'
import type { Sheet } from './read-xlsx.ts'

const TIMEOUT_S = 60
const MEMORY_MB = 256

const runJob = createWorkerThreadRunner<ReadJob, ReadResult>(
  () =>
    new Worker(new URL('./file-reader-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    }),
  { timeoutMs: TIMEOUT_S * 1_000 },
)

// Files are read one at a time, because a job that exceeds its limits terminates the thread and thereby all jobs in it.
const turns = createFairQueue({ atOnce: 1, perLane: 50, inAll: 200, patienceMs: 60_000 })

/**
 * Parses an untrusted file in a worker thread with time and memory limits. See docs/decisions/0136.
 * @param caller key of the fair queue
 * @throws UnreadableFile; HttpProblem 429 or 503 if too many files are waiting
 */
async function read(caller: string, job: ReadJob): Promise<Buffer<ArrayBuffer>> {
  try {
    const result = await turns.run({ name: caller }, () => runJob(job))
    if ('refusal' in result) throw new UnreadableFile(TranslatableMessage.fromData(result.refusal))
    const { buffer, byteOffset, byteLength } = result.json
    return Buffer.from(buffer, byteOffset, byteLength)
  } catch (error) {
    if (!(error instanceof JobAborted)) throw error
    throw new UnreadableFile(message`takes more than ${TIMEOUT_S} seconds or ${MEMORY_MB} MB of memory to read`)
  }
}

/**
 * Reads a CSV file or the first non-empty sheet of a workbook as JSON; see `Table`.
 * @throws UnreadableFile
 */
export const readTable = (
  caller: string,
  { name, content }: { name: string; content: Uint8Array },
): Promise<Buffer<ArrayBuffer>> => read(caller, { kind: 'table', content, isCsv: /\.(?:csv|txt)$/i.test(name) })

/** Type of a value after a JSON round trip, in which messages become plain data. */
type Parsed<Value> = Value extends TranslatableMessage
  ? SerializedMessage
  : Value extends object
    ? { [Key in keyof Value]: Parsed<Value[Key]> }
    : Value

const parse = <Value>(json: Buffer): Parsed<Value> => JSON.parse(json.toString('utf8'))

/** @throws UnreadableFile */
export async function readWorkbook(caller: string, content: Uint8Array): Promise<Sheet[]> {
  const sheets = parse<Sheet[]>(await read(caller, { kind: 'workbook', content }))
  return sheets.map(sheet => ({
    ...sheet,
    wrong: sheet.wrong.map(wrong => ({ ...wrong, text: TranslatableMessage.fromData(wrong.text) })),
  }))
}

/**
 * Reads a CSV file; see readCsv.
 * @throws UnreadableFile
 */
export async function readCsvFile(
  caller: string,
  content: Uint8Array,
  { isAnyEncoding = false }: { isAnyEncoding?: boolean } = {},
): Promise<CsvContent> {
  const csv = parse<CsvContent>(await read(caller, { kind: 'csv', content, isAnyEncoding }))
  return 'text' in csv ? { ...csv, text: TranslatableMessage.fromData(csv.text) } : csv
}

/**
 * Reads the turnovers of a bank statement; see readBankStatement.
 * @throws UnreadableFile
 */
export const readStatementFile = async (
  caller: string,
  content: Uint8Array,
  layouts: readonly CsvLayout[],
): Promise<BankTurnover[] | UnknownCsv> =>
  parse<BankTurnover[] | UnknownCsv>(await read(caller, { kind: 'statement', content, layouts }))

/** Extracts the zip of an import; see unzipFolder. @throws UnreadableFile */
export async function unpackZip(caller: string, path: string, folder: string): Promise<void> {
  await read(caller, { kind: 'zip', path, folder })
}

/**
 * Sanitizes an SVG; see reduceSvg.
 * @returns null if the picture is invalid or too large to sanitize
 */
export async function sanitizeSvgFile(caller: string, content: Uint8Array): Promise<Buffer | null> {
  try {
    const svg = parse<string | null>(await read(caller, { kind: 'svg', content }))
    return svg === null ? null : Buffer.from(svg)
  } catch (error) {
    if (error instanceof UnreadableFile) return null
    throw error
  }
}
