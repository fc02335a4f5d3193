import { expect, test, vi } from 'vitest'
import { SERVER_PATHS } from './server-paths.ts'

vi.stubGlobal('self', globalThis)
const { NavigationRoute } = await import('workbox-routing')
const route = new NavigationRoute(async () => new Response(), { denylist: SERVER_PATHS })
const isApp = (address: string) => {
  const url = new URL(address, 'https://sport.example.com')
  const request = { mode: 'navigate' } as Request
  return Boolean(route.match({ url, request, event: {} as ExtendableEvent, sameOrigin: true }))
}

test.each(['/embed', '/robots.txt', '/sitemap.xml', '/.well-known/security.txt', '/api/docs', '/content/a.pdf'])(
  'the server answers %s with and without a query',
  path => {
    for (const query of ['', '?', '?category=3&lang=en', '?next=/courses'])
      expect(isApp(path + query), query).toBe(false)
  },
)

test.each(['/', '/courses?q=plan.txt', '/courses?q=/embed', '/embedded', '/login?next=/sitemap.xml', '/apis'])(
  'the app answers %s',
  path => expect(isApp(path)).toBe(true),
)
