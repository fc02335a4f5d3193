import { flushSync } from 'react-dom'
import { historyHooks } from '#lib/overlay-history.ts'
import { SHARED_TRANSITION_NAME, setCardTransitionName, supportsViewTransitions, withViewTransition } from './motion.ts'

/** State of a list's history entry while one of its courses is open: the course's path and the scroll position. */
type Left = { path: string; scrollY: number }

const setRestoration = (restoration: ScrollRestoration) => {
  window.history.scrollRestoration = restoration
}

function noteLeft(left?: Left): void {
  // Automatic restoration would scroll before the list is rendered, on the page that is about to disappear.
  setRestoration(left ? 'manual' : 'auto')
  window.history.replaceState({ ...window.history.state, left }, '')
}

/** Restores the scroll position of the list. */
function putBack({ scrollY }: Left): void {
  window.scrollTo(0, scrollY)
  // Renders the virtualized rows in the same frame.
  flushSync(() => window.dispatchEvent(new Event('scroll')))
  noteLeft()
}

/**
 * Animates back navigation from a course, by the app or the browser: the page header shrinks into its card. To be
 * called once. Other popstate listeners are notified after the old page has been captured.
 */
export function startBackTransitions(): void {
  let isTold = false
  const { left: alone }: { left?: Left } = window.history.state ?? {}
  if (alone) {
    // The course page was reloaded: no animation.
    noteLeft()
    if (window.scrollY === 0) window.scrollTo(0, alone.scrollY)
  }
  historyHooks.leave = path => {
    noteLeft({ path, scrollY: window.scrollY })
    // Otherwise the new entry would inherit the manual mode of the list's entry.
    window.addEventListener('pushState', () => setRestoration('auto'), { once: true })
  }
  historyHooks.at = step => {
    const left: Left | undefined = step.state?.left
    if (!left || isTold || step.state.overlay) return false
    step.stopImmediatePropagation()
    const tell = () => {
      isTold = true
      flushSync(() => window.dispatchEvent(new PopStateEvent('popstate', { state: step.state })))
      isTold = false
      putBack(left)
    }
    // A swipe gesture already animated the page.
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
