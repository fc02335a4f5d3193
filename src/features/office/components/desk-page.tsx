import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { piece } from '#components/pieces.ts'
import { usePageTitle } from '#lib/breadcrumb.ts'
import classes from './desk-page.module.css'

type Props = {
  title: string
  /** text below the title */
  lead?: ReactNode
  /** actions at the right of the title */
  actions?: ReactNode
  children: ReactNode
}

/** Layout of an office screen: heading, actions and content. */
export function DeskPage({ title, lead, actions, children }: Props) {
  const [location] = useLocation()
  usePageTitle(title, '', location)
  return (
    <div className={piece('stack', 'loose')}>
      <header className={piece('stack', 'joined', 'flush')}>
        <div className={piece('spread', 'flush')}>
          <h1 className={piece('title')}>{title}</h1>
          {actions && <div className={classes.actions}>{actions}</div>}
        </div>
        {lead && <p className={piece('muted')}>{lead}</p>}
      </header>
      {children}
    </div>
  )
}
