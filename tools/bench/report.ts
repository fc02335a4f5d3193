import { appendFileSync } from 'node:fs'
import { loadavg } from 'node:os'

/** One measured value. */
export type Row = {
  what: string
  figure: number
  unit: string
  /** baseline measured in the same run */
  reference?: { name: string; figure: number }
  /** limit of the ratio to the baseline if there is one, else of the value */
  limit?: { atMost: number } | { atLeast: number }
  /** machine load during the measurement; added by the runner */
  load?: number
}

/** Ratio of the value to its baseline. */
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

/** Prints a measurement; `npm run bench` collects it. */
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
