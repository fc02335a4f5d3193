import { Link } from 'wouter'
import classes from './key-figures.module.css'

export type KeyFigure = {
  key: string
  value: string
  /** the total of which the value is a part */
  of?: string
  label: string
  /** earlier values for a sparkline, oldest first */
  spark?: readonly number[]
  href?: string
}

const WIDTH = 100
const HEIGHT = 28

/** Sparkline of a series, scaled to the range of the series. */
function Spark({ values }: { values: readonly number[] }) {
  const most = Math.max(...values)
  const least = Math.min(...values)
  const range = most - least || 1
  const points = values.map((value, index) => {
    const x = (index / Math.max(1, values.length - 1)) * WIDTH
    return `${x.toFixed(1)},${(HEIGHT - 2 - ((value - least) / range) * (HEIGHT - 4)).toFixed(1)}`
  })
  return (
    <svg className={classes.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline points={points.join(' ')} />
    </svg>
  )
}

type Props = {
  label: string
  figures: readonly KeyFigure[]
  /** whether the figures are amounts of money, which are right-aligned and all remain visible on phones */
  isMoney?: boolean
}

/** Row of key figures at the top of a screen. */
export function KeyFigures({ label, figures, isMoney = false }: Props) {
  return (
    <ul className={`${classes.figures} ${isMoney ? classes.money : ''}`} aria-label={label}>
      {figures.map(({ key, value, of, label: name, spark, href }) => {
        const content = (
          <>
            <b>
              {value}
              {of !== undefined && <small> / {of}</small>}
            </b>
            <span>{name}</span>
            {spark && <Spark values={spark} />}
          </>
        )
        return <li key={key}>{href ? <Link href={href}>{content}</Link> : <div>{content}</div>}</li>
      })}
    </ul>
  )
}
