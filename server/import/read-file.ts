import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { factsOf } from '#server/errors/error-facts.ts'
import { type Message, message } from './messages.ts'
import type { Problems } from './problems.ts'

/** Maximum size of a CSV file or workbook. */
export const MAX_TABLE_FILE_MB = 16

/** Message for a file above the size limit, completing a sentence that starts with its name; null if it fits. */
export const sizeProblem = (bytes: number, maxMb: number): Message | null =>
  bytes > maxMb << 20 ? message`has ${Math.ceil(bytes / 2 ** 20)} MB, at most ${maxMb} MB fit` : null

/** Reads a table file of an import folder. @returns null if it is unreadable, which is added to `problems` */
export async function readTableFile(folder: string, file: string, problems: Problems): Promise<Buffer | null> {
  const path = join(folder, file)
  const refuse = (reason: Message) => {
    problems.add({ file, line: 1, row: 1 }, 'file', reason)
    return null
  }
  try {
    const stats = await stat(path)
    // Reading a pipe would block forever; reading a directory fails with a clear error.
    if (!stats.isFile() && !stats.isDirectory()) return refuse(message`is no file`)
    const problem = sizeProblem(stats.size, MAX_TABLE_FILE_MB)
    return problem ? refuse(problem) : await readFile(path)
  } catch (error) {
    return refuse(message`cannot be read (${factsOf(error).code})`)
  }
}
