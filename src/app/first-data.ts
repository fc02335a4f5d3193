import { plan } from '#app/home/plan-door.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useCriteria } from '#features/courses/criteria-store.ts'
import { loadCourseEarly, useCourseIndex, useCourseStates } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { cleanHtml, hasMarkup } from '#lib/clean-html.ts'
import { readSessionToken } from '#lib/session-token.ts'

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
async function fetchCourse(address: string): Promise<void> {
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
  // A card says what is booked: it would grow when that came later.
  if (kept || readSessionToken() !== null) data.push(ownData(firstView))
  // The start page greets by name.
  if (firstView === '/home') data.push(settled(useSession, 'checking'))
  if (firstView === '/course-details') data.push(fetchCourse(window.location.pathname))
  await Promise.race([Promise.all(data), new Promise(resolve => setTimeout(resolve, PATIENCE_MS))])
}

/** What the app shows in the place of something that was there before it: the same kind with the same name. */
function sameOf(element: HTMLElement, root: HTMLElement): () => HTMLElement | undefined {
  const { tagName } = element
  const nameOf = (one: HTMLElement) => one.getAttribute('aria-label') ?? one.textContent
  const [name, all] = [nameOf(element), () => [...root.querySelectorAll<HTMLElement>(tagName)]]
  const alike = () => all().filter(one => nameOf(one) === name)
  const at = alike().indexOf(element)
  return () => alike()[at]
}

/**
 * What somebody has typed and tapped before the app came, and where they were, is there when it has. Returns what is to be done
 * then.
 */
export function keepPlace(root: HTMLElement & { tapped?: HTMLElement | null }): () => void {
  if (!root.dataset.firstView) return () => undefined
  const box = root.querySelector<HTMLInputElement>('main input[type="search"]')
  const words = root.dataset.firstView === '/courses' ? (box?.value ?? '') : ''
  const { activeElement } = document
  const focused =
    activeElement instanceof HTMLElement && root.contains(activeElement) ? sameOf(activeElement, root) : null
  const tapped = root.tapped && sameOf(root.tapped, root)
  return () => {
    for (const name of ['firstView', 'kept', 'whose']) delete root.dataset[name]
    // The list shows first: what reads words has still to come.
    if (words) useCriteria.getState().change({ text: words })
    focused?.()?.focus({ preventScroll: true })
    tapped?.()?.click()
  }
}
