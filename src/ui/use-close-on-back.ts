import { useEffect, useEffectEvent } from 'react'
import { addOverlayEntry } from '#lib/overlay-history.ts'

/** Browser back (button or swipe) closes an open overlay instead of leaving the page. */
export function useCloseOnBack(onClose: () => void, isOpen = true): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isOpen) return addOverlayEntry(() => close())
  }, [isOpen])
}
