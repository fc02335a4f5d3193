import type { PointerEvent } from 'react'

/** A sheet that was pulled down so far, px, closes. */
const FAR = 90

/** The finger is the sheet's alone: a browser that took the pull for a fling of the page would swallow the tap that follows. */
const keepFromBrowser = (handle: HTMLElement | null) =>
  handle?.addEventListener('touchstart', event => event.preventDefault(), { passive: false })

/** For the handle of a sheet, which is its first part: the sheet follows the finger, and closes when it was pulled far enough. */
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
