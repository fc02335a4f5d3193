// The library types `self` as a plain worker; this is the service worker's.
const worker = self as unknown as ServiceWorkerGlobalScope

worker.addEventListener('message', event => {
  if (event.data?.type === 'SKIP_WAITING') worker.skipWaiting()
})
