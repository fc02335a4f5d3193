import { plan } from '#app/home/plan-door.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useCriteria } from '#features/courses/criteria-store.ts'
import { loadCourseEarly, useCourseIndex, useCourseStates } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { cleanHtml, hasMarkup } from '#lib/clean-html.ts'

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

/** Who reads, and what is theirs on this screen. */
async function ownData(view: string): Promise<void> {
  await settled(useSession, 'checking')
  if (!useSession.getState().session) return
  if (view !== '/home') return settled(useCourseStates, 'loading')
  void useBookedCourses.load()
  await Promise.all([plan.preload(), settled(useBookedCourses, 'loading')])
}

/** One course as its page shows it: whole, with its texts as they stay. */
async function courseOf(address: string): Promise<void> {
  await settled(useSession, 'checking')
  const course = await loadCourseEarly(Number(address.replace(/^.*\//, '')))
  const texts = course ? [course.textWeb, course.textWeb2, course.conditions, course.conditions2] : []
  // Without the cleaner its words show alone.
  await Promise.all(texts.filter(hasMarkup).map(text => cleanHtml(text).catch(() => undefined)))
}

/** Resolves when the app can show at least what stands in the page already, so that it takes its place without a jump. */
export async function firstDataFor(root: HTMLElement): Promise<void> {
  const { firstView, kept } = root.dataset
  // Somebody else's, or in another language: nobody sees it.
  if (!firstView || getComputedStyle(root).display === 'none') return
  const data = [settled(useCourseIndex, 'loading')]
  if (kept) data.push(ownData(firstView))
  // The start page greets by name.
  if (firstView === '/home') data.push(settled(useSession, 'checking'))
  if (firstView === '/course-details') data.push(courseOf(window.location.pathname))
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
    for (const name of ['firstView', 'kept', 'whose']) delete root.dataset[name]
    if (isTyping) root.querySelector<HTMLInputElement>(SEARCH_BOX)?.focus({ preventScroll: true })
  }
}
