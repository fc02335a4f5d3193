import { type RefObject, useEffect, useState } from 'react'

/** Minimum width of the table in rem, as in course-card.module.css. */
const TABLE_REM = 60

/**
 * Whether a list of this width is a table, which depends on the size of the text too; false in the prerendered first
 * view, where the stylesheet alone decides the look.
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
