import { addRoute, cleanupOutdatedCaches, createHandlerBoundToURL, precache } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { FORGET_OWN_PICTURES, KEEP_PICTURES } from '#lib/kept-files.ts'
import { forgetOwnPictures, keepFiles, keepPictures } from './files.ts'
import { openPush, showPush } from './push.ts'
import { forgetViews, showViews } from './views.ts'

declare global {
  interface ServiceWorkerGlobalScopeEventMap {
    sync: ExtendableEvent & { tag: string }
  }
  interface ExtendableEvent {
    /** of the installation alone, and missing in some browsers */
    addRoutes?(rule: { condition: { urlPattern: { pathname: string } }; source: 'network' }): Promise<void>
  }
  interface WorkerGlobalScope {
    __WB_MANIFEST: { url: string; revision: string | null }[]
  }
}

// The library types `self` as a plain worker; this is the service worker's.
declare const self: ServiceWorkerGlobalScope

/** Well below the half minute after which browsers end a worker that has nothing to do. */
const AFTER_FIRST_ANSWERS_MS = 3_000

/** In this file, too, but run when it is first asked for: what checks ticks takes longer to set up than all the rest. */
const loadAttendance = () => import('./attendance-sync.ts')

precache(self.__WB_MANIFEST)
const page = createHandlerBoundToURL('index.html')
showViews(page)
addRoute()
cleanupOutdatedCaches()
registerRoute(
  new NavigationRoute(page, {
    denylist: [/^\/embed$/, /^\/(?:api|content|photos|thumbnails|\.well-known)\//, /\.(?:txt|xml)$/],
  }),
)

keepFiles()

// A call that this worker has nothing to do with need not start it, nor wake it when the next version waits for its end.
self.addEventListener('install', event => {
  const routes = event.addRoutes?.({ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' })
  // Where the browser knows no such rule they go through the worker, as before.
  if (routes) event.waitUntil(routes.catch(() => undefined))
})

self.addEventListener('activate', event => event.waitUntil(forgetViews()))

self.addEventListener('message', event => {
  // The page asks before it lets a new version take over.
  if (event.data?.type === 'SKIP_WAITING') self.skipWaiting()
  if (event.data?.type === FORGET_OWN_PICTURES) event.waitUntil(forgetOwnPictures())
  // Without an answer the others come the next time their album opens.
  if (event.data?.type === KEEP_PICTURES) event.waitUntil(keepPictures(event.data.urls, event).catch(() => undefined))
})

const removeNames = async () => (await loadAttendance()).removeExpiredNames()
// Whenever the worker runs: the app need not be opened for it. Its answers come first. See docs/decisions/0064.
setTimeout(() => removeNames().catch(() => undefined), AFTER_FIRST_ANSWERS_MS)

self.addEventListener('push', event => event.waitUntil(showPush(self, event)))
self.addEventListener('notificationclick', event => event.waitUntil(openPush(self, event)))

// A convenience of some browsers only: the page sends by itself whenever it is open.
self.addEventListener('sync', event => {
  if (event.tag === 'attendance-outbox')
    event.waitUntil(loadAttendance().then(({ flushFromWorker }) => flushFromWorker()))
})
