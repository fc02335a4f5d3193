import { useCriteria } from '#features/courses/criteria-store.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'

type Phased = { getState: () => { phase: string }; subscribe: (listener: () => void) => () => void }

/** A bad network does not keep the reader from the menus for ever. */
const PATIENCE_MS = 8_000

const settled = ({ getState, subscribe }: Phased, waiting: string) =>
  new Promise<void>(resolve => {
    const look = () => {
      if (getState().phase === waiting) return
      stop()
      resolve()
    }
    const stop = subscribe(look)
    look()
  })

/**
 * Resolves when the app can show at least what the server has sent, so that it takes its place without a jump.
 * @param view the screen whose first view stands in the page, if there is one
 */
export async function firstDataFor(view: string | undefined): Promise<void> {
  if (!view) return
  const data = [settled(useCourseIndex, 'loading')]
  // The start page greets by name.
  if (view === '/home') data.push(settled(useSession, 'checking'))
  await Promise.race([Promise.all(data), new Promise(resolve => setTimeout(resolve, PATIENCE_MS))])
}

const SEARCH_BOX = 'main input[type="search"]'

/** What somebody has typed, and where, before the app came, is there when it has. Returns what is to be done then. */
export function keepPlace(root: HTMLElement): () => void {
  if (!root.dataset.firstView) return () => undefined
  const box = root.querySelector<HTMLInputElement>(SEARCH_BOX)
  const isTyping = box !== null && document.activeElement === box
  if (box?.value && root.dataset.firstView === '/courses') useCriteria.getState().change({ text: box.value })
  return () => {
    delete root.dataset.firstView
    if (isTyping) root.querySelector<HTMLInputElement>(SEARCH_BOX)?.focus({ preventScroll: true })
  }
}
