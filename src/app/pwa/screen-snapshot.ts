import { useCourseIndex } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { waitForPageIdle } from '#lib/lazy-load.ts'
import { SNAPSHOT_OWNER_HEADER, type SnapshotOwner, snapshotKey, storeSnapshot } from '#lib/screen-snapshots.ts'

/** Timeout in ms for a screen to load its data and pictures. */
const SETTLE_MS = 2_000
const ROOT = /<div id="root">.*?<\/div>/s
/** Transparent 1×1 GIF. */
const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** The cached page of the running version, whose class names and chunks match the rendered screen. */
async function pageOfThisVersion(): Promise<Response | null> {
  // The last chunk identifies the version, because other chunks can be the same in several versions.
  const entry = [...document.querySelectorAll('script[type="module"][src]')].at(-1)?.getAttribute('src')
  for (const name of await caches.keys()) {
    if (!name.startsWith('workbox-precache')) continue
    const cache = await caches.open(name)
    for (const page of await cache.matchAll('/index.html', { ignoreSearch: true }))
      if (entry && (await page.clone().text()).includes(entry)) return page
  }
  return null
}

/**
 * Whether the screen may be stored: no overlay is open, nothing has been typed or scrolled, nothing is loading, and the
 * session is not limited to this tab.
 */
function isAtRest(): boolean {
  const { phase, session } = useSession.getState()
  return (
    window.location.search === '' &&
    window.scrollY === 0 &&
    !document.querySelector(
      '[role="dialog"], input:focus, [aria-expanded="true"], main :is([data-waiting], [role="alert"])',
    ) &&
    useCourseIndex.getState().phase === 'ready' &&
    phase !== 'checking' &&
    (session === null || session.keepSession)
  )
}

function isInWindow(element: Element): boolean {
  const [box] = element.getClientRects()
  return box !== undefined && box.top < window.innerHeight
}

/** Off-screen content that would delay the first paint: rows and footer need layout, pictures need decoding. */
const LEFT_OUT = 'main li, footer, img'

/**
 * HTML of the screen without transient state, typed text and inline styles, which the CSP blocks. Rows and footer below the
 * fold and off-screen pictures are omitted and rendered later by the app; space is reserved for the pictures.
 */
function markupOf(root: Element): string {
  // Cloned into an inert document: in the live document, the cloned pictures would be fetched, and the CSP blocks such
  // requests while the page is being closed.
  const copy = document.implementation.createHTMLDocument('').importNode(root, true)
  const copies = [...copy.querySelectorAll(LEFT_OUT)]
  for (const [at, element] of root.querySelectorAll(LEFT_OUT).entries()) {
    if (isInWindow(element)) continue
    if (element instanceof HTMLImageElement) {
      copies[at]?.removeAttribute('srcset')
      copies[at]?.setAttribute('src', NO_PICTURE)
    } else copies[at]?.remove()
  }
  for (const element of copy.querySelectorAll('[data-fleeting]')) element.replaceChildren()
  for (const name of ['style', 'value'])
    for (const element of copy.querySelectorAll(`[${name}]`)) element.removeAttribute(name)
  return copy.innerHTML
}

async function keepThisView(): Promise<void> {
  const view = snapshotKey(window.location.pathname)
  const root = document.getElementById('root')
  if (!view || !root || root.dataset.firstView || !isAtRest()) return
  const screen = view.replace(/\/\d+$/, '')
  // A course page without course data, for example after a failed request, is not stored.
  if (screen !== view && !root.querySelector('main dl')) return
  const markup = markupOf(root)
  const whose: SnapshotOwner = useSession.getState().session ? 'person' : 'nobody'
  const styles = [...document.querySelectorAll('link[rel="stylesheet"]')].map(link => link.getAttribute('href') ?? '')
  await storeSnapshot(view, async () => {
    const page = await pageOfThisVersion()
    if (!page) return null
    const html = await page.text()
    const more = styles.filter(href => href.startsWith('/assets/') && !html.includes(`href="${href}"`))
    const links = more.map(href => `<link rel="stylesheet" crossorigin href="${href}">`).join('')
    const attributes = `data-first-view="${screen}" data-kept="${document.documentElement.lang}" data-whose="${whose}"`
    const snapshot = html
      .replace('</head>', () => `${links}</head>`)
      // Preload links are removed: all files are cached, so preloading would only delay the first paint.
      .replace(/<link rel="modulepreload"[^>]*>/g, '')
      .replace(ROOT, () => `<div id="root" ${attributes}>${markup}</div>`)
    const headers = new Headers(page.headers)
    headers.set(SNAPSHOT_OWNER_HEADER, whose)
    for (const name of ['Content-Length', 'Content-Encoding', 'ETag']) headers.delete(name)
    return new Response(snapshot, { headers })
  })
}

/**
 * Stores snapshots of the start screens as last seen by the current user in the current language. See
 * docs/decisions/0064.
 */
export function startScreenSnapshots(): void {
  if (!('caches' in window)) return
  let timer = 0
  // If the disk is full or caches are blocked, the next start simply shows no snapshot.
  const keep = () => void keepThisView().catch(() => undefined)
  const keepSoon = () => {
    clearTimeout(timer)
    timer = window.setTimeout(() => waitForPageIdle().then(keep), SETTLE_MS)
  }
  for (const event of ['pushState', 'replaceState', 'popstate']) window.addEventListener(event, keepSoon)
  document.addEventListener('visibilitychange', keep)
  void navigator.serviceWorker?.ready.then(keepSoon)
}
