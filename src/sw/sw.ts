import { addPlugins, addRoute, cleanupOutdatedCaches, createHandlerBoundToURL, precache } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CACHE_PICTURES_MESSAGE, DELETE_OWN_PICTURES_MESSAGE } from '#lib/cached-files.ts'
import { cachePicturesInWorker, purgeOwnPictures, registerFileCaching } from './files.ts'
import { openNotificationTarget, showPushNotification } from './push.ts'
import { deleteScreenSnapshots, serveScreenSnapshots } from './serve-snapshots.ts'
import { SERVER_PATHS } from './server-paths.ts'
import { createVersionCheck } from './version-check.ts'

declare global {
  interface ServiceWorkerGlobalScopeEventMap {
    sync: ExtendableEvent & { tag: string }
  }
  interface ExtendableEvent {
    /** present only during the install event, and missing in some browsers */
    addRoutes?(rule: { condition: { urlPattern: { pathname: string } }; source: 'network' }): Promise<void>
  }
  interface WorkerGlobalScope {
    __WB_MANIFEST: { url: string; revision: string | null }[]
  }
}

// The library declares `self` as a plain worker, but this one is a service worker.
declare const self: ServiceWorkerGlobalScope

/** Delay of background work in ms. It is well below the 30 s after which browsers stop an idle worker. */
const AFTER_FIRST_ANSWERS_MS = 3_000

/**
 * This module is bundled in the worker's file but evaluated on first use, because setting up its validators takes
 * longer than the rest of the worker's startup.
 */
const loadAttendance = () => import('./attendance-sync.ts')

const precached = self.__WB_MANIFEST
addPlugins([createVersionCheck(precached)])
precache(precached)
const page = createHandlerBoundToURL('index.html')
serveScreenSnapshots(page)
addRoute()
cleanupOutdatedCaches()
registerRoute(new NavigationRoute(page, { denylist: SERVER_PATHS }))

registerFileCaching()

// With static routing, API calls bypass the worker, so they neither start it nor delay the activation of an update.
self.addEventListener('install', event => {
  const routes = event.addRoutes?.({ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' })
  // Browsers without static routing pass these requests through the worker.
  if (routes) event.waitUntil(routes.catch(() => undefined))
})

self.addEventListener('activate', event => event.waitUntil(deleteScreenSnapshots()))

self.addEventListener('message', event => {
  // The page sends this message once the user has confirmed the update.
  if (event.data?.type === 'SKIP_WAITING') self.skipWaiting()
  if (event.data?.type === DELETE_OWN_PICTURES_MESSAGE) event.waitUntil(purgeOwnPictures())
  if (event.data?.type !== CACHE_PICTURES_MESSAGE) return
  // If offline, the remaining pictures are cached the next time the album is opened.
  event.waitUntil(cachePicturesInWorker(event.data.urls, event).catch(() => undefined))
})

const removeNames = async () => (await loadAttendance()).deleteExpiredParticipantNames()
// Expired participant names are deleted on each start of the worker, even if the app is not open. The delay ensures
// that this does not slow down the first responses. See docs/decisions/0064.
setTimeout(() => removeNames().catch(() => undefined), AFTER_FIRST_ANSWERS_MS)

self.addEventListener('push', event => event.waitUntil(showPushNotification(self, event)))
self.addEventListener('notificationclick', event => event.waitUntil(openNotificationTarget(self, event)))

// Only some browsers support background sync; in all others, attendance changes are sent while a page is open.
self.addEventListener('sync', event => {
  if (event.tag === 'attendance-outbox')
    event.waitUntil(loadAttendance().then(({ sendOutboxFromWorker }) => sendOutboxFromWorker()))
})
