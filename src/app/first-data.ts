import { lazyPlan } from '#app/home/lazy-plan.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { prefetchCourse, useCourseIndex, useCourseStates } from '#features/courses/resource.ts'
import { useSearchCriteria } from '#features/courses/search/search-criteria-store.ts'
import { useSession } from '#features/session/store.ts'
import { cleanHtml, hasMarkup } from '#lib/clean-html.ts'
import { withTimeout } from '#lib/lazy-load.ts'
import { readSessionToken } from '#lib/session-token.ts'

type Phased = { getState: () => { phase: string }; subscribe: (listener: () => void) => () => void }

/** Timeout for the initial data, so that a slow network does not block the menus. */
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

/** Loads the session and the personal data of this screen. */
async function ownData(view: string): Promise<void> {
  await settled(useSession, 'checking')
  if (!useSession.getState().session) return
  if (view !== '/home') return settled(useCourseStates, 'loading')
  void useBookedCourses.load()
  // If this fails, it fails again where the plan is rendered, and is reported there.
  await Promise.all([lazyPlan.preload().catch(() => null), settled(useBookedCourses, 'loading')])
}

/** Loads a single course as its page shows it, with sanitized texts. */
async function fetchCourse(address: string): Promise<void> {
  await settled(useSession, 'checking')
  const course = await prefetchCourse(Number(address.replace(/^.*\//, '')))
  const texts = course ? [course.textWeb, course.textWeb2, course.conditions, course.conditions2] : []
  // Without the sanitizer, the text is shown without markup.
  await withTimeout(Promise.all(texts.filter(hasMarkup).map(text => cleanHtml(text).catch(() => undefined))))
}

/**
 * Resolves when the app can render at least what the server-rendered HTML shows, so that hydration causes no layout
 * shift.
 */
export async function loadFirstScreenData(root: HTMLElement): Promise<void> {
  const { firstView, kept } = root.dataset
  // The server-rendered HTML has no data, or is hidden because it is for another user.
  if (!firstView || firstView === '/page' || getComputedStyle(root).display === 'none') return
  // The start page of a user shares too little with that of a visitor.
  if (root.inert && firstView === '/home' && readSessionToken() !== null) return
  const data = [settled(useCourseIndex, 'loading')]
  // Cards show the booking state, and their height would change if it were loaded later.
  if (kept || readSessionToken() !== null) data.push(ownData(firstView))
  // The start page shows the user's name.
  if (firstView === '/home') data.push(settled(useSession, 'checking'))
  if (firstView === '/course-details') data.push(fetchCourse(window.location.pathname))
  await Promise.race([Promise.all(data), new Promise(resolve => setTimeout(resolve, PATIENCE_MS))])
}

type Control = HTMLButtonElement | HTMLSelectElement

/** Finds the app's counterpart of an element in the server-rendered HTML: same tag and label. */
function sameOf<E extends HTMLElement>(element: E, before: HTMLElement, root: HTMLElement): E | undefined {
  const nameOf = (one: HTMLElement) => one.getAttribute('aria-label') ?? one.textContent
  const alikeIn = (place: HTMLElement) =>
    [...place.querySelectorAll<E>(element.tagName)].filter(one => nameOf(one) === nameOf(element))
  return alikeIn(root)[alikeIn(before).indexOf(element)]
}

/** Sets the value and dispatches an input event so that React notices the change. */
function typeInto(box: HTMLElement | undefined, text: string): void {
  if (!(box instanceof HTMLInputElement)) return
  box.setRangeText(text, 0, box.value.length, 'end')
  box.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Transfers input, taps and focus from the server-rendered HTML to the app.
 * @returns function to call once the app is mounted
 */
export function preserveInputAndFocus(root: HTMLElement & { tapped?: Set<Control> }): () => void {
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
    root.inert = false
    // React has already removed the old elements from the page.
    const before = document.createElement('div')
    before.append(...shown)
    const box = before.querySelector<HTMLInputElement>('main input[type="search"]')
    // The criteria are set directly because the list renders before the full-text search is loaded.
    if (firstView === '/courses' && box?.value) useSearchCriteria.getState().change({ text: box.value })
    else if (box?.value) typeInto(sameOf(box, before, root), box.value)
    if (focused instanceof HTMLElement) sameOf(focused, before, root)?.focus({ preventScroll: true })
    // All are found before the first click, because a filter changes the numbers in the names of the others.
    const taps = [...(root.tapped ?? [])].map(one => ({ one, now: sameOf(one, before, root) }))
    for (const { one, now } of taps) {
      if (!now) continue
      now.value = one.value
      now.click()
      now.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}
