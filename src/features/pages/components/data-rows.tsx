import type { DataRow } from '#features/pages/data-map-model.ts'
import classes from './data-rows.module.css'

/** Kinds of data, each with why, who sees it and how long. */
export function DataRows({ rows }: { rows: DataRow[] }) {
  return (
    <ul className={classes.rows}>
      {rows.map(({ name, what, why, facts }) => (
        <li key={name}>
          <h3>{what}</h3>
          <p>{why}</p>
          <dl>
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
