import type { CsvLayout } from '#server/platform/files/read-bank-csv.ts'
import { handleJobs } from '#server/platform/process/thread-jobs.ts'
import { message, type SerializedMessage } from './messages.ts'
import { UnreadableFile } from './problems.ts'
import { readBankStatement } from './read-bank-statement.ts'
import { readCsv } from './read-csv.ts'
import { readXlsx, toCsvTable, toFirstFilledTable } from './read-xlsx.ts'
import { sanitizeSvg } from './sanitize-svg.ts'
import { unzipFolder } from './unzip.ts'

export type ReadJob =
  | { kind: 'workbook' | 'svg'; content: Uint8Array }
  | { kind: 'table'; content: Uint8Array; isCsv: boolean }
  | { kind: 'csv'; content: Uint8Array; isAnyEncoding: boolean }
  | { kind: 'statement'; content: Uint8Array; layouts: readonly CsvLayout[] }
  | { kind: 'zip'; path: string; folder: string }
/**
 * Result of a read job. `json`: the value in UTF-8, because parsing JSON is several times faster than a structured
 * clone of so many cells.
 */
export type ReadResult = { json: Uint8Array<ArrayBuffer> } | { refusal: SerializedMessage }

/** Maximum size of the result in MB. Parsing more would block the receiving thread. */
const MAX_JSON_MB = 32

async function read(job: ReadJob): Promise<unknown> {
  if (job.kind === 'zip') return unzipFolder(job.path, job.folder)
  if (job.kind === 'svg') return sanitizeSvg(job.content)
  if (job.kind === 'csv') return readCsv(job.content, job)
  if (job.kind === 'statement') return readBankStatement(job.content, job.layouts)
  if (job.kind === 'table' && job.isCsv) return toCsvTable(readCsv(job.content, { isAnyEncoding: true }))
  const sheets = await readXlsx(Buffer.from(job.content.buffer, job.content.byteOffset, job.content.byteLength))
  return job.kind === 'table' ? toFirstFilledTable(sheets) : sheets
}

handleJobs(async (job: ReadJob): Promise<ReadResult> => {
  try {
    const json = Buffer.from(JSON.stringify((await read(job)) ?? null))
    if (json.byteLength > MAX_JSON_MB << 20)
      throw new UnreadableFile(message`holds more than ${MAX_JSON_MB} MB of text`)
    return { json }
  } catch (error) {
    if (error instanceof UnreadableFile) return { refusal: error.said.toJSON() }
    throw error
  }
})
