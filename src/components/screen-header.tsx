import type { ReactNode } from 'react'
import { CourtLines } from './court-lines.tsx'
import classes from './screen-header.module.css'

type Props = {
  title: string
  lead?: ReactNode
  /** above the title: what the page belongs to */
  kicker?: ReactNode
  /** a colour that carries white text; hall green by default */
  tint?: string
  /** below the text: search box, buttons */
  children?: ReactNode
}

/** The head of a screen: the hall floor's lines on the full width of the window, with the page's heading. */
export function ScreenHeader({ title, lead, kicker, tint, children }: Props) {
  return (
    <header className={classes.header} style={tint ? { '--tint': tint } : undefined}>
      <CourtLines className={classes.lines} />
      {kicker && <p className={classes.kicker}>{kicker}</p>}
      <h1>{title}</h1>
      {lead && <p className={classes.lead}>{lead}</p>}
      {children}
    </header>
  )
}
