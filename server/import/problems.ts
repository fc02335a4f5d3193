import type { Language } from '#contract/values.ts'
import { type Said, said } from './said.ts'

/** Where a finding stands: `line` is the line of the file (the header's is 1), `row` what a spreadsheet numbers that row. */
export type Position = {
  file: string
  /** of a workbook */
  sheet?: string
  line: number
  row: number
}

type Problem = Position & { column: string; text: Said }

/** Further ones are only counted: a table can have a million wrong cells. */
const MAX_STORED = 10_000

/** What is wrong with a folder, in the order of files and rows, so that the operator corrects everything in one go. */
export class Problems {
  readonly #problems: Problem[] = []
  #count = 0

  add(position: Position, column: string, text: Said): void {
    this.#count += 1
    if (this.#count <= MAX_STORED) this.#problems.push({ ...position, column, text })
  }

  get count(): number {
    return this.#count
  }

  /** `file:line: column: what is wrong`, with the sheet behind the name of a workbook; at most `limit` of them and then how many there are besides. */
  toLines(language: Language, limit = 1000): string[] {
    const nameOf = ({ file, sheet }: Position) =>
      (sheet === undefined ? said`${file}` : said`${file}, sheet ${sheet}`).in(language)
    const files = [...new Set(this.#problems.map(nameOf))]
    const sorted = this.#problems.toSorted(
      (a, b) => files.indexOf(nameOf(a)) - files.indexOf(nameOf(b)) || a.line - b.line,
    )
    const lines = sorted.slice(0, limit).map(({ line, row, column, text, ...place }) => {
      const hint = row === line ? said`` : said` (row ${row} in a spreadsheet)`
      return `${nameOf({ line, row, ...place })}:${line}: ${column}: ${text.in(language)}${hint.in(language)}`
    })
    const rest = this.#count - lines.length
    return rest > 0 ? [...lines, said`… and ${rest} more`.in(language)] : lines
  }
}

/** A cell as quoted in a message: short, on one line. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`
}
