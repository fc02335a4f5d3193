import type { Counts } from './write/upsert.ts'

const COLUMNS = ['created', 'updated', 'unchanged', 'removed'] as const

export function renderCounts(counts: [file: string, counts: Counts][]): string {
  const rows = [['', ...COLUMNS], ...counts.map(([file, row]) => [file, ...COLUMNS.map(name => String(row[name]))])]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  return rows
    .map(row =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .join('\n')
}

/** A stream of the process, or what a test puts in its place. */
export type Sink = { isTTY?: boolean; write(text: string): unknown }

/** Where progress goes: a terminal shows one line that changes, anything else a line per step. */
export function createProgress(stream: Sink): { show(text: string): void; clear(): void } {
  let last = ''
  let shownAt = 0
  const step = (text: string) => text.replace(/ \d+ of \d+$/, '')
  return {
    show(text) {
      const now = performance.now()
      const isNewStep = step(text) !== step(last)
      last = text
      if (stream.isTTY && (isNewStep || now - shownAt > 100)) stream.write(`\r\u001b[2K${text}`)
      else if (!stream.isTTY && (isNewStep || now - shownAt > 2000)) stream.write(`${text}\n`)
      else return
      shownAt = now
    },
    clear() {
      if (stream.isTTY) stream.write('\r\u001b[2K')
    },
  }
}
