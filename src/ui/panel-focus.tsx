import { type RefObject, useEffect, useRef } from 'react'

/**
 * Manages the focus of a panel beside a list. Opening the panel moves the focus into it, and closing it moves the focus
 * back to the entry shown last. Each entry is scrolled to its beginning. This is a separate component so that the page
 * of a course need not load it.
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
  return null
}
