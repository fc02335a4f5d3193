import { flushSync } from 'react-dom'
import { pageLoaded } from './page-loaded.ts'

/** Whether the reader has nothing against things that move. */
export const wantsMotion = (): boolean => !window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** The name that a card and the head of its course share (src/components/screen-header.module.css). */
const SHARED = 'course'

/** What the entry of a list keeps while one of its courses is open: whose card has grown, and where the list stood. */
type Left = { path: string; scrollY: number }

const canMorph = () => 'startViewTransition' in document && wantsMotion()
const cardOf = (path: string) => document.querySelector<HTMLElement>(`article a[href="${path}"]`)?.closest('article')

/** Two names at once, a hidden page: the browser leaves the motion out, and says so. */
function move(act: () => void, done: () => void = () => undefined): void {
  const { ready, finished } = document.startViewTransition(act)
  // Left out: nobody misses it.
  ready.catch(() => undefined)
  finished.then(done, done)
}

function noteLeft(left?: Left): void {
  // The browser would put back the place before the list is there again, on the page that is about to shrink.
  window.history.scrollRestoration = left ? 'manual' : 'auto'
  window.history.replaceState({ ...window.history.state, left }, '')
}

/** Goes to a course: its card grows into the head of its page, where the browser can do that. */
export function morphInto(path: string, go: () => void, isReplacing = false): void {
  const card = /^\/course-details\/\d+$/.test(path) ? cardOf(path) : null
  if (!card || !canMorph()) {
    go()
    return
  }
  card.style.setProperty('view-transition-name', SHARED)
  if (!isReplacing) noteLeft({ path, scrollY: window.scrollY })
  move(() => {
    flushSync(go)
    // The new entry has it from the list's.
    window.history.scrollRestoration = 'auto'
  })
}

/** Shows the list where it stood. */
function putBack({ scrollY }: Left): void {
  window.scrollTo(0, scrollY)
  // The rows near the window are drawn in the same picture.
  flushSync(() => window.dispatchEvent(new Event('scroll')))
  noteLeft()
}

/**
 * A step back from a course, the app's own or the browser's: the head of its page shrinks into its card. To be called once,
 * before anybody else hears of steps: they hear of this one when the browser has drawn the page that goes.
 */
export function watchStepsBack(): void {
  let isTold = false
  const { left: alone }: { left?: Left } = window.history.state ?? {}
  if (alone) {
    // The course was loaded anew meanwhile: nothing shrinks.
    noteLeft()
    void pageLoaded().then(() => window.scrollY === 0 && window.scrollTo(0, alone.scrollY))
  }
  window.addEventListener(
    'popstate',
    event => {
      const left: Left | undefined = event.state?.left
      if (!left || isTold || event.state.overlay) return
      event.stopImmediatePropagation()
      const tell = () => {
        isTold = true
        flushSync(() => window.dispatchEvent(new PopStateEvent('popstate', { state: event.state })))
        isTold = false
        putBack(left)
      }
      // A finger that swipes has moved the page already.
      if (event.hasUAVisualTransition || !canMorph()) {
        tell()
        return
      }
      move(
        () => {
          tell()
          cardOf(left.path)?.style.setProperty('view-transition-name', SHARED)
        },
        () => cardOf(left.path)?.style.removeProperty('view-transition-name'),
      )
    },
    true,
  )
}
