import { type RefObject, useEffect, useRef } from 'react'

/**
 * Manages the focus of a panel beside a list. Opening the panel moves the focus into it, and closing it moves the focus
 * back to the entry shown last. Each entry is scrolled to its beginning. Sets `--header-bottom` on the panel, for panels
 * below the page header, whose first line scrolls away. This is a separate component so that the page of a course need
 * not load it.
 * @param entry selector of the link in the list whose entry is shown; the link that was used takes precedence
 */
export function PanelFocus({ panel, entry }: { panel: RefObject<HTMLElement | null>; entry: string }) {
  const opener = useRef<HTMLElement | null>(null)
  const latest = useRef(entry)
  useEffect(() => {
    latest.current = entry
    panel.current?.scrollTo(0, 0)
    const active = document.activeElement
    const isInList = active instanceof HTMLElement && active !== document.body && !panel.current?.contains(active)
    if (isInList) opener.current = active
    // The focused link in the panel was removed together with the previous entry.
    else panel.current?.focus({ preventScroll: true })
  }, [panel, entry])
  useEffect(() => {
    panel.current?.focus({ preventScroll: true })
    return () => {
      const used = opener.current
      const isUsedOne = used?.isConnected && used.matches(latest.current)
      const target = isUsedOne ? used : document.querySelector<HTMLElement>(latest.current)
      ;(target ?? used)?.focus({ preventScroll: true })
    }
  }, [panel])
  useEffect(() => {
    const place = () => {
      const header = document.querySelector('header')
      if (header) panel.current?.style.setProperty('--header-bottom', `${header.getBoundingClientRect().bottom}px`)
    }
    // Banners above the header change the height of the page.
    const page = new ResizeObserver(place)
    page.observe(document.body)
    window.addEventListener('scroll', place, { passive: true })
    return () => {
      page.disconnect()
      window.removeEventListener('scroll', place)
    }
  }, [panel])
  return null
}
