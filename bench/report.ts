import { appendFileSync } from 'node:fs'
import { loadavg } from 'node:os'

/** One figure of a measurement. */
export type Row = {
  what: string
  figure: number
  unit: string
  /** what does the least for the same, measured in the same run */
  reference?: { name: string; figure: number }
  /** of the ratio to the reference where there is one, else of the figure */
  limit?: { atMost: number } | { atLeast: number }
  /** the load of the machine meanwhile; filled in */
  load?: number
}

/** How much of the reference, or how many times it, the figure is. */
export const ratioOf = ({ figure, reference }: Row): number | null => (reference ? figure / reference.figure : null)

export function isKept(row: Row): boolean {
  if (!row.limit) return true
  const value = ratioOf(row) ?? row.figure
  return 'atMost' in row.limit ? value <= row.limit.atMost : value >= row.limit.atLeast
}

const short = (value: number) =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : String(Number(value.toFixed(3)))
const limitOf = ({ limit }: Row) =>
  !limit ? '' : 'atMost' in limit ? `≤ ${short(limit.atMost)}` : `≥ ${short(limit.atLeast)}`
const cellsOf = (row: Row): string[] => {
  const ratio = ratioOf(row)
  return [
    row.what,
    `${short(row.figure)} ${row.unit}`,
    row.reference ? `${row.reference.name}: ${short(row.reference.figure)}` : '',
    ratio === null ? '' : short(ratio),
    limitOf(row),
    isKept(row) ? 'yes' : '**no**',
    short(row.load ?? 0),
  ]
}

/** Says what was measured; `npm run bench` gathers it. */
export function report(row: Row): void {
  const measured = { ...row, load: loadavg()[0] ?? 0 }
  const [what, figure, reference, ratio, limit] = cellsOf(measured)
  console.log(`${what}: ${[figure, reference, ratio && `ratio ${ratio}`, limit].filter(Boolean).join(', ')}`)
  if (process.env.BENCH_ROWS) appendFileSync(process.env.BENCH_ROWS, `${JSON.stringify(measured)}\n`)
}

export function formatTable(rows: Row[]): string {
  const head = ['what', 'figure', 'reference of the same run', 'ratio', 'limit', 'kept', 'load']
  return [head, head.map(() => '---'), ...rows.map(cellsOf)].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}
