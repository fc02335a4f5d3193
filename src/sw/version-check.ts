/**
 * Precache plugin that rejects a page of another version, which proxies may send while several portals are upgraded one
 * after the other. Workbox does not compare content with the revision, so that the page would stay in the precache
 * without its files, and the app could not start before the next version. The installation fails instead, and is
 * repeated with the next check for updates.
 * @param precached entries of the precache
 */
export function createVersionCheck(precached: readonly (string | { url: string })[]) {
  const urls = new Set(precached.map(entry => `/${typeof entry === 'string' ? entry : entry.url}`))
  return {
    cacheWillUpdate: async ({ request, response }: { request: Request; response: Response }) => {
      // Replaces Workbox's own check.
      if (response.status >= 400) return null
      if (!request.url.endsWith('/index.html')) return response
      const files = (await response.clone().text()).matchAll(/"(\/assets\/[^"]+)"/g)
      return [...files].every(([, file = '']) => urls.has(file)) ? response : null
    },
  }
}
