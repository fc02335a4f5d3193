import type { Language } from '#contract/values.ts'
import { message, type TranslatableMessage } from './messages.ts'

/**
 * Location of a problem. `line`: line in the file, with the header in line 1. `row`: number of the row in a
 * spreadsheet.
 */
export type SourcePosition = {
  file: string
  /** name of the sheet in a workbook */
  sheet?: string
  line: number
  row: number
}

type Problem = SourcePosition & { column: string; text: TranslatableMessage }

/**
 * Maximum number of stored problems. Further ones are only counted, because a table can have a million invalid cells.
 */
const MAX_STORED = 10_000

/** Collects all problems of a folder, ordered by file and row, so that they can be corrected in one pass. */
export class ImportProblems {
  readonly #problems: Problem[] = []
  #count = 0

  add(position: SourcePosition, column: string, text: TranslatableMessage): void {
    this.#count += 1
    if (this.#count <= MAX_STORED) this.#problems.push({ ...position, column, text })
  }

  get count(): number {
    return this.#count
  }

  /**
   * Formats problems as `file:line: column: problem`; for a workbook, the file name is followed by the sheet name.
   * Returns at most `limit` problems. If there are more, a last line states the number of the remaining ones.
   */
  toLines(language: Language, limit = 1000): string[] {
    const nameOf = ({ file, sheet }: SourcePosition) =>
      (sheet === undefined ? message`${file}` : message`${file}, sheet ${sheet}`).in(language)
    const files = [...new Set(this.#problems.map(nameOf))]
    const sorted = this.#problems.toSorted(
      (a, b) => files.indexOf(nameOf(a)) - files.indexOf(nameOf(b)) || a.line - b.line,
    )
    const lines = sorted.slice(0, limit).map(({ line, row, column, text, ...place }) => {
      const hint = row === line ? message`` : message` (row ${row} in a spreadsheet)`
      return `${nameOf({ line, row, ...place })}:${line}: ${column}: ${text.in(language)}${hint.in(language)}`
    })
    const rest = this.#count - lines.length
    return rest > 0 ? [...lines, message`… and ${rest} more`.in(language)] : lines
  }
}

/** Shortens a cell to one line for a message. */
export function quoteForMessage(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`
}

/** The file cannot be read. The reason completes a sentence that starts with the file name. */
export class UnreadableFile extends Error {
  readonly said: TranslatableMessage

  constructor(text: TranslatableMessage) {
    super(text.in('en'))
    this.name = 'UnreadableFile'
    this.said = text
  }
}
