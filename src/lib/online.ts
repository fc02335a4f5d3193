import { create } from 'zustand'
import { getReadiness } from '#contract/system.ts'
import { call } from './api-client.ts'
import { backoffMs } from './backoff.ts'
import { onReachability } from './call.ts'
import { deviceNow } from './clock.ts'

/** Whether the portal answers, as far as known. The browser's own flag is a hint: it stays true when only the server is away. */
export const useOnline = create<{ isOnline: boolean }>(() => ({ isOnline: navigator.onLine !== false }))

const report = (isOnline: boolean) => {
  if (useOnline.getState().isOnline !== isOnline) useOnline.setState({ isOnline })
}

let lostAt = 0

/** Nobody tells that a portal which was away is back: it is asked, ever more seldom, for as long as somebody looks. See docs/decisions/0065. */
function askUntilBack(): void {
  let timer = 0
  let failures = 1
  const ask = () => {
    clearTimeout(timer)
    if (useOnline.getState().isOnline || navigator.onLine === false || document.hidden) return
    timer = window.setTimeout(
      async () => {
        // The answer itself says that the portal is back.
        await call(getReadiness, {}).catch(() => undefined)
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

/** Listens to the browser and to every call. */
export function watchOnline(): void {
  askUntilBack()
  // An answer that was under way when the network went says nothing of now.
  onReachability((isReachable, sentAt) => report(isReachable && sentAt > lostAt))
  window.addEventListener('offline', () => {
    lostAt = deviceNow()
    report(false)
  })
  window.addEventListener('online', () => report(true))
}
