import type { ReactNode } from 'react'
import { ratioOrZero } from '../report-model.ts'

// SVG charts with a shared coordinate system in which a card is WIDTH units wide. A table next to each chart contains
// its values.
export const WIDTH = 420
const LINE = 26

export const Picture = ({ height, children }: { height: number; children: ReactNode }) => (
  <svg viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
    {children}
  </svg>
)

export const shorten = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

type Bar = { label: string; value: number; text: string }

/** Horizontal bars, each with its value. @param max value of a full bar; defaults to the highest value */
export function BarChart({ bars, max }: { bars: readonly Bar[]; max?: number }) {
  const end = max ?? Math.max(...bars.map(({ value }) => value), 0)
  const [left, right] = [172, 92]
  return (
    <Picture height={bars.length * LINE}>
      {bars.map(({ label, value, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several courses may have the same name
        <g key={`${label} ${index}`} transform={`translate(0 ${index * LINE})`}>
          <text y={18}>{shorten(label, 19)}</text>
          <rect x={left} y={4} width={WIDTH - left - right} height={18} rx={4} fill="var(--hall-soft)" />
          <rect
            x={left}
            y={4}
            width={Math.max(2, (WIDTH - left - right) * Math.min(1, ratioOrZero(value, end)))}
            height={18}
            rx={4}
            fill="var(--link)"
          />
          <text x={WIDTH} y={18} textAnchor="end" data-strong>
            {text}
          </text>
        </g>
      ))}
    </Picture>
  )
}

type Cell = { row: string; column: string; value: number; text: string }

/** Heat map. If `max` is 1, values above 1 are highlighted. @param max value from which a cell has the full colour */
export function HeatMap({
  rows,
  columns,
  cells,
  max = 1,
}: {
  rows: readonly string[]
  columns: readonly string[]
  cells: readonly Cell[]
  max?: number
}) {
  const left = Math.min(150, Math.max(66, ...rows.map(row => row.length * 8)))
  const width = (WIDTH - left) / columns.length
  return (
    <Picture height={22 + rows.length * LINE}>
      {columns.map((column, index) => (
        <text key={column} x={left + (index + 0.5) * width} y={14} textAnchor="middle">
          {column}
        </text>
      ))}
      {rows.map((row, line) => (
        <g key={row} transform={`translate(0 ${22 + line * LINE})`}>
          <text y={17}>{shorten(row, 16)}</text>
          {columns.map((column, index) => {
            const cell = cells.find(one => one.row === row && one.column === column)
            const share = Math.min(1, ratioOrZero(cell?.value ?? 0, max))
            const x = left + index * width
            const isFull = (cell?.value ?? 0) > 1 && max === 1
            return (
              <g key={column}>
                <rect x={x + 1} width={width - 3} height={LINE - 4} rx={4} fill="var(--hall-soft)" />
                {cell && (
                  <rect
                    x={x + 1}
                    width={width - 3}
                    height={LINE - 4}
                    rx={4}
                    fill={isFull ? 'var(--signal)' : 'var(--hall)'}
                    fillOpacity={isFull ? 1 : 0.15 + share * 0.85}
                  />
                )}
                {cell && share > 0.55 && (
                  <text x={x + width / 2 - 0.5} y={17} textAnchor="middle" data-on>
                    {cell.text}
                  </text>
                )}
              </g>
            )
          })}
        </g>
      ))}
    </Picture>
  )
}

type Column = { label: string; parts: readonly { value: number; color: string }[] }

/** Stacked column chart; the first part of a column is at the bottom. */
export function StackedColumnChart({ columns }: { columns: readonly Column[] }) {
  const height = 190
  const end = Math.max(1, ...columns.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)))
  const width = WIDTH / columns.length
  const step = Math.ceil(columns.length / 14)
  return (
    <Picture height={height + 22}>
      {columns.map(({ label, parts }, index) => {
        let top = height
        return (
          <g key={label} transform={`translate(${index * width} 0)`}>
            {parts.map(({ value, color }) => {
              const size = (value / end) * (height - 16)
              top -= size
              return <rect key={color} x={2} y={top} width={Math.max(2, width - 4)} height={size} fill={color} />
            })}
            {parts.length === 1 && (
              <text x={width / 2} y={top - 4} textAnchor="middle" data-strong>
                {parts[0]?.value}
              </text>
            )}
            {index % step === 0 && (
              <text x={width / 2} y={height + 18} textAnchor="middle">
                {label}
              </text>
            )}
          </g>
        )
      })}
    </Picture>
  )
}
