import { useEffect } from 'react'

/** Keeps the screen on while mounted, where supported. Requests the lock again when the page becomes visible. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let isOver = false
    const ask = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      try {
        const given = await navigator.wakeLock.request('screen')
        if (isOver) await given.release()
        else lock = given
      } catch {
        // The browser has denied the wake lock, for example because of a low battery. The attendance list works without
        // it.
      }
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', ask)
      // Already released.
      lock?.release().catch(() => undefined)
    }
  }, [])
}
