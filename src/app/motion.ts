import { flushSync } from 'react-dom'
import { browserHistoryCallbacks } from '#lib/overlay-history.ts'
import { wantsMotion } from '#lib/wants-motion.ts'

const cardOf = (path: string) => document.querySelector<HTMLElement>(`article a[href="${path}"]`)?.closest('article')

/**
 * Sets the view-transition name that a course card shares with the header of the course's page
 * (src/ui/screen-header.module.css).
 */
export const setCardTransitionName = (path: string, name: string): void =>
  cardOf(path)?.style.setProperty('view-transition-name', name)
export const SHARED_TRANSITION_NAME = 'course'

export const supportsViewTransitions = (): boolean => 'startViewTransition' in document && wantsMotion()

/**
 * Runs an update in a view transition. If names are duplicated or the page is hidden, the browser skips the animation
 * and rejects `ready`.
 */
export function withViewTransition(act: () => void, done: () => void = () => undefined): void {
  const { ready, finished } = document.startViewTransition(act)
  // Skipping the animation is not an error.
  ready.catch(() => undefined)
  finished.then(done, done)
}

/** Navigates to a course with a view transition from the card to the page header, if the browser supports it. */
export function navigateWithTransition(path: string, go: () => void, isReplacing = false): void {
  if (/^\/course-details\/\d+$/.test(path) && supportsViewTransitions() && cardOf(path)) {
    // Called before the card gets its transition name, because the scroll position can then be read without forcing
    // layout.
    if (!isReplacing) browserHistoryCallbacks.leave?.(path)
    setCardTransitionName(path, SHARED_TRANSITION_NAME)
    withViewTransition(() => flushSync(go))
  } else go()
}
