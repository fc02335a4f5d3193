import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { focusHeading } from '#lib/focus.ts'

/** Mounted with its screen, after loading: moves the focus of screen readers there from the removed link. */
export function ArrivalFocus({ isFirst }: { isFirst: RefObject<boolean> }) {
  const hasNavigated = useRef(false)
  // Runs again when the screen is shown again: browsers take the focus from a screen hidden by Suspense.
  useLayoutEffect(() => {
    if (hasNavigated.current && document.activeElement === document.body) focusHeading()
  }, [])
  // After the cleanup of a removed dialog, which restores the focus of its opener.
  useEffect(() => {
    hasNavigated.current = !isFirst.current
    if (hasNavigated.current) focusHeading()
    isFirst.current = false
  }, [isFirst])
  return null
}
