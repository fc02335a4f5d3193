import type { ReactNode } from 'react'
import { CourtLines } from './court-lines.tsx'
import classes from './screen-header.module.css'

type Props = {
  title: string
  lead?: ReactNode
  /** link to the parent page, shown above the title */
  kicker?: ReactNode
  /** value of `data-category` (category-color.ts); the default color is green */
  category?: string
  /** reduced height without court lines, for pages whose main content should be visible without scrolling */
  isLow?: boolean
  /** content below the text, such as a search box or buttons */
  children?: ReactNode
}

/** Header of a screen: the page's heading on a colored band with court lines. */
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
