import { newUuid } from './uuid.ts'

/**
 * Each overlay (dialog or drawer) has a history entry of its own, so that the back button closes it. `state.overlay`
 * contains the overlay's id.
 */

/** Timeout in ms for `history.back()`, which some browsers ignore or take very long to complete. */
const STEP_PATIENCE_MS = 3_000

/** ids of the overlays that have a history entry */
const opened = new Set<string>()
/** popstate handlers that run before all other listeners */
const onStep = new Set<() => void>()
/** callbacks deferred until a pending `history.back()` of this module has completed; null if none is pending */
let waiting: (() => void)[] | null = null

const overlayOfEntry = (): string | null => {
  const overlay: unknown = window.history.state?.overlay
  return typeof overlay === 'string' ? overlay : null
}

/**
 * Runs the callback once no `history.back()` of this module is pending. That navigation would remove a history entry
 * added earlier.
 */
function whenSettled(act: () => void): void {
  if (waiting) waiting.push(act)
  else act()
}

/** URL and scroll position of the page below an overlay. Filters may change the URL while the overlay is open. */
type HistoryPosition = { address: string; scrollY: number }

const positionNow = (): HistoryPosition => ({ address: window.location.href, scrollY: window.scrollY })

/**
 * Restores the URL and scroll position after navigation from an overlay's history entry to the entry before it, which
 * still has the values from when the overlay was opened.
 */
function keep({ address, scrollY }: HistoryPosition): void {
  const { pathname } = new URL(address)
  if (window.location.pathname !== pathname) return
  if (window.location.href !== address) window.history.replaceState(window.history.state, '', address)
  // The browser restores the scroll position after popstate.
  requestAnimationFrame(() => {
    if (window.location.pathname === pathname && window.scrollY !== scrollY) window.scrollTo(0, scrollY)
  })
}

const isDeadEntry = (): boolean => {
  const overlay = overlayOfEntry()
  return overlay !== null && !opened.has(overlay)
}

function stepBack(position: HistoryPosition, acts: (() => void)[] = []): void {
  waiting = acts
  const release = () => {
    clearTimeout(timer)
    if (waiting !== acts) return
    waiting = null
    // Deferred because the browser has not completed the navigation during popstate.
    setTimeout(() => {
      for (const act of acts) whenSettled(act)
    })
  }
  const arrive = () => {
    onStep.delete(arrive)
    // Several overlays may have been closed at the same time.
    if (isDeadEntry()) {
      clearTimeout(timer)
      stepBack(position, acts)
      return
    }
    keep(position)
    release()
  }
  const timer = setTimeout(release, STEP_PATIENCE_MS)
  onStep.add(arrive)
  window.history.back()
}

/**
 * Navigates back from the history entry of an overlay that no longer exists. A reload or a forward navigation may lead
 * to such an entry.
 */
function leaveDeadEntry(): void {
  if (!waiting && isDeadEntry()) stepBack(positionNow())
}

/**
 * Hooks set by lazily loaded code (src/app/back-transition.ts). `at` receives a popstate event first, and returns true
 * if it notifies the other listeners itself. `leave` runs before navigation from a list to the course at this path.
 */
export const browserHistoryCallbacks: { at?: (step: PopStateEvent) => boolean; leave?: (path: string) => void } = {}

/**
 * Navigates back from history entries of overlays that no longer exist, now and after each popstate event. Call this
 * once, before the first render.
 */
export function skipStaleOverlayEntries(): void {
  leaveDeadEntry()
  // A single popstate listener, registered before all others. If there were two, React might render the page between
  // them, with a URL that is about to be replaced.
  const tellAll = (step: PopStateEvent) => {
    if (browserHistoryCallbacks.at?.(step)) return
    for (const act of [...onStep]) act()
    leaveDeadEntry()
  }
  window.addEventListener('popstate', tellAll, true)
}

/**
 * Adds a history entry for an overlay. See docs/decisions/0078.
 * @param onBack closes the overlay
 * @returns function to call when the overlay has closed
 */
export function addOverlayEntry(onBack: () => void): () => void {
  const overlay = newUuid()
  let isGone = false
  let position = positionNow()
  const note = () => {
    if (overlayOfEntry() === overlay) position = positionNow()
  }
  const onPop = () => {
    if (!opened.has(overlay) || overlayOfEntry() === overlay) return
    // The user has navigated back from this overlay's history entry, so the overlay closes.
    opened.delete(overlay)
    keep(position)
    onBack()
  }
  const push = () => {
    if (isGone) return
    window.history.pushState({ ...window.history.state, overlay }, '')
    opened.add(overlay)
    position = positionNow()
  }
  // Deferred because React's strict mode mounts components twice, but the entry must be added only once.
  const timer = setTimeout(() => whenSettled(push))
  const changes = ['pushState', 'replaceState', 'scroll'] as const
  for (const change of changes) window.addEventListener(change, note)
  onStep.add(onPop)
  return () => {
    isGone = true
    clearTimeout(timer)
    for (const change of changes) window.removeEventListener(change, note)
    onStep.delete(onPop)
    const isOnTop = opened.delete(overlay) && overlayOfEntry() === overlay
    if (isOnTop) whenSettled(() => overlayOfEntry() === overlay && stepBack(positionNow()))
  }
}

type Navigate<Options> = (path: string, options?: Options & { replace?: boolean }) => void

/** Wraps each router navigation: the new page replaces the history entry of an open overlay. */
export function navigateFromOverlay<Options extends { replace?: boolean }>(
  navigate: Navigate<Options>,
  path: string,
  options?: Options,
): void {
  whenSettled(() => navigate(path, overlayOfEntry() === null ? options : ({ ...options, replace: true } as Options)))
}

/**
 * Navigates back from the page, or from the history entry of unsaved input, which asks first.
 * @param isConfirmed navigates past the history entry of an open overlay
 */
export const goBack = (isConfirmed = false): void =>
  whenSettled(() => window.history.go(isConfirmed && overlayOfEntry() !== null ? -2 : -1))
