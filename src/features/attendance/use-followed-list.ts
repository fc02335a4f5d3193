import { useEffect } from 'react'
import { useOnline } from '#lib/online.ts'
import { backoffMs } from '#lib/timers.ts'
import { lists } from './store.ts'

const FOLLOW_MS = 8_000

/**
 * Refreshes an open attendance list, so that it shows what other devices record and who books or cancels. Pauses while
 * the page is hidden or the portal is unreachable; an unchanged list is not sent again.
 * @param onCurrent called when the list that is shown has been confirmed as current; a stable function
 */
export function useFollowedList(courseId: number, isFollowed: boolean, onCurrent: () => void): void {
  useEffect(() => {
    if (!isFollowed) return
    let timer = 0
    let failures = 0
    let isStopped = false
    const schedule = () => {
      const waitMs = failures === 0 ? FOLLOW_MS : Math.max(FOLLOW_MS, backoffMs(failures, Math.random()))
      clearTimeout(timer)
      if (!isStopped) timer = window.setTimeout(refresh, waitMs)
    }
    const refresh = async () => {
      if (document.hidden || !useOnline.getState().isOnline) return schedule()
      clearTimeout(timer)
      // The list that is shown remains usable.
      await lists.refresh(courseId).then(
        () => {
          failures = 0
          if (!isStopped) onCurrent()
        },
        () => {
          failures += 1
        },
      )
      schedule()
    }
    schedule()
    document.addEventListener('visibilitychange', refresh)
    return () => {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [courseId, isFollowed, onCurrent])
}
