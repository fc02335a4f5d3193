import { useEffect } from 'react'
import { create } from 'zustand'
import { api } from './api.ts'
import { onReachabilityReport } from './api-error.ts'
import { deviceNow } from './clock.ts'
import { backoffMs } from './timers.ts'

/**
 * Whether the portal is reachable, as last observed. `navigator.onLine` is only a hint, because it stays true if just
 * the server is down.
 */
export const useOnline = create<{ isOnline: boolean }>(() => ({ isOnline: navigator.onLine !== false }))

const report = (isOnline: boolean) => {
  if (useOnline.getState().isOnline !== isOnline) useOnline.setState({ isOnline })
}

let lostAt = 0

/**
 * Polls an unreachable portal with backoff while the page is visible, because no event reports its recovery. See
 * docs/decisions/0065.
 */
function askUntilBack(): void {
  let timer = 0
  let failures = 1
  const ask = () => {
    clearTimeout(timer)
    if (useOnline.getState().isOnline || navigator.onLine === false || document.hidden) return
    timer = window.setTimeout(
      async () => {
        // The reachability listener handles both the response and the failure.
        await api.getReadiness().catch(() => undefined)
        failures += 1
        ask()
      },
      backoffMs(failures, Math.random()),
    )
  }
  const askSoon = () => {
    failures = 1
    ask()
  }
  useOnline.subscribe(askSoon)
  document.addEventListener('visibilitychange', askSoon)
}

/** Subscribes to the browser's online and offline events and to the outcome of each call. */
export function watchOnline(): void {
  askUntilBack()
  // A response to a request that was sent before the network was lost is outdated.
  onReachabilityReport((isReachable, sentAt) => report(isReachable && sentAt > lostAt))
  window.addEventListener('offline', () => {
    lostAt = deviceNow()
    report(false)
  })
  window.addEventListener('online', () => report(true))
}

/** Calls `load` when the portal becomes reachable again, if data is stale or missing. See docs/decisions/0065. */
export function useReloadOnReconnect(load: () => unknown, isStale: boolean): void {
  useEffect(() => {
    if (!isStale) return
    return useOnline.subscribe(({ isOnline }, before) => {
      if (isOnline && !before.isOnline) load()
    })
  }, [load, isStale])
}
