import { expect, test, vi } from 'vitest'
import { addPlugins } from 'workbox-precaching'

vi.mock('workbox-precaching', () => ({
  addPlugins: vi.fn(),
  addRoute: vi.fn(),
  cleanupOutdatedCaches: vi.fn(),
  createHandlerBoundToURL: vi.fn(),
  precache: vi.fn(),
}))
vi.mock('workbox-routing', () => ({ NavigationRoute: vi.fn(), registerRoute: vi.fn() }))
vi.mock('./files.ts', () => ({ registerFileCaching: vi.fn() }))
vi.mock('./serve-snapshots.ts', () => ({ serveScreenSnapshots: vi.fn() }))

test('the precache rejects the page of another version', async () => {
  const precached = [{ url: 'index.html' }, { url: 'assets/index-1.js' }]
  vi.stubGlobal('self', { __WB_MANIFEST: precached, addEventListener: () => undefined })
  await import('./sw.ts')
  const plugins = vi.mocked(addPlugins).mock.calls.flat(2)
  const request = new Request('https://sport.example.com/index.html')
  const precache = async (version: number) => {
    const response = new Response(`<script src="/assets/index-${version}.js"></script>`)
    const kept = plugins.map(plugin => plugin.cacheWillUpdate?.({ request, response } as never) ?? response)
    return (await Promise.all(kept)).every(Boolean)
  }
  expect([await precache(1), await precache(2)]).toEqual([true, false])
})
