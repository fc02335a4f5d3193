import { useEffect, useState } from 'react'

/** Minimum width for seven columns: tablets and wider. */
const WIDE = '(min-width: 48em)'

/** Whether the window is at least that wide; false in the prerendered first view. */
export function useWideWindow(): boolean {
  const [isWide, setIsWide] = useState(false)
  useEffect(() => {
    const query = window.matchMedia(WIDE)
    const look = () => setIsWide(query.matches)
    look()
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [])
  return isWide
}
