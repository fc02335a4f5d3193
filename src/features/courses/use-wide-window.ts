import { useEffect, useState } from 'react'

/** Where a week has room for seven days: tablets and wider. */
const WIDE = '(min-width: 48em)'

/** Whether the window is that wide; known once the app has come, not in the first view. */
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
