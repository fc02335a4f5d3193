import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { usePageTitle } from '#lib/breadcrumb.ts'
import classes from './desk-page.module.css'

type Props = {
  title: string
  /** a line below the title */
  lead?: ReactNode
  /** at the right of the title: what can be done here */
  actions?: ReactNode
  children: ReactNode
}

/** A screen of the desk: its heading with what can be done, and what it shows. */
export function DeskPage({ title, lead, actions, children }: Props) {
  const [location] = useLocation()
  usePageTitle(title, '', location)
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div>
          <h1>{title}</h1>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
