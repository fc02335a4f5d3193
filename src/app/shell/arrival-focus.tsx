import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { focusHeading } from '#lib/focus.ts'

/**
 * Mounted with the screen once it has loaded. Moves the focus of screen readers there from the link that was removed.
 */
export function ArrivalFocus({ isFirst }: { isFirst: RefObject<boolean> }) {
  const hasNavigated = useRef(false)
  // Also runs when Suspense shows the screen again, because browsers remove the focus from a hidden screen.
  useLayoutEffect(() => {
    if (hasNavigated.current && document.activeElement === document.body) focusHeading()
  }, [])
  // Runs after the cleanup of a removed dialog, which would restore the focus of the element that opened it.
  useEffect(() => {
    hasNavigated.current = !isFirst.current
    if (hasNavigated.current) focusHeading()
    isFirst.current = false
  }, [isFirst])
  return null
}
