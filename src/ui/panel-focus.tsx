import { type RefObject, useEffect, useRef } from 'react'

/**
 * Manages the focus of a panel beside a list: moves it into the panel on opening, and back to the last shown entry on
 * closing. Scrolls each entry to its beginning. A component, so that the page of a course need not load it.
 * @param entry selector of the shown entry's link in the list; the link that was used is preferred
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
