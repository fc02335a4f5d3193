import { flushSync } from 'react-dom'

/** Whether the reader has nothing against things that move. */
export const wantsMotion = (): boolean => !window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** The name that a card and the head of its course share (src/components/screen-header.module.css). */
const SHARED = 'course'
/** A step back that never comes does not hold the page. */
const PATIENCE_MS = 400

const canMorph = () => 'startViewTransition' in document && wantsMotion()

const nameCard = (path: string, name: string): void => {
  const card = document.querySelector<HTMLElement>(`article a[href="${path}"]`)?.closest('article')
  card?.style.setProperty('view-transition-name', name)
}

/** Two names at once, a hidden page: the browser leaves the motion out, and says so. */
function move(act: () => void | Promise<void>, done: () => void = () => undefined): void {
  const { ready, finished } = document.startViewTransition(act)
  // Left out: nobody misses it.
  ready.catch(() => undefined)
  finished.then(done, done)
}

/** Goes to a course: its card grows into the head of its page, where the browser can do that. */
export function morphInto(path: string, go: () => void): void {
  const isCard = /^\/course-details\/\d+$/.test(path) && document.querySelector(`article a[href="${path}"]`) !== null
  if (isCard && canMorph()) {
    nameCard(path, SHARED)
    move(() => flushSync(go))
  } else go()
}

/** Goes a step back from a course: the head shrinks into its card. */
export function morphBack(goBack: () => void): void {
  const path = window.location.pathname
  const stepBack = async () => {
    const stepped = new Promise<void>(resolve => {
      window.addEventListener('popstate', () => setTimeout(resolve), { once: true })
      setTimeout(resolve, PATIENCE_MS)
    })
    goBack()
    await stepped
    nameCard(path, SHARED)
  }
  if (canMorph() && /^\/course-details\/\d+$/.test(path)) move(stepBack, () => nameCard(path, ''))
  else goBack()
}
