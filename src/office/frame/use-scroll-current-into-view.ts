import { type RefObject, useEffect, useRef } from 'react'

/**
 * Scrolls a strip of links or tabs sideways so that the current one is visible.
 * @param current key of the current one
 */
export function useScrollCurrentIntoView<Strip extends HTMLElement>(current: string): RefObject<Strip | null> {
  const strip = useRef<Strip>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per current item
  useEffect(() => {
    const item = strip.current?.querySelector<HTMLElement>('[aria-current="page"], [aria-selected="true"]')
    if (!strip.current || !item) return
    const { offsetLeft, clientWidth } = strip.current
    strip.current.scrollLeft = item.offsetLeft - offsetLeft - (clientWidth - item.offsetWidth) / 2
  }, [current])
  return strip
}
