import { useCourseIndex } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { keepView, viewOf, WHOSE, type Whose } from '#lib/kept-views.ts'
import { readLanguage } from '#lib/language.ts'
import { pageIdle } from '#lib/page-loaded.ts'
import { holdInside } from './hold-inside.ts'

/** So long a screen has to have its data and its pictures. */
const SETTLE_MS = 2_000
const ROOT = /<div id="root">.*?<\/div>/s
/** One clear point. */
const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** The page of this version of the app as the worker has it: class names and files are those of what shows. */
async function pageOfThisVersion(): Promise<{ page: Response; cache: Cache } | null> {
  // The last one: React's file may be that of another version, too.
  const entry = [...document.querySelectorAll('script[type="module"][src]')].at(-1)?.getAttribute('src')
  for (const name of await caches.keys()) {
    if (!name.startsWith('workbox-precache')) continue
    const cache = await caches.open(name)
    for (const page of await cache.matchAll('/index.html', { ignoreSearch: true }))
      if (entry && (await page.clone().text()).includes(entry)) return { page, cache }
  }
  return null
}

/** Nothing stands open, is typed, scrolled away or missing, and nobody is who is to be forgotten with the tab. */
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

/** What nobody sees of it keeps what is seen waiting: rows and footer would be laid out, pictures read. */
const LEFT_OUT = 'main li, footer, img'

/**
 * The screen without what is of this moment alone, and without styles of its own, which the page's policy refuses in markup.
 * Rows and footer below the window come with the app, and so do the pictures that nobody sees, whose place is kept.
 */
function markupOf(root: Element): string {
  // Into a document without a window: in this one a copied picture would be fetched, while a page closes past its policy.
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
  for (const element of copy.querySelectorAll('[style]')) element.removeAttribute('style')
  return copy.innerHTML
}

async function keepThisView(): Promise<void> {
  const view = viewOf(window.location.pathname)
  const root = document.getElementById('root')
  if (!view || !root || root.dataset.firstView || !isAtRest()) return
  const screen = view.replace(/\/\d+$/, '')
  // A course that does not come is no page to keep.
  if (screen !== view && !root.querySelector('main dl')) return
  const markup = markupOf(root)
  const whose: Whose = useSession.getState().session ? 'person' : 'nobody'
  const styles = [...document.querySelectorAll('link[rel="stylesheet"]')].map(link => link.getAttribute('href') ?? '')
  await keepView(view, async () => {
    const found = await pageOfThisVersion()
    if (!found) return null
    const { page, cache } = found
    const html = await page.text()
    const more = styles.filter(href => href.startsWith('/assets/') && !html.includes(`href="${href}"`))
    const links = more.map(href => `<link rel="stylesheet" crossorigin href="${href}">`).join('')
    const attributes = `data-first-view="${screen}" data-kept="${readLanguage()}" data-whose="${whose}"`
    const whole = html
      .replace('</head>', () => `${links}</head>`)
      // All of it lies on the device: to read it early would only keep the screen from showing.
      .replace(/<link rel="modulepreload"[^>]*>/g, '')
    const headers = new Headers(page.headers)
    headers.set(WHOSE, whose)
    for (const name of ['Content-Length', 'Content-Encoding', 'ETag']) headers.delete(name)
    const held = await holdInside(whole, headers, cache)
    const kept = held.replace(ROOT, () => `<div id="root" ${attributes}>${markup}</div>`)
    return new Response(kept, { headers })
  })
}

/** Keeps the screens that people open first as they stood at last, in this language, for this person. See docs/decisions/0064. */
export function startKeepingViews(): void {
  if (!('caches' in window)) return
  let timer = 0
  // A full disk or blocked caches: the next start shows nothing before the app.
  const keep = () => void keepThisView().catch(() => undefined)
  const keepSoon = () => {
    clearTimeout(timer)
    timer = window.setTimeout(() => pageIdle().then(keep), SETTLE_MS)
  }
  for (const event of ['pushState', 'replaceState', 'popstate']) window.addEventListener(event, keepSoon)
  document.addEventListener('visibilitychange', keep)
  void navigator.serviceWorker?.ready.then(keepSoon)
}
