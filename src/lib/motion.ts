import { flushSync } from 'react-dom'
import { firstLook } from './overlay-history.ts'

/** Whether the reader has nothing against things that move. */
export const wantsMotion = (): boolean => !window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** The name that a card and the head of its course share (src/components/screen-header.module.css). */
export const nameCard = (path: string, name: string): boolean => {
  const card = document.querySelector<HTMLElement>(`article a[href="${path}"]`)?.closest('article')
  card?.style.setProperty('view-transition-name', name)
  return card !== undefined && card !== null
}
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
  if (/^\/course-details\/\d+$/.test(path) && canMorph() && nameCard(path, SHARED)) {
    if (!isReplacing) firstLook.leave?.(path)
    move(() => flushSync(go))
  } else go()
}
