import { formatMoney } from '#contract/words.ts'
import { formatNumber } from '#office/frame/model.ts'
import { Box } from '#ui/layout.tsx'
import { beeswarmOffsets, flowDiagramBands, ratioOrZero, roundAxisMax } from '../report-model.ts'
import { Picture, shorten, WIDTH } from './charts.tsx'

type Dot = { key: number; value: number; category: string; row: string }

type SwarmProps = { rows: readonly string[]; dots: readonly Dot[]; axis: (share: number) => string }

/**
 * Beeswarm chart with one dot per value from 0 to 1, in rows. Dots that would overlap are spread above and below the
 * axis of their row. Half as wide on phones.
 */
export const Beeswarm = (props: SwarmProps) => (
  <>
    <Box only="wide">
      <Swarm {...props} width={2 * WIDTH} left={280} />
    </Box>
    <Box only="phone">
      <Swarm {...props} width={WIDTH} left={150} />
    </Box>
  </>
)

function Swarm({ rows, dots, axis, width, left }: SwarmProps & { width: number; left: number }) {
  const line = 34
  const plot = width - left - 30
  const height = rows.length * line
  return (
    <svg viewBox={`0 0 ${width} ${height + 24}`} aria-hidden="true">
      {[0, 0.25, 0.5, 0.75, 1].map(share => (
        <g key={share}>
          <path d={`M${left + share * plot} 0V${height}`} stroke="var(--rule)" />
          {(width > WIDTH || share % 0.5 === 0) && (
            <text x={left + share * plot} y={height + 20} textAnchor="middle">
              {axis(share)}
            </text>
          )}
        </g>
      ))}
      {rows.map((row, index) => {
        const own = dots.filter(dot => dot.row === row).sort((a, b) => a.value - b.value)
        const offsets = beeswarmOffsets(
          own.map(({ value }) => Math.min(1, value) * plot),
          11,
        )
        return (
          <g key={row} transform={`translate(0 ${(index + 0.5) * line})`}>
            <text y={5} data-strong>
              {shorten(row, Math.floor(left / 9))}
            </text>
            {own.map(({ key, value, category }, place) => (
              <circle
                key={key}
                cx={left + Math.min(1, value) * plot}
                cy={Math.max(-2, Math.min(2, offsets[place] ?? 0)) * 7}
                r={6}
                data-category={category}
              />
            ))}
          </g>
        )
      })}
    </svg>
  )
}

type Point = { minutes: number; count: number }

/** Line chart with a logarithmic time axis. The first line is highlighted. */
export function LogTimeLineChart({
  lines,
  ticks,
}: {
  lines: readonly { label: string; points: readonly Point[] }[]
  ticks: readonly { minutes: number; label: string }[]
}) {
  const [left, bottom, top] = [44, 24, 12]
  const height = 230
  const points = lines.flatMap(line => line.points)
  const end = roundAxisMax(Math.max(...points.map(({ count }) => count), 0))
  const last = Math.log(Math.max(...points.map(({ minutes }) => minutes), 2))
  const x = (minutes: number) => left + (Math.log(Math.max(1, minutes)) / last) * (WIDTH - left - 8)
  const y = (count: number) => height - bottom - (count / end) * (height - bottom - top)
  return (
    <Picture height={height}>
      {[0, end / 2, end].filter(Number.isInteger).map(count => (
        <g key={count}>
          <path d={`M${left} ${y(count)}H${WIDTH}`} stroke="var(--rule)" />
          <text x={left - 8} y={y(count) + 5} textAnchor="end">
            {formatNumber(count)}
          </text>
        </g>
      ))}
      {ticks
        .filter(({ minutes }) => Math.log(minutes) <= last)
        .map(({ minutes, label }) => (
          <text key={label} x={x(minutes)} y={height - 4} textAnchor={x(minutes) > WIDTH - 60 ? 'end' : 'middle'}>
            {label}
          </text>
        ))}
      {lines.toReversed().map(({ label, points: own }, index) => {
        const isFirst = index === lines.length - 1
        const at = own.at(-1)
        return (
          at && (
            <g key={label}>
              <path
                d={`M${own.map(({ minutes, count }) => `${x(minutes)} ${y(count)}`).join('L')}`}
                fill="none"
                stroke={isFirst ? 'var(--link)' : 'var(--muted)'}
                strokeWidth={isFirst ? 3 : 2}
                {...(!isFirst && { strokeDasharray: '5 4' })}
              />
              <circle cx={x(at.minutes)} cy={y(at.count)} r={5} fill={isFirst ? 'var(--signal)' : 'var(--muted)'} />
              <text
                x={WIDTH - 8}
                y={y(at.count) + (isFirst ? -10 : 22)}
                textAnchor="end"
                data-strong={isFirst || undefined}
              >
                {`${formatNumber(at.count)} ${label}`}
              </text>
            </g>
          )
        )
      })}
    </Picture>
  )
}

/** Flow diagram with bands that lead from one amount to the parts it consists of. */
export function FlowDiagram({ parts }: { parts: readonly { label: string; value: number; color: string }[] }) {
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  const shown = parts.filter(({ value }) => value > 0)
  const height = 190
  const scale = ratioOrZero(height, total)
  const bands = flowDiagramBands(
    shown.map(({ value }) => value * scale),
    14,
  )
  const end = 150
  return (
    <Picture height={height + 14 * Math.max(0, shown.length - 1) + 8}>
      {shown.map(({ label, value, color }, index) => {
        const { from, to, height: size } = bands[index] ?? { from: 0, to: 0, height: 0 }
        const middle = end / 2
        return (
          <g key={label}>
            <path
              d={`M0 ${from}C${middle} ${from} ${middle} ${to} ${end} ${to}V${to + size}C${middle} ${to + size} ${middle} ${from + size} 0 ${from + size}z`}
              fill={color}
              fillOpacity={0.85}
            />
            <text x={end + 10} y={Math.max(14, to + size / 2 + 5)} data-strong>
              {`${label} ${formatMoney(value)}`}
            </text>
          </g>
        )
      })}
    </Picture>
  )
}
