import { useEffect } from 'react'

/** The screen stays lit as long as this shows, where the device can; a hidden page loses it and asks again. */
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
        // A low battery, or a setting: the list works without.
      }
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', ask)
      // It has been let go already.
      lock?.release().catch(() => undefined)
    }
  }, [])
}
