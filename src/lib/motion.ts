import { flushSync } from 'react-dom'
import { firstLook } from './overlay-history.ts'

/** Whether the reader has nothing against things that move. */
export const wantsMotion = (): boolean => !window.matchMedia('(prefers-reduced-motion: reduce)').matches

const cardOf = (path: string) => document.querySelector<HTMLElement>(`article a[href="${path}"]`)?.closest('article')

/** The name that a card and the head of its course share (src/components/screen-header.module.css). */
export const nameCard = (path: string, name: string): void =>
  cardOf(path)?.style.setProperty('view-transition-name', name)
export const SHARED = 'course'

export const canMorph = (): boolean => 'startViewTransition' in document && wantsMotion()

/** Two names at once, a hidden page: the browser leaves the motion out, and says so. */
export function move(act: () => void, done: () => void = () => undefined): void {
  const { ready, finished } = document.startViewTransition(act)
  // Left out: nobody misses it.
  ready.catch(() => undefined)
  finished.then(done, done)
}

/** Goes to a course: its card grows into the head of its page, where the browser can do that. */
export function morphInto(path: string, go: () => void, isReplacing = false): void {
  if (/^\/course-details\/\d+$/.test(path) && canMorph() && cardOf(path)) {
    // Before the card has its name: where the list stands is known without laying it out anew.
    if (!isReplacing) firstLook.leave?.(path)
    nameCard(path, SHARED)
    move(() => flushSync(go))
  } else go()
}
