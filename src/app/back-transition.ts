import { flushSync } from 'react-dom'
import { browserHistoryCallbacks } from '#lib/overlay-history.ts'
import { SHARED_TRANSITION_NAME, setCardTransitionName, supportsViewTransitions, withViewTransition } from './motion.ts'

/** State in the history entry of a list while one of its courses is open: the course's path and the scroll position. */
type Left = { path: string; scrollY: number }

const setRestoration = (restoration: ScrollRestoration) => {
  window.history.scrollRestoration = restoration
}

function noteLeft(left?: Left): void {
  // The browser would restore the scroll position before the list is rendered, while the old page is still visible.
  setRestoration(left ? 'manual' : 'auto')
  window.history.replaceState({ ...window.history.state, left }, '')
}

/** Restores the list's scroll position. */
function putBack({ scrollY }: Left): void {
  window.scrollTo(0, scrollY)
  // Rendered synchronously, so that the virtualized rows at the restored scroll position appear in the next frame.
  flushSync(() => window.dispatchEvent(new Event('scroll')))
  noteLeft()
}

/**
 * Animates back navigation from a course, whether by the app or the browser: the page header shrinks into the course's
 * card. Call this once. Other popstate listeners are notified after the old page has been captured.
 */
export function startBackTransitions(): void {
  let isTold = false
  const { left: alone }: { left?: Left } = window.history.state ?? {}
  if (alone) {
    // The course page was reloaded, so there is nothing to animate.
    noteLeft()
    if (window.scrollY === 0) window.scrollTo(0, alone.scrollY)
  }
  browserHistoryCallbacks.leave = path => {
    noteLeft({ path, scrollY: window.scrollY })
    // Otherwise, the new entry would inherit the manual scroll restoration of the list's entry.
    window.addEventListener('pushState', () => setRestoration('auto'), { once: true })
  }
  browserHistoryCallbacks.at = step => {
    const left: Left | undefined = step.state?.left
    if (!left || isTold || step.state.overlay) return false
    step.stopImmediatePropagation()
    const tell = () => {
      isTold = true
      flushSync(() => window.dispatchEvent(new PopStateEvent('popstate', { state: step.state })))
      isTold = false
      putBack(left)
    }
    // With a swipe gesture, the browser has already animated the page.
    if (step.hasUAVisualTransition || !supportsViewTransitions()) tell()
    else
      withViewTransition(
        () => {
          tell()
          setCardTransitionName(left.path, SHARED_TRANSITION_NAME)
        },
        () => setCardTransitionName(left.path, ''),
      )
    return true
  }
}
