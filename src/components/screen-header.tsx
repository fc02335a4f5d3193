import type { ReactNode } from 'react'
import { CourtLines } from './court-lines.tsx'
import classes from './screen-header.module.css'

type Props = {
  title: string
  lead?: ReactNode
  /** above the title: what the page belongs to */
  kicker?: ReactNode
  /** whose colour it has (category-color.ts); hall green by default */
  category?: string
  /** as high as its words, and what it holds beside them: where facts follow that people came for */
  isLow?: boolean
  /** below the text: search box, buttons */
  children?: ReactNode
}

/** The head of a screen: the hall floor's lines on the full width of the window, with the page's heading. */
export function ScreenHeader({ title, lead, kicker, category, isLow, children }: Props) {
  return (
    <header className={`${classes.header} ${isLow ? classes.low : ''}`} data-category={category}>
      <CourtLines className={classes.lines} />
      {kicker && <p className={classes.kicker}>{kicker}</p>}
      <h1>{title}</h1>
      {lead && <p className={classes.lead}>{lead}</p>}
      {children}
    </header>
  )
}
