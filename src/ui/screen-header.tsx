import type { ReactNode } from 'react'
import { CourtLines } from './court-lines.tsx'
import classes from './screen-header.module.css'

type Props = {
  title: string
  lead?: ReactNode
  /** link to the parent page, shown above the title */
  kicker?: ReactNode
  /** value of `data-category` (category-color.ts); green by default */
  category?: string
  /** reduced height, for pages whose facts should be visible without scrolling */
  isLow?: boolean
  /** content below the text, such as a search box or buttons */
  children?: ReactNode
}

/** Header of a screen: full-width court lines with the page's heading. */
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
