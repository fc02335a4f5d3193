import { newUuid } from './uuid.ts'

/** What lies over the page has a history entry of its own, so that going back closes it. `state.overlay` names whose it is. */

/** A browser that takes no step back, or a very slow one, leaves nothing waiting for longer. */
const STEP_PATIENCE_MS = 3_000

/** the overlays that have an entry */
const opened = new Set<string>()
/** what is to be done at a step through the history, before anybody else hears of it */
const onStep = new Set<() => void>()
/** what waits until our step back has been taken; null: none is on the way */
let waiting: (() => void)[] | null = null

const overlayOfEntry = (): string | null => {
  const overlay: unknown = window.history.state?.overlay
  return typeof overlay === 'string' ? overlay : null
}

/** Acts as soon as no step back of ours is on the way: what it adds to the history would otherwise be taken back with it. */
function whenSettled(act: () => void): void {
  if (waiting) waiting.push(act)
  else act()
}

/** The page as it was under the overlay: the address that was written meanwhile (filters), and where it stood. */
type HistoryPosition = { address: string; scrollY: number }

const positionNow = (): HistoryPosition => ({ address: window.location.href, scrollY: window.scrollY })

/** The entry below still has the address and the place of the moment in which the overlay opened. */
function keep({ address, scrollY }: HistoryPosition): void {
  const { pathname } = new URL(address)
  if (window.location.pathname !== pathname) return
  if (window.location.href !== address) window.history.replaceState(window.history.state, '', address)
  // The browser scrolls after it has told of the step.
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
    // Not inside the step itself: the browser has not finished it.
    setTimeout(() => {
      for (const act of acts) whenSettled(act)
    })
  }
  const arrive = () => {
    onStep.delete(arrive)
    // Two overlays may have closed at once.
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

/** Leaves an entry whose overlay is gone: after a reload, or when somebody goes forward to it. */
function leaveDeadEntry(): void {
  if (!waiting && isDeadEntry()) stepBack(positionNow())
}

/**
 * What comes late (src/lib/steps-back.ts). `at` looks at a step before anybody else does; true: it tells the others of it itself.
 * `leave`: a list is about to be left for the course at this path.
 */
export const firstLook: { at?: (step: PopStateEvent) => boolean; leave?: (path: string) => void } = {}

/** To be called once, before the first screen. */
export function watchDeadEntries(): void {
  leaveDeadEntry()
  // One listener, and the first: between two of them React may draw the page with the address that is about to be replaced.
  const tellAll = (step: PopStateEvent) => {
    if (firstLook.at?.(step)) return
    for (const act of [...onStep]) act()
    leaveDeadEntry()
  }
  window.addEventListener('popstate', tellAll, true)
}

/**
 * Adds an overlay's entry. See docs/decisions/0078.
 * @param onBack the overlay has to go @returns to be called when the overlay is gone
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
    // Back from an overlay on top of this one: the entry is this one's again, or one below it.
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
  // Later: what React mounts twice at once (strict mode) adds one entry.
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

/** Around each navigation of the router: the new page takes the place of an overlay's entry that is on top. */
export function navigateFromOverlay<Options extends { replace?: boolean }>(
  navigate: Navigate<Options>,
  path: string,
  options?: Options,
): void {
  whenSettled(() => navigate(path, overlayOfEntry() === null ? options : ({ ...options, replace: true } as Options)))
}

/** Goes back from the page, with an overlay on top of it or without. */
export const goBackFromOverlay = (): void => whenSettled(() => window.history.go(overlayOfEntry() === null ? -1 : -2))
