import { type ReactNode, useId } from 'react'
import { piece } from '#components/pieces.ts'

type Props = { title: string; lead?: string; actions?: ReactNode; children?: ReactNode }

/** Part of a screen with a heading and its actions. */
export function MoneySection({ title, lead, actions, children }: Props) {
  const id = useId()
  return (
    <section className={piece('stack', 'close')} aria-labelledby={id}>
      <div className={piece('spread')}>
        <div className={piece('flush')}>
          <h2 id={id}>{title}</h2>
          {lead && <p className={piece('muted')}>{lead}</p>}
        </div>
        {actions && <div className={piece('row')}>{actions}</div>}
      </div>
      {children}
    </section>
  )
}
