import { useEffect } from 'react'
import { useOnline } from './online.ts'

/** Loads again when the portal answers again, as long as what shows is old or missing. See docs/decisions/0065. */
export function useWhenBack(load: () => unknown, isStale: boolean): void {
  useEffect(() => {
    if (!isStale) return
    return useOnline.subscribe(({ isOnline }, before) => {
      if (isOnline && !before.isOnline) load()
    })
  }, [load, isStale])
}
