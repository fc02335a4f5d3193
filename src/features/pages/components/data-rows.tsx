import { piece } from '#components/pieces.ts'
import type { DataRow } from '#features/pages/data-map-model.ts'

export function DataRows({ rows }: { rows: DataRow[] }) {
  return (
    <ul className={piece('stack', 'reading', 'above')}>
      {rows.map(({ name, what, why, facts }) => (
        <li key={name} className={piece('box', 'stack', 'flush', 'close')}>
          <h3 className={piece('name')}>{what}</h3>
          <p>{why}</p>
          <dl className={piece('stack', 'close', 'facts')}>
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
