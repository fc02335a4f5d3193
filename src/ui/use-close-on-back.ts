import { useEffect, useEffectEvent } from 'react'
import { addOverlayEntry } from '#lib/overlay-history.ts'

/** Makes the browser's back navigation (button or swipe) close an open overlay instead of leaving the page. */
export function useCloseOnBack(onClose: () => void, isOpen = true): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isOpen) return addOverlayEntry(() => close())
  }, [isOpen])
}
