import type { PointerEvent } from 'react'

/** Drag distance in px that closes the sheet. */
const FAR = 90

/** Prevents the browser from treating the drag as a scroll fling, which would suppress the next tap. */
const keepFromBrowser = (handle: HTMLElement | null) =>
  handle?.addEventListener('touchstart', event => event.preventDefault(), { passive: false })

/**
 * Drag handling for the handle of a bottom sheet, its first child: the sheet follows the finger and closes beyond the
 * threshold.
 */
export function useSheetDrag(onClose: () => void) {
  const pulledBy = ({ currentTarget, clientY }: PointerEvent<HTMLElement>) =>
    Math.max(0, clientY - Number(currentTarget.dataset.from))
  const move = (handle: HTMLElement, distance: number) =>
    handle.parentElement?.style.setProperty('translate', `0 ${distance}px`)
  return {
    ref: keepFromBrowser,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      event.currentTarget.dataset.from = String(event.clientY)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) move(event.currentTarget, pulledBy(event))
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const distance = pulledBy(event)
      if (distance > FAR) onClose()
      else move(event.currentTarget, 0)
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => move(event.currentTarget, 0),
  }
}
