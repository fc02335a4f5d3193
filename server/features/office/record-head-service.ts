import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordHead } from './record-repository.ts'

export const RECORD_HEAD_FILE = 'record-head'

/** The last line of the record as this machine last saw it; null when it never did. */
export async function readRecordHead(dataDir: string): Promise<RecordHead | null> {
  const text = await readFile(join(dataDir, RECORD_HEAD_FILE), 'utf8').catch(error => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  const [, number, hash] = /^(\d+) ([0-9a-f]{64})\s*$/.exec(text ?? '') ?? []
  return number && hash ? { number: Number(number), hash } : null
}

/** Keeps the last hash of the record outside its table, so that an end that was cut off is seen. */
export function createRecordHead(dataDir: string) {
  let last: Promise<unknown> = Promise.resolve()
  const write = async (head: RecordHead) => {
    const known = await readRecordHead(dataDir)
    if (known && known.number >= head.number) return
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const file = join(dataDir, RECORD_HEAD_FILE)
    await writeFile(`${file}.new`, `${head.number} ${head.hash}\n`, { mode: 0o600 })
    await rename(`${file}.new`, file)
  }
  return (head: RecordHead): Promise<unknown> => {
    last = last.then(() => write(head))
    const written = last
    // The caller hears of it; the next one is written all the same.
    last = last.catch(() => undefined)
    return written
  }
}
