import { flushSync } from 'react-dom'
import { canMorph, move, nameCard, SHARED } from './motion.ts'
import { firstLook } from './overlay-history.ts'

/** What the entry of a list keeps while one of its courses is open: whose card has grown, and where the list stood. */
type Left = { path: string; scrollY: number }

const setRestoration = (restoration: ScrollRestoration) => {
  window.history.scrollRestoration = restoration
}

function noteLeft(left?: Left): void {
  // The browser would put back the place before the list is there again, on the page that is about to shrink.
  setRestoration(left ? 'manual' : 'auto')
  window.history.replaceState({ ...window.history.state, left }, '')
}

/** Shows the list where it stood. */
function putBack({ scrollY }: Left): void {
  window.scrollTo(0, scrollY)
  // The rows near the window are drawn in the same picture.
  flushSync(() => window.dispatchEvent(new Event('scroll')))
  noteLeft()
}

/**
 * A step back from a course, the app's own or the browser's: the head of its page shrinks into its card. To be called once:
 * everybody who shows pages hears of this step when the browser has drawn the one that goes.
 */
export function watchStepsBack(): void {
  let isTold = false
  const { left: alone }: { left?: Left } = window.history.state ?? {}
  if (alone) {
    // The course was loaded anew meanwhile: nothing shrinks.
    noteLeft()
    if (window.scrollY === 0) window.scrollTo(0, alone.scrollY)
  }
  firstLook.leave = path => {
    noteLeft({ path, scrollY: window.scrollY })
    // The new entry would have it from the list's.
    window.addEventListener('pushState', () => setRestoration('auto'), { once: true })
  }
  firstLook.at = step => {
    const left: Left | undefined = step.state?.left
    if (!left || isTold || step.state.overlay) return false
    step.stopImmediatePropagation()
    const tell = () => {
      isTold = true
      flushSync(() => window.dispatchEvent(new PopStateEvent('popstate', { state: step.state })))
      isTold = false
      putBack(left)
    }
    // A finger that swipes has moved the page already.
    if (step.hasUAVisualTransition || !canMorph()) tell()
    else
      move(
        () => {
          tell()
          nameCard(left.path, SHARED)
        },
        () => nameCard(left.path, ''),
      )
    return true
  }
}
