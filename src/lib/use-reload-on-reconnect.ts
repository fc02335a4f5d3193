import { useEffect } from 'react'
import { useOnline } from './online.ts'

/** Calls `load` when the portal becomes reachable again while data are stale or missing. See docs/decisions/0065. */
export function useReloadOnReconnect(load: () => unknown, isStale: boolean): void {
  useEffect(() => {
    if (!isStale) return
    return useOnline.subscribe(({ isOnline }, before) => {
      if (isOnline && !before.isOnline) load()
    })
  }, [load, isStale])
}
