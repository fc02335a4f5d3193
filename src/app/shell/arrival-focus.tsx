import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { focusHeading } from '#lib/focus.ts'

/**
 * Rendered together with a screen once the screen has loaded. After navigation, moves the focus to the screen's
 * heading, because the link that had the focus has been removed from the page.
 */
export function NavigationFocus({ isFirst }: { isFirst: RefObject<boolean> }) {
  const hasNavigated = useRef(false)
  // Also runs when Suspense shows the screen again, because browsers remove the focus from a hidden screen.
  useLayoutEffect(() => {
    if (hasNavigated.current && document.activeElement === document.body) focusHeading()
  }, [])
  // An effect, so that it runs after the cleanup of a removed dialog, which returns the focus to the element that
  // opened the dialog.
  useEffect(() => {
    hasNavigated.current = !isFirst.current
    if (hasNavigated.current) focusHeading()
    isFirst.current = false
  }, [isFirst])
  return null
}
