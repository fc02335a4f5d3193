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

/** Output stream; replaced in tests. */
export type Sink = { isTTY?: boolean; write(text: string): unknown }

/** Shows progress: a terminal gets one line that is updated, other outputs a line per step. */
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
