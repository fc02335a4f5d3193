import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useCloseOnBack } from '#ui/use-close-on-back.ts'

/**
 * State of a popover that is rendered in the same element as its button. It closes on back navigation, on Escape, and
 * when a pointer or the focus moves outside. Escape also restores the focus.
 */
export function usePopover() {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => setIsOpen(false)
  useCloseOnBack(close, isOpen)
  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: PointerEvent) => {
      const isInside = target instanceof Node && button.current?.parentElement?.contains(target)
      if (!isInside) setIsOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])
  return {
    isOpen,
    close,
    toggle: () => setIsOpen(!isOpen),
    button: { ref: button, 'aria-expanded': isOpen },
    box: {
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        // Safari does not focus a clicked button, so `relatedTarget` may be inside the popover.
        if (relatedTarget && !currentTarget.contains(relatedTarget)) close()
      },
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key !== 'Escape' || !isOpen) return
        close()
        button.current?.focus()
      },
    },
  }
}
