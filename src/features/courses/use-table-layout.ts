import { type RefObject, useEffect, useState } from 'react'

/** Minimum width of the table in rem, as in course-card.module.css. */
const TABLE_REM = 60

/**
 * Whether a list of this width is shown as a table, which also depends on the text size. False in the server-rendered
 * HTML, where the stylesheet alone determines the layout.
 */
export function useTableLayout(list: RefObject<HTMLElement | null>): boolean {
  const [isTable, setIsTable] = useState(false)
  useEffect(() => {
    const look = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setIsTable((list.current?.clientWidth ?? 0) >= TABLE_REM * rem)
    }
    const observer = new ResizeObserver(look)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return isTable
}
