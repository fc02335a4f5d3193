import { plan } from '#app/home/plan-door.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useCriteria } from '#features/courses/criteria-store.ts'
import { loadCourseEarly, useCourseIndex, useCourseStates } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { cleanHtml, hasMarkup } from '#lib/clean-html.ts'
import { soon } from '#lib/late.ts'
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
  // What fails here fails again where the plan is shown, and is told there.
  await Promise.all([plan.preload().catch(() => null), settled(useBookedCourses, 'loading')])
}

/** One course as its page shows it: whole, with its texts as they stay. */
async function fetchCourse(address: string): Promise<void> {
  await settled(useSession, 'checking')
  const course = await loadCourseEarly(Number(address.replace(/^.*\//, '')))
  const texts = course ? [course.textWeb, course.textWeb2, course.conditions, course.conditions2] : []
  // Without the cleaner its words show alone.
  await soon(Promise.all(texts.filter(hasMarkup).map(text => cleanHtml(text).catch(() => undefined))))
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
function sameOf(element: HTMLElement, before: HTMLElement, root: HTMLElement): HTMLElement | undefined {
  const nameOf = (one: HTMLElement) => one.getAttribute('aria-label') ?? one.textContent
  const alikeIn = (place: HTMLElement) =>
    [...place.querySelectorAll<HTMLElement>(element.tagName)].filter(one => nameOf(one) === nameOf(element))
  return alikeIn(root)[alikeIn(before).indexOf(element)]
}

/** As by a hand: React hears of it. */
function typeInto(box: HTMLElement | undefined, text: string): void {
  if (!(box instanceof HTMLInputElement)) return
  box.setRangeText(text, 0, box.value.length, 'end')
  box.dispatchEvent(new Event('input', { bubbles: true }))
}

/** What was typed and tapped until the app came, and where, is there when it has. @returns what is to be done then */
export function keepPlace(root: HTMLElement & { tapped?: HTMLElement | null }): () => void {
  const { firstView } = root.dataset
  if (!firstView) return () => undefined
  const shown = [...root.children]
  let focused = root.contains(document.activeElement) ? document.activeElement : null
  const follow = ({ target }: FocusEvent) => {
    if (target instanceof Element) focused = target
  }
  root.addEventListener('focusin', follow)
  return () => {
    root.removeEventListener('focusin', follow)
    for (const name of ['firstView', 'kept', 'whose']) delete root.dataset[name]
    // React has taken it out of the page.
    const before = document.createElement('div')
    before.append(...shown)
    const box = before.querySelector<HTMLInputElement>('main input[type="search"]')
    // The list shows first: what reads words has still to come.
    if (firstView === '/courses' && box?.value) useCriteria.getState().change({ text: box.value })
    else if (box?.value) typeInto(sameOf(box, before, root), box.value)
    if (focused instanceof HTMLElement) sameOf(focused, before, root)?.focus({ preventScroll: true })
    if (root.tapped) sameOf(root.tapped, before, root)?.click()
  }
}
