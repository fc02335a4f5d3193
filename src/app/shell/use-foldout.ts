import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useBackCloses } from '#components/use-back-closes.ts'

/**
 * What a button opens beside itself, in one element with it. It closes when the pointer or the focus goes elsewhere, on going
 * back, and on Escape, which gives the focus back.
 */
export function useFoldout() {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => setIsOpen(false)
  useBackCloses(close, isOpen)
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
        // Where a click focuses nothing (Safari) it may be on what is open.
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
