import { useEffect, useRef } from 'react'
import { addOverlayEntry } from '#lib/overlay-history.ts'

/** Going back (button, swipe) closes what lies over the page, and stays on the page. */
export function useBackCloses(onClose: () => void, isOpen = true): void {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (isOpen) return addOverlayEntry(() => close.current())
  }, [isOpen])
}
